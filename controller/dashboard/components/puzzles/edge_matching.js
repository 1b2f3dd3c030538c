// Edge-matching puzzles: the samples by name, their solutions drawn one by one.

import { button, element } from '/assets/elements.js';
import { ordinal, row } from '/assets/parts_of_page.js';
import { workersChoice } from '/assets/job_card.js';
import { ask } from '/assets/link.js';

export class TileBoards {
  constructor(page) {
    this.page = page;
    this.picture = element('img', { className: 'board-picture' });
    this.slider = element('input', { type: 'range', id: 'placed', min: 1, max: 1, step: 1 });
    this.slider.oninput = () => this.#show(Number(this.slider.value));
    this.which = element('span', { className: 'dim num value' });
    const label = element('label', { className: 'lab', htmlFor: 'placed', textContent: 'Solution' });
    this.several = element('div', { className: 'row slider' }, label, this.slider, this.which);
    this.root = element('div', { className: 'viewer' },
      element('div', { className: 'solid' }, this.picture), this.several);
    this.workers = workersChoice();
  }

  async open(key, wanted) {
    this.puzzle = key;
    this.count = null; // until it is known
    this.page.card.offer(key, 'Search', row(
      button('Find all', () => this.pack('all'), { kind: 'primary grow', symbol: 'play' }), this.workers),
    row(button('Find one', () => this.pack('first'), { kind: 'grow' })));
    await this.#ask(ordinal(wanted.get('solution')));
  }

  async pack(wanted) {
    this.page.refuse(await this.page.order('solve_tiles', { puzzle: this.puzzle, wanted, workers: Number(this.workers.value) }));
  }

  async #ask(solution) {
    const { puzzle } = this;
    const { error, answer } = await ask('puzzles/show_tiles', { puzzle, solution });
    if (puzzle !== this.puzzle) return;
    if (error) {
      this.page.refuse(error);
      return;
    }
    this.title = answer.title;
    this.count = answer.solutions;
    this.#show(answer.number);
    if (solution > 1 && !answer.is_there) this.page.remark(`Solution ${solution} is not found yet; “Find all” looks for it.`);
  }

  #show(number) {
    const has = this.count > 0;
    const path = `${this.puzzle}-${has ? number : 0}.svg`;
    this.picture.src = `/files/puzzles/${path}?n=${this.count}`;
    this.picture.alt = has ? `Solution ${number}` : 'The tiles in their order, not placed yet';
    this.slider.max = Math.max(1, this.count);
    this.slider.value = number;
    this.several.hidden = this.count < 2;
    this.which.textContent = `${number} of ${this.count.toLocaleString('en')}`;
    this.page.setTitle(this.title, has ? `solution ${number}` : 'not placed yet');
    this.page.remark(has ? '' : 'These are the tiles in their order; no solution has been looked for yet.');
    this.page.offerSaves([['SVG', has ? [path, `${this.puzzle}.svg`] : null]]);
    if (has) this.page.setAddress({ solution: number });
  }

  /** Show what the search has found. */
  update(view) {
    if (view.puzzle === this.puzzle && this.count !== null && view.solutions !== this.count) this.#ask(1);
  }

  onKey(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const number = Number(this.slider.value) + step;
    if (step && number >= 1 && number <= this.count) this.#show(number);
  }
}
