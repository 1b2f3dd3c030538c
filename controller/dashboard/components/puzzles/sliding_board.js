// The sliding puzzle: tiles are dragged, clicked or sent by the arrow keys; the search shows ever
// shorter solutions, which are played.

import { button, choice, element } from '/assets/elements.js';
import { lab, row } from '/assets/parts_of_page.js';

const MOVES = { u: [-1, 0], d: [1, 0], l: [0, -1], r: [0, 1] };
// An arrow sends the tile next to the gap that way, so the gap goes against it.
const ARROWS = { ArrowUp: 'd', ArrowDown: 'u', ArrowLeft: 'r', ArrowRight: 'l' };
const SIZES = [['3x3', '8-puzzle, 3 × 3'], ['4x4', '15-puzzle, 4 × 4'], ['5x5', '24-puzzle, 5 × 5'], ['6x6', '35-puzzle, 6 × 6'], ['4x3', '4 × 3'], ['5x4', '5 × 4']];
const PLAY_MS = 220;
const LEAST_PX = 6;

const solved = (count) => [...Array.from({ length: count - 1 }, (_, index) => index + 1), 0];

export class SlidingBoard {
  constructor(page) {
    this.page = page;
    this.board = element('div', { className: 'slide-board', tabIndex: 0 });
    this.board.setAttribute('role', 'group');
    this.board.setAttribute('aria-label', 'The board; arrow keys slide tiles');
    this.words = element('span', { role: 'status' });
    this.slider = element('input', { type: 'range', id: 'move', min: 0, max: 0, step: 1, value: 0 });
    this.slider.oninput = () => this.#goTo(Number(this.slider.value));
    const back = button('', () => this.#goTo(this.step - 1), { symbol: 'left', kind: 'square', label: 'One move back' });
    const forward = button('', () => this.#goTo(this.step + 1), { symbol: 'right', kind: 'square', label: 'One move forward' });
    this.playing = button('Play', () => this.#togglePlay(), { kind: 'small' });
    const label = element('label', { className: 'lab', htmlFor: 'move', textContent: 'Moves' });
    this.stepping = element('div', { className: 'row slider' }, label, this.slider, back, forward, this.playing);
    this.root = element('div', { className: 'viewer slide' },
      element('div', { className: 'solid' }, this.board),
      element('p', { className: 'word' }, lab('Solution'), this.words), this.stepping);
    this.width = 3;
    this.#set(solved(9), 3);
  }

  open(key, wanted) {
    const cells = (wanted.get('board') ?? '').split('.').map(Number);
    const width = Number(wanted.get('width')) || Math.round(Math.sqrt(cells.length));
    const isBoard = cells.length >= 4 && cells.length % width === 0
      && [...cells].sort((a, b) => a - b).every((value, index) => value === index);
    if (isBoard) this.#set(cells, width);
    const size = `${this.width}x${this.start.length / this.width}`;
    this.size = choice({ ariaLabel: 'Size of the board' }, SIZES, SIZES.some(([each]) => each === size) ? size : '3x3');
    this.size.onchange = () => this.#resize();
    this.page.card.offer(key, 'Solve', row(this.size, button('Scramble', () => this.#scramble(), { symbol: 'shuffle', kind: 'grow' })),
      button('Solve', () => this.pack(), { kind: 'primary wide', symbol: 'play' }),
      element('p', { className: 'dim small-text', textContent: 'A solution is there at once, shorter ones follow; Stop keeps the best so far.' }));
    this.#title();
  }

  #title() {
    const size = `${this.width} × ${this.start.length / this.width}`;
    this.page.setTitle('Sliding puzzle', size);
  }

  #resize() {
    const [width, height] = this.size.value.split('x').map(Number);
    this.#set(solved(width * height), width);
    this.#changed();
  }

  #set(cells, width) {
    this.#pause();
    Object.assign(this, { start: cells, width, cells: [...cells], moves: '', best: null, step: 0 });
    this.tiles = new Map(cells.filter(Boolean).map((tile) => [tile, this.#tile(tile)]));
    this.board.style.aspectRatio = `${width} / ${cells.length / width}`;
    this.board.style.setProperty('--columns', width);
    this.board.replaceChildren(...this.tiles.values());
    this.#draw();
  }

  #tile(tile) {
    const made = element('button', { className: 'tile num', textContent: String(tile), tabIndex: -1 });
    made.dataset.colour = tile % 8;
    made.onpointerdown = (event) => {
      const move = this.#moveOf(tile);
      if (!move) return;
      made.setPointerCapture(event.pointerId);
      this.drag = { tile, move, from: [event.clientX, event.clientY], share: 0, hasMoved: false };
    };
    made.onpointermove = (event) => this.#dragTo(made, event);
    made.onpointerup = () => this.#drop(made);
    made.onpointercancel = () => this.#drop(made, true);
    made.onclick = (event) => {
      const move = event.detail === 0 && this.#moveOf(tile); // by a key, not by the pointer
      if (move) this.#byHand(move);
    };
    return made;
  }

  // The move of the gap that brings a tile into it, if it is next to the gap.
  #moveOf(tile) {
    return Object.keys(MOVES).find((each) => this.#neighbour(each) === this.cells.indexOf(tile));
  }

  #dragTo(made, event) {
    const { drag } = this;
    if (!drag) return;
    const [down, right] = MOVES[drag.move].map((step) => -step);
    const way = (event.clientX - drag.from[0]) * right + (event.clientY - drag.from[1]) * down;
    drag.share = Math.min(1, Math.max(0, way / made.clientWidth));
    drag.hasMoved ||= Math.abs(way) > LEAST_PX;
    made.classList.add('held');
    made.style.translate = `${100 * drag.share * right}% ${100 * drag.share * down}%`;
  }

  // A click is a drag of no length, and sends the tile as well.
  #drop(made, isCancelled = false) {
    const { drag } = this;
    this.drag = null;
    made.classList.remove('held');
    made.style.translate = '';
    if (drag && !isCancelled && (!drag.hasMoved || drag.share > 0.4)) this.#byHand(drag.move);
  }

  #neighbour(move) {
    const gap = this.cells.indexOf(0);
    const y = Math.floor(gap / this.width) + MOVES[move][0];
    const x = gap % this.width + MOVES[move][1];
    const isInside = y >= 0 && y < this.cells.length / this.width && x >= 0 && x < this.width;
    return isInside ? y * this.width + x : -1;
  }

  #apply(move) {
    const [gap, from] = [this.cells.indexOf(0), this.#neighbour(move)];
    if (from < 0) return false;
    [this.cells[gap], this.cells[from]] = [this.cells[from], 0];
    return true;
  }

  #byHand(move) {
    this.#pause();
    if (!this.#apply(move)) return;
    Object.assign(this, { start: [...this.cells], moves: '', best: null, step: 0 });
    this.#draw();
    this.#changed();
  }

  #changed() {
    this.page.setAddress({ board: this.start.join('.'), width: this.width });
    this.#title();
  }

  #scramble() {
    const moves = 40 * this.start.length;
    this.cells = solved(this.start.length);
    let last = '';
    for (let count = 0; count < moves; count += 1) {
      const back = { u: 'd', d: 'u', l: 'r', r: 'l' }[last];
      const open = Object.keys(MOVES).filter((move) => move !== back && this.#neighbour(move) >= 0);
      last = open[Math.floor(Math.random() * open.length)];
      this.#apply(last);
    }
    this.#set([...this.cells], this.width);
    this.#changed();
  }

  #draw() {
    this.cells.forEach((tile, index) => {
      if (!tile) return;
      const made = this.tiles.get(tile);
      made.style.setProperty('--x', index % this.width);
      made.style.setProperty('--y', Math.floor(index / this.width));
      made.classList.toggle('home', tile === index + 1);
    });
    this.slider.max = this.moves.length;
    this.slider.value = this.step;
    this.stepping.hidden = this.moves.length === 0;
    this.board.dataset.cells = this.cells.join('.');
    this.words.textContent = this.moves ? `move ${this.step} of ${this.moves.length}` : 'none yet';
  }

  #goTo(step) {
    const target = Math.min(this.moves.length, Math.max(0, step));
    this.step = target;
    this.cells = [...this.start];
    for (const move of this.moves.slice(0, target)) this.#apply(move);
    if (target === 0) this.#adopt();
    this.#draw();
  }

  // A shorter solution is taken where the board is in its start position.
  #adopt() {
    if (this.best !== null && this.step === 0) this.moves = this.best;
  }

  #togglePlay() {
    if (this.timer) {
      this.#pause();
      return;
    }
    if (this.step === this.moves.length) this.#goTo(0);
    this.playing.textContent = 'Pause';
    this.timer = setInterval(() => {
      this.#goTo(this.step + 1);
      if (this.step === this.moves.length) this.#pause();
    }, PLAY_MS);
  }

  #pause() {
    clearInterval(this.timer);
    this.timer = 0;
    if (this.playing) this.playing.textContent = 'Play';
  }

  async pack() {
    this.#pause();
    this.start = [...this.cells];
    Object.assign(this, { moves: '', best: null, step: 0 });
    this.#draw();
    this.#changed();
    this.page.refuse(await this.page.order('slide', { cells: this.start, width: this.width }));
  }

  /** Show the best solution so far. */
  update(view) {
    const { extra } = view;
    if (view.puzzle !== 'slide' || !extra?.moves || extra.cells.join() !== this.start.join()) return;
    this.best = extra.moves;
    this.#adopt();
    this.#draw();
  }

  onKey(event) {
    const move = ARROWS[event.key];
    if (!move) return;
    event.preventDefault();
    this.#byHand(move);
  }
}
