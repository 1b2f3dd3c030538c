// The unfolded cube: 54 stickers that are painted by click or by keys, and the palette for that.

import { FACES } from '/assets/cube3d.js';
import { element } from '/assets/elements.js';

export const BLANK = '?';
export const COLOURS = { U: 'white', R: 'red', F: 'green', D: 'yellow', L: 'orange', B: 'blue', '?': 'no colour' };
const AT = { U: [1, 0], L: [0, 1], F: [1, 1], R: [2, 1], B: [3, 1], D: [1, 2] };
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const FARTHEST = 12;
/** What paints: faces' letters, colours' letters, 1 to 6 in the order of the palette. */
const KEYS = {
  u: 'U', r: 'R', f: 'F', d: 'D', l: 'L', b: 'B', w: 'U', g: 'F', y: 'D', o: 'L',
  1: 'U', 2: 'R', 3: 'F', 4: 'D', 5: 'L', 6: 'B', Backspace: BLANK, Delete: BLANK, 0: BLANK,
};

export const nameOf = (index) => `${FACES[Math.floor(index / 9)]}${(index % 9) + 1}`;

/** Six colours to choose from, with how many stickers have each. */
export class Palette {
  constructor(parent) {
    this.chosen = 'U';
    this.buttons = [...FACES].map((colour, index) => {
      const count = element('b', { className: 'num' });
      const button = element('button', { className: 'swatch', title: `${COLOURS[colour]} (key ${index + 1})` },
        element('i', {}), count);
      button.dataset.colour = colour;
      button.onclick = () => this.choose(colour);
      return { colour, button, count };
    });
    parent.role = 'group';
    parent.ariaLabel = 'Colours to paint with';
    parent.append(...this.buttons.map(({ button }) => button));
    this.choose('U');
  }

  choose(colour) {
    this.chosen = colour;
    for (const each of this.buttons) each.button.ariaPressed = String(each.colour === colour);
  }

  count(facelets) {
    for (const { colour, button, count } of this.buttons) {
      const found = [...facelets].filter((each) => each === colour).length;
      count.textContent = found;
      button.classList.toggle('off', found !== 9);
      button.ariaLabel = `${COLOURS[colour]}, ${found} of 9`;
    }
  }
}

export class StickerNet {
  /** Calls `onPaint(index, colour)`, and `onLook(index)` for the sticker in focus. */
  constructor(parent, palette, { onPaint, onLook }) {
    this.palette = palette;
    this.onPaint = onPaint;
    this.onLook = onLook;
    parent.role = 'group';
    parent.ariaLabel = 'Stickers; arrows lead to them, letters or 1 to 6 paint them';
    parent.dataset.ownKeys = '1 2 3 4 5 6';
    this.stickers = [];
    for (const face of FACES) parent.append(this.#face(face));
    this.#enter(this.stickers[0], false);
    parent.addEventListener('keydown', (event) => this.#key(event));
  }

  /** Show 54 colours; `ringed` stickers are named by a sentence, `doubted` ones are uncertain. */
  show(facelets, { ringed = [], doubted = [] } = {}) {
    this.stickers.forEach((sticker, index) => {
      const colour = facelets[index];
      sticker.dataset.colour = colour;
      sticker.classList.toggle('ringed', ringed.includes(index));
      sticker.classList.toggle('doubted', doubted.includes(index));
      const why = ringed.includes(index) ? ', to be checked' : doubted.includes(index) ? ', uncertain' : '';
      sticker.ariaLabel = `${nameOf(index)} ${COLOURS[colour]}${why}`;
    });
    this.palette.count(facelets);
  }

  /** Lead the keys to a sticker. */
  focus(index) {
    this.#enter(this.stickers[index], true);
  }

  #face(face) {
    const [column, row] = AT[face];
    const made = element('div', { className: `face face-${face}` });
    for (let cell = 0; cell < 9; cell += 1) {
      const index = this.stickers.length;
      const sticker = element('button', { className: 'cell', tabIndex: -1 });
      sticker.dataset.index = index;
      sticker.at = [3 * column + (cell % 3), 3 * row + Math.floor(cell / 3)];
      sticker.onclick = () => this.onPaint(index, this.palette.chosen);
      sticker.onfocus = () => { this.#enter(sticker, false); this.onLook(index); };
      this.stickers.push(sticker);
      made.append(sticker);
    }
    return made;
  }

  #enter(sticker, withFocus) {
    if (this.entered) this.entered.tabIndex = -1;
    this.entered = sticker;
    sticker.tabIndex = 0;
    if (withFocus) sticker.focus();
  }

  #key(event) {
    const index = Number(event.target.dataset.index);
    if (Number.isNaN(index) || event.ctrlKey || event.metaKey || event.altKey) return;
    const way = ARROWS[event.key];
    const colour = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (way) this.#enter(this.#neighbour(event.target, way), true);
    else if (colour) {
      this.onPaint(index, colour);
      if (event.key !== 'Backspace') this.focus((index + 1) % 54);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Return the next sticker in a direction, over the gaps of the net. */
  #neighbour(from, [right, down]) {
    for (let steps = 1; steps <= FARTHEST; steps += 1) {
      const [x, y] = [from.at[0] + steps * right, from.at[1] + steps * down];
      const found = this.stickers.find(({ at }) => at[0] === x && at[1] === y);
      if (found) return found;
    }
    return from;
  }
}
