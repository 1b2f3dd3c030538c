// The cube of this tab: it is in the address, can be undone, and is checked by the dashboard at every change.

import { ask } from '/assets/link.js';

export const SOLVED = [...'URFDLB'].map((face) => face.repeat(9)).join('');
const MOST_UNDONE = 200;

export class CubeState {
  /** Calls `onChange()` at once, and `onChecked()` when the dashboard has checked whether it is a cube. */
  constructor({ onChange, onChecked }) {
    this.onChange = onChange;
    this.onChecked = onChecked;
    this.history = [];
    this.now = { facelets: SOLVED, reading: null, fixes: {} };
    this.checked = null; // PositionView of what is shown, or null while that is unknown
  }

  get facelets() {
    return this.now.facelets;
  }

  /** The scan that is shown, as it is mended so far, or null. */
  get reading() {
    return this.now.reading;
  }

  get canUndo() {
    return this.history.length > 0;
  }

  /** Show another cube; `reading` if a camera has seen it. */
  set(facelets, { reading = null, fixes = {}, isNew = true } = {}) {
    if (isNew) this.history = [...this.history, this.now].slice(-MOST_UNDONE);
    this.now = { facelets, reading, fixes };
    this.checked = null;
    this.onChange();
    this.#check();
  }

  undo() {
    const before = this.history.pop();
    if (before) this.set(before.facelets, { ...before, isNew: false });
  }

  /** Paint a sticker; return a sentence if it cannot be. A scan is read again with it. */
  async paint(index, name, colour) {
    const { reading, fixes } = this.now;
    if (reading && reading.verdict !== 'rescan' && index % 9 !== 4 && colour !== '?') {
      const fixed = { ...fixes, [name]: colour };
      const { error, answer } = await ask('cube/mend', { number: reading.number, fixes: fixed });
      if (!error) this.set(answer.facelets, { reading: answer, fixes: fixed });
      return error;
    }
    const stickers = [...this.facelets];
    stickers[index] = colour;
    if (stickers[index] !== this.facelets[index]) this.set(stickers.join(''));
    return '';
  }

  /** Take a reading as it is: nothing in it is doubted any more. */
  accept() {
    this.set(this.facelets);
  }

  async #check() {
    const { facelets } = this;
    const { error, answer } = await ask('cube/check', { text: facelets });
    if (facelets !== this.facelets) return; // another cube is shown meanwhile
    this.checked = error ? { is_legal: false, sentence: error, ringed: [], upright: '' } : answer;
    this.onChecked();
  }
}
