// Plays moves on a cube that turns: chips, scrubber, speed, keys. Knows nothing of where they come from.

import { Cube3d } from '/assets/cube3d.js';
import { byId, element } from '/assets/elements.js';
import { afterMove, inWords, parsed, written } from '/assets/turns.js';

const QUARTER_S = 0.42;
const REST_MS = 110;
const SPEEDS = [0.5, 1, 2, 4];
const NAMES = { 0.5: '½×' };

export class Player {
  /** `says` gives the words for where there are no moves. */
  constructor({ says }) {
    this.says = says;
    this.cube = new Cube3d(byId('scene'), { turnsAll: true });
    this.alphabet = 'standard';
    this.speed = 1;
    this.run = 0; // every change ends what is being animated before
    this.isPlaying = false;
    this.chips = [];
    byId('first').onclick = () => this.seek(0);
    byId('back').onclick = () => this.back();
    byId('play').onclick = () => this.toggle();
    byId('next').onclick = () => this.step();
    byId('last').onclick = () => this.seek(this.moves.length);
    byId('scrubber').oninput = (event) => this.seek(Number(event.target.value));
    byId('speeds').append(...SPEEDS.map((speed) => this.#speed(speed)));
    this.show('?'.repeat(54));
  }

  /** Show a cube, and the moves that are to be played; `parts` are names with counts of moves. */
  show(start, moves = [], parts = []) {
    this.moves = moves;
    this.frames = [start];
    for (const move of moves) this.frames.push(afterMove(this.frames.at(-1), move));
    this.parts = parts;
    this.#drawChips();
    this.seek(0);
  }

  /** Write moves in another alphabet. */
  write(alphabet) {
    this.alphabet = alphabet;
    this.#drawChips();
    this.#draw();
  }

  /** Show the cube after a number of moves. */
  seek(at) {
    this.run += 1;
    this.isPlaying = false;
    this.at = Math.max(0, Math.min(at, this.moves.length));
    this.cube.paint(this.frames[this.at]);
    this.#draw();
  }

  /** Make the next move; an animation that runs is ended first. */
  async step() {
    if (this.at === this.moves.length) return;
    this.seek(this.at);
    await this.#advance();
  }

  async back() {
    if (this.at === 0) return;
    this.seek(this.at - 1);
    const run = this.run;
    this.cube.paint(this.frames[this.at + 1]);
    const { face, quarters } = parsed(this.moves[this.at]);
    await this.cube.turnFace(face, -quarters, this.#seconds(quarters));
    if (run === this.run) this.cube.paint(this.frames[this.at]);
  }

  /** Turn a face of what is shown, which is then another cube; return its stickers. */
  async turn(move) {
    const start = this.frames[this.at];
    const { face, quarters } = parsed(move);
    this.show(start);
    const run = this.run;
    byId('words').textContent = inWords(move);
    byId('move').textContent = written(move, this.alphabet);
    this.frames = [afterMove(start, move)];
    await this.cube.turnFace(face, quarters, this.#seconds(quarters) / 2);
    if (run === this.run) this.cube.paint(this.frames[0]);
  }

  /** Play to the end, or pause. */
  async toggle() {
    if (this.isPlaying) {
      this.isPlaying = false;
      this.#draw();
      return;
    }
    if (!this.moves.length) return;
    this.seek(this.at === this.moves.length ? 0 : this.at);
    this.isPlaying = true;
    this.#draw();
    const run = this.run;
    while (this.isPlaying && run === this.run && this.at < this.moves.length) {
      await this.#advance();
      await new Promise((go) => { setTimeout(go, REST_MS / this.speed); });
    }
    if (run !== this.run) return;
    this.isPlaying = false;
    this.#draw();
  }

  /** The stickers that are shown. */
  get facelets() {
    return this.frames[this.at];
  }

  async #advance() {
    const run = this.run;
    const { face, quarters } = parsed(this.moves[this.at]);
    await this.cube.turnFace(face, quarters, this.#seconds(quarters));
    if (run !== this.run) return;
    this.at += 1;
    this.cube.paint(this.frames[this.at]);
    this.#draw();
  }

  #seconds(quarters) {
    return (QUARTER_S * Math.sqrt(Math.abs(quarters))) / this.speed;
  }

  #speed(speed) {
    const input = element('input', { type: 'radio', name: 'speed', checked: speed === 1, className: 'hidden' });
    input.onchange = () => { this.speed = speed; };
    return element('label', {}, input, element('span', { textContent: NAMES[speed] ?? `${speed}×` }));
  }

  #drawChips() {
    const chip = (move, index) => {
      const button = element('button', { textContent: written(move, this.alphabet), title: `${index + 1} ${inWords(move)}` });
      button.onclick = () => this.seek(index);
      return element('li', {}, button);
    };
    const items = this.moves.map(chip);
    let first = 0;
    for (const { name, count } of this.parts) {
      if (count) items[first].dataset.part = name;
      first += count;
    }
    this.chips = items.map((item) => item.firstChild);
    byId('moves').replaceChildren(...items);
    byId('scrubber').max = this.moves.length;
  }

  #draw() {
    const { at } = this;
    const total = this.moves.length;
    const now = this.moves[at];
    byId('which').textContent = !total ? '' : now ? `Move ${at + 1} of ${total}${this.#part()}` : `All ${total} moves`;
    byId('move').textContent = now ? written(now, this.alphabet) : total ? 'Done' : '';
    byId('words').textContent = now ? inWords(now) : total ? '' : this.says();
    this.chips.forEach((chip, index) => {
      chip.classList.toggle('past', index < at);
      if (index === at) chip.setAttribute('aria-current', 'step');
      else chip.removeAttribute('aria-current');
    });
    this.#follow(this.chips[at]);
    byId('scrubber').value = at;
    byId('scrubber').disabled = !total;
    for (const id of ['first', 'back']) byId(id).disabled = at === 0;
    for (const id of ['next', 'last']) byId(id).disabled = at === total;
    byId('play').disabled = !total;
    byId('play').ariaLabel = this.isPlaying ? 'Pause' : 'Play';
    byId('play').querySelector('use').setAttribute('href', this.isPlaying ? '#i-pause' : '#i-play');
  }

  /** Keep the current chip visible, without scrolling the page. */
  #follow(chip) {
    const list = byId('moves');
    if (!chip) return;
    list.scrollLeft = chip.offsetLeft - list.clientWidth / 2;
    list.scrollTop = chip.offsetTop - list.clientHeight / 2;
  }

  #part() {
    let last = 0;
    for (const { name, count } of this.parts) {
      last += count;
      if (this.at < last) return ` · ${name}`;
    }
    return '';
  }
}
