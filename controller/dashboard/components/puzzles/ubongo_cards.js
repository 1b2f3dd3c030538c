// Ubongo: pick pieces, draw the base area, look at all solutions; or let cards be made.

import { CellGrid } from '/assets/cell_grid.js';
import { button, choice, element } from '/assets/elements.js';
import { lab, number, ordinal } from '/assets/parts_of_page.js';
import { ask } from '/assets/link.js';
import { SolutionViewer } from '/assets/solution_viewer.js';

const [ROWS, COLUMNS] = [6, 7];
const TITLE = 'Ubongo 3-D';
const FILES = [['SVG', 'svg'], ['Page', 'html'], ['BurrTools', 'xmpuzzle'], ['PDF', 'pdf']];
const SHEETS = [['Cards as PDF', 'pdf'], ['SVG', 'svg'], ['TOML', 'toml']];

export class UbongoCards {
  constructor(page) {
    this.page = page;
    this.viewer = new SolutionViewer({
      onSolution: (wanted) => this.#show(wanted, this.viewer.initialStep),
      onStep: (step) => this.#setAddress({ solution: this.number, step }),
    });
    this.grid = new CellGrid(ROWS, COLUMNS, 'The base area', () => this.#changed());
    this.height = choice({ ariaLabel: 'Layers' }, [1, 2, 3, 4].map((layers) => [String(layers), `${layers} high`]), '2');
    this.height.onchange = () => this.#changed();
    this.pieces = element('div', { className: 'picks' });
    this.sum = element('p', { className: 'sec num', role: 'status' });
    this.root = element('div', { className: 'cards' },
      element('div', { className: 'card-editor' },
        element('div', {}, lab('Pieces'), this.pieces),
        element('div', {}, element('div', { className: 'row between' }, lab('Base area'), this.height), this.grid.root, this.sum)),
      this.viewer.root);
    this.picked = [];
    this.made = 0;
    this.seen = null;
    this.isWaiting = false;
  }

  async open(key, wanted) {
    this.page.setTitle(TITLE, '');
    this.page.card.offer(key, 'Cards', ...this.#controls());
    if (!this.pieces.childElementCount) {
      const { error, answer } = await ask('puzzles/cards');
      if (error) {
        this.page.refuse(error);
        return;
      }
      this.#drawPieces(answer.pieces);
      this.#set(answer.card.pieces, answer.card.rows, answer.card.height);
      this.made = answer.made;
    }
    if (wanted.has('board')) {
      const numbers = (wanted.get('pieces') ?? '').split(',').map(Number).filter(Boolean);
      this.#set(numbers, wanted.get('board').split('/'), wanted.get('height') ?? 2);
      this.place = [ordinal(wanted.get('solution')), wanted.has('step') ? Number(wanted.get('step')) : null];
      await this.pack('card');
    } else await this.#show(1, null);
  }

  #controls() {
    this.amount = number('How many cards', 8, 1, 80);
    this.size = number('Pieces on a card', 3, 2, 10);
    this.grade = choice({ ariaLabel: 'How hard' }, [['', 'any'], ['easy', 'easy'], ['medium', 'medium'], ['hard', 'hard']], '');
    this.seed = number('Seed', 1 + Math.floor(Math.random() * 99999), 0, 1e9);
    const field = (text, input) => element('label', { className: 'field' }, lab(text), input);
    return [
      button('Solve the card', () => this.pack('card'), { kind: 'primary wide', symbol: 'play' }),
      element('hr'),
      element('div', { className: 'fields' }, field('Cards', this.amount), field('Pieces', this.size), field('Grade', this.grade), field('Seed', this.seed)),
      button('Make cards', () => this.pack('cards'), { kind: 'wide', symbol: 'shuffle' }),
      element('p', { className: 'dim small-text', textContent: 'Each has exactly one solution, and is as high as the one drawn here. The same seed makes the same cards.' }),
    ];
  }

  /** Start one of the two searches. */
  async pack(wanted) {
    const height = Number(this.height.value);
    const sent = wanted === 'cards'
      ? this.page.order('make_cards', { number: Number(this.amount.value), pieces: Number(this.size.value), height, grade: this.grade.value || null, seed: Number(this.seed.value) })
      : this.page.order('solve_card', { pieces: this.picked, rows: this.grid.lines, height });
    if (wanted === 'card') this.#setAddress({});
    const refusal = await sent;
    this.isWaiting = !refusal;
    this.page.refuse(refusal);
  }

  #set(pieces, rows, height) {
    this.picked = [...pieces];
    this.grid.draw(rows);
    this.height.value = String(height);
    this.#changed();
  }

  #drawPieces(pieces) {
    this.cubes = new Map(pieces.map((piece) => [piece.number, piece.cubes]));
    this.pieces.replaceChildren(...pieces.map((piece) => {
      const image = element('img', { alt: '', src: `data:image/svg+xml,${encodeURIComponent(piece.picture)}` });
      const made = element('button', { className: 'pick', ariaLabel: `Piece ${piece.number}` }, image, String(piece.number));
      made.dataset.number = piece.number;
      made.onclick = () => {
        const isPicked = this.picked.includes(piece.number);
        this.picked = isPicked ? this.picked.filter((each) => each !== piece.number) : [...this.picked, piece.number];
        this.#changed();
      };
      return made;
    }));
  }

  #changed() {
    for (const made of this.pieces.children) {
      made.setAttribute('aria-pressed', String(this.picked.includes(Number(made.dataset.number))));
    }
    const cubes = this.picked.reduce((sum, each) => sum + (this.cubes?.get(each) ?? 0), 0);
    const room = this.grid.count * Number(this.height.value);
    const isRight = cubes === room && cubes > 0;
    this.sum.textContent = `${cubes} cubes in ${this.picked.length} pieces, room for ${room}${isRight ? '' : ': they must be as many'}`;
    this.sum.classList.toggle('warn', !isRight);
  }

  #setAddress(words) {
    this.page.setAddress({ pieces: this.picked.join(','), board: this.grid.lines.join('/'), height: this.height.value, ...words });
  }

  async #show(solution, step) {
    const { error, answer } = await ask('puzzles/show', { puzzle: 'ubongo', solution });
    if (error) {
      this.page.refuse(error);
      return;
    }
    this.number = answer.number;
    this.page.setTitle(TITLE, answer.story ? `solution ${answer.number} of ${answer.solutions}` : '');
    if (answer.story) {
      this.viewer.show(answer.story, answer.number, answer.solutions, step);
      this.#setAddress({ solution: answer.number, step: this.viewer.target });
    } else this.viewer.showPicture('/files/puzzles/pieces-ubongo.svg', 'The pieces of the card');
    this.page.remark(answer.has_none ? 'This card has no solution.' : '');
    this.page.offerSaves(FILES.map(([text, ending]) => {
      const file = [`solution-ubongo-${answer.number}.${ending}`, `ubongo.${ending}`];
      return [text, answer.story ? file : null];
    }));
  }

  /** Show the result of a search of cards. */
  update(view) {
    if (view.puzzle !== 'ubongo' || view.phase !== 'finished') return;
    const seen = `${view.wanted} ${view.seconds} ${view.made}`;
    const isNews = this.isWaiting || (this.seen !== null && seen !== this.seen);
    this.seen = seen;
    if (!isNews) return; // what was found before this tab came is asked for in `open`
    this.isWaiting = false;
    if (view.wanted === 'card') {
      this.#show(...(this.place ?? [1, null]));
      this.place = null;
      return;
    }
    this.page.setTitle(TITLE, 'new cards');
    this.page.remark('');
    this.viewer.showPicture(`/files/puzzles/cards.svg?n=${view.made}`, 'The sheets with the new cards');
    this.page.offerSaves(SHEETS.map(([text, ending]) => [text, [`cards.${ending}`, `ubongo-cards.${ending}`]]));
  }

  onKey(event) {
    this.viewer.onKey(event);
  }
}
