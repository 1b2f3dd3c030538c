// Packing puzzles: the viewer in the middle, and what can be searched.

import { button, element } from '/assets/elements.js';
import { ordinal, row } from '/assets/parts_of_page.js';
import { workersChoice } from '/assets/job_card.js';
import { ask } from '/assets/link.js';
import { SolutionViewer } from '/assets/solution_viewer.js';

const SLOW_MS = 1500;
const KINDS = [['SVG', 'svg'], ['Page', 'html'], ['BurrTools', 'xmpuzzle'], ['PDF', 'pdf']];

export class PackingPuzzles {
  /** `page` has what all kinds of puzzles share: setTitle, setAddress, refuse, card. */
  constructor(page) {
    this.page = page;
    this.viewer = new SolutionViewer({
      onSolution: (number) => this.#want(number),
      onStep: (step) => this.page.setAddress({ solution: this.number, step }),
    });
    this.root = this.viewer.root;
    this.workers = workersChoice();
    this.number = 1;
    this.isAsking = false;
    this.wanted = null;
  }

  /** Show a puzzle; `wanted` has the solution and the step of the address. */
  async open(puzzle, wanted) {
    this.puzzle = puzzle;
    this.count = null; // until it is known
    this.page.card.offer(puzzle, 'Search', ...this.#controls());
    await this.#show(ordinal(wanted.get('solution')), wanted.has('step') ? Number(wanted.get('step')) : null);
  }

  #controls() {
    const pack = (wanted) => this.pack(wanted);
    return [
      row(button('Count all', () => pack('count'), { kind: 'primary grow', symbol: 'play' }), this.workers),
      row(button('Find all', () => pack('all'), { kind: 'grow' }), button('Find one', () => pack('first'), { kind: 'grow' })),
      element('p', { className: 'dim small-text', textContent: 'A count keeps its finished parts on disk and goes on from there, with any number of workers.' }),
    ];
  }

  async pack(wanted) {
    this.page.refuse(await this.page.order('pack', { puzzle: this.puzzle, wanted, workers: Number(this.workers.value) }));
  }

  // The slider asks faster than stories come: only the last wish counts.
  async #want(number) {
    this.wanted = number;
    if (this.isAsking) return;
    this.isAsking = true;
    while (this.wanted !== null) {
      const next = this.wanted;
      this.wanted = null;
      await this.#show(next, this.viewer.initialStep);
    }
    this.isAsking = false;
  }

  async #show(solution, step) {
    const { puzzle } = this;
    const waiting = setTimeout(() => this.page.remark('Looking at it for the first time; a first start of all compiles the search.'), SLOW_MS);
    const { error, answer } = await ask('puzzles/show', { puzzle, solution });
    clearTimeout(waiting);
    if (puzzle !== this.puzzle) return;
    if (error) {
      this.page.refuse(error);
      return;
    }
    this.title = answer.title;
    this.count = answer.solutions;
    this.number = answer.number;
    this.page.setTitle(answer.title, answer.story ? `solution ${answer.number}` : '');
    if (answer.story) {
      this.viewer.show(answer.story, answer.number, answer.solutions, step);
      if (step !== null || answer.number > 1) {
        this.page.setAddress({ solution: answer.number, step: this.viewer.target });
      }
    } else this.viewer.showPicture(`/files/puzzles/pieces-${puzzle}.svg`, 'The pieces');
    this.#offerSaves(Boolean(answer.story));
    this.#remark(answer, solution);
  }

  #remark(answer, solution) {
    const said = answer.left_out.map((each) => `Left out: ${each}.`);
    if (answer.has_none) said.push('This puzzle has no solution.');
    else if (!answer.story) said.push('These are the pieces; no solution has been looked for yet.');
    else if (!answer.is_there) said.push(`Solution ${solution} is not found yet; “Find all” looks for it.`);
    this.page.remark(said.join(' '));
  }

  #offerSaves(hasSolution) {
    this.page.offerSaves(KINDS.map(([text, ending]) => {
      const file = [`solution-${this.puzzle}-${this.number}.${ending}`, `${this.puzzle}.${ending}`];
      return [text, hasSolution || ending === 'xmpuzzle' ? file : null];
    }));
  }

  /** Show what the search of this puzzle has found. */
  update(view) {
    if (view.puzzle !== this.puzzle || this.count === null || view.solutions === this.count) return;
    const hadNone = !this.count;
    this.count = view.solutions;
    if (hadNone) this.#want(1);
    else this.viewer.setCount(this.number, this.count);
  }

  onKey(event) {
    this.viewer.onKey(event);
  }
}
