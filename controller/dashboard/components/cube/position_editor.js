// One of the page's two positions, start or target: painted, written, picked, or read by a camera.

import { CubeState, SOLVED } from '/assets/cube_state.js';
import { byId, element, say } from '/assets/elements.js';
import { ask } from '/assets/link.js';
import { note } from '/assets/shell.js';
import { Remark } from '/assets/remark.js';
import { nameOf, Palette, StickerNet } from '/assets/sticker_net.js';

const CLEARED = [...SOLVED].map((colour, index) => (index % 9 === 4 ? colour : '?')).join('');

export class PositionEditor {
  /**
   * Fill the section `id` from the page's template.
   *
   * `onChange()` is called for another cube, `onChecked()` when the dashboard has checked it, `onEdit()` before
   * a person changes it, `onScan()` and `onHand(button)` when a camera shall read it. `alphabet()` is that of moves.
   */
  constructor(id, title, { onChange, onChecked, onEdit, onScan, onHand, alphabet }) {
    this.title = title;
    this.calls = { onChange, onChecked, onEdit, alphabet };
    this.latest = null; // a reading that is offered
    const section = byId(id);
    section.append(byId('position').content.cloneNode(true));
    const find = (selector) => section.querySelector(selector);
    this.legality = find('.legality');
    this.pattern = find('.pattern');
    this.text = find('.text input');
    this.error = find('.error');
    this.undoButton = find('.undo');
    Object.assign(find('h2'), { id: `${id}-title`, textContent: title });
    this.error.id = `${id}-error`;
    this.text.setAttribute('aria-describedby', this.error.id);
    this.state = new CubeState({ onChange: () => this.#changed(), onChecked: () => this.#checked() });
    const palette = new Palette(find('.palette'));
    this.net = new StickerNet(find('.net'), palette, { onPaint: (...words) => this.#paint(...words), onLook: (index) => this.#look(index) });
    this.remark = new Remark(find('.remark'), {
      onPaint: (...words) => this.#paint(...words),
      onAccept: () => this.#edit(() => this.state.accept()),
      onTake: () => this.#edit(() => this.take(this.latest)),
    });
    this.pattern.onchange = () => this.replace(this.pattern.value);
    this.undoButton.onclick = () => this.undo();
    find('.clear').onclick = () => this.replace(CLEARED);
    find('.scramble').onclick = () => this.#scramble();
    find('.scan').onclick = onScan;
    find('.by-hand').onclick = () => onHand(find('.by-hand'));
    find('.copy').onclick = () => this.#copy();
    this.text.oninput = onEdit;
    find('form').onsubmit = (event) => {
      event.preventDefault();
      this.read(this.text.value);
    };
  }

  get facelets() {
    return this.state.facelets;
  }

  /** What the dashboard says of these stickers, or null while it is asked. */
  get checked() {
    return this.state.checked;
  }

  get reading() {
    return this.state.reading;
  }

  /** Whether the camera is not sure of what is shown. */
  get isDoubtful() {
    return Boolean(this.reading) && this.reading.verdict !== 'accepted';
  }

  /** Offer patterns: 54 stickers by name. */
  offerPatterns(positions) {
    const options = Object.entries({ solved: SOLVED, ...positions });
    this.pattern.append(...options.map(([textContent, value]) => element('option', { value, textContent })));
    this.#showPattern();
  }

  /** Begin with what the address says: stickers, moves, a pattern, or null for a solved cube. */
  begin(given) {
    const areColours = /^[URFDLB?]{54}$/.test(given ?? '');
    this.set(areColours ? given : given === null ? SOLVED : CLEARED);
    if (given === null || areColours) return;
    this.text.value = given;
    this.#read(given, false);
  }

  /** Show another cube, which nobody has entered. */
  set(facelets) {
    this.state.set(facelets, { isNew: false });
  }

  /** Show a cube that a person has chosen. */
  replace(facelets) {
    this.#edit(() => this.state.set(facelets));
  }

  /** Show what a camera has read. */
  take(reading) {
    this.state.set(reading.facelets, { reading });
  }

  /** Offer what a camera has read. */
  offer(reading) {
    this.latest = reading;
    this.#draw();
  }

  undo() {
    this.#edit(() => this.state.undo());
  }

  /** Show the cube of a text, or what is wrong with it. */
  read(text) {
    this.calls.onEdit();
    return this.#read(text, true);
  }

  async #read(text, isNew) {
    const { error, answer } = await ask('cube/check', { text, alphabet: this.calls.alphabet() });
    const refusal = error || (answer.facelets ? '' : answer.sentence);
    say(this.error, refusal);
    if (!refusal) this.state.set(answer.facelets, { isNew });
  }

  #edit(change) {
    this.calls.onEdit();
    change();
  }

  async #paint(index, colour) {
    this.calls.onEdit();
    note(await this.state.paint(index, nameOf(index), colour));
  }

  async #scramble() {
    this.calls.onEdit();
    const { error, answer } = await ask('cube/scramble');
    note(error);
    if (!error) this.state.set(answer.facelets);
  }

  async #copy() {
    this.text.select();
    await navigator.clipboard.writeText(this.text.value).catch(() => document.execCommand('copy'));
  }

  #changed() {
    this.text.value = this.facelets;
    say(this.error, '');
    this.undoButton.disabled = !this.state.canUndo;
    this.#showPattern();
    this.#draw();
    this.calls.onChange();
  }

  #checked() {
    this.#draw();
    this.calls.onChecked();
  }

  #showPattern() {
    const values = [...this.pattern.options].map(({ value }) => value);
    this.pattern.value = values.includes(this.facelets) ? this.facelets : '';
  }

  #draw() {
    const doubts = this.isDoubtful ? this.reading.doubts : [];
    this.net.show(this.facelets, {
      ringed: this.checked?.ringed ?? [], doubted: doubts.map(({ index }) => index),
    });
    this.#drawRemark(doubts[0]);
  }

  #drawRemark(doubt) {
    const { checked, reading, latest, isDoubtful } = this;
    this.legality.className = `tag legality ${!checked ? '' : !checked.is_legal ? 'fault' : isDoubtful ? 'warn' : 'ok'}`;
    this.legality.textContent = !checked ? 'checking' : !checked.is_legal ? 'not a cube yet' : isDoubtful ? 'doubtful' : 'a legal cube';
    if (checked && !checked.is_legal) this.remark.wrong(checked.sentence);
    else if (doubt) this.remark.doubt(reading, doubt);
    else if (isDoubtful) this.remark.say(reading.reasons.join(' '));
    else if (latest && latest.number !== reading?.number) this.remark.offer(latest);
    else this.remark.say('Click to paint. With the keys: arrows lead to a sticker, letters or 1 to 6 paint it.');
  }

  #look(index) {
    const doubt = this.isDoubtful && this.reading.doubts.find((each) => each.index === index);
    if (doubt) this.#drawRemark(doubt);
  }
}
