// A board of nine places. Tiles are dragged, or picked and dropped by click or Enter: the two change
// places. Arrow keys move between the places.

import { element } from '/assets/elements.js';

const SIDE = 3;
const DRAG_PX = 5;
const STEPS = { ArrowUp: -SIDE, ArrowDown: SIDE, ArrowLeft: -1, ArrowRight: 1 };
const BLANK = 'o';
const PLACES = ['top left', 'top', 'top right', 'left', 'middle', 'right', 'bottom left', 'bottom', 'bottom right'];

export class TileBoard {
  /** `onChange` gets the nine letters after each change. */
  constructor(parent, { label, onChange }) {
    this.parent = parent;
    this.onChange = onChange;
    this.picked = -1;
    this.letters = '';
    parent.role = 'group';
    parent.ariaLabel = label;
    this.places = PLACES.map((_, index) => element('button', {
      type: 'button', tabIndex: index ? -1 : 0, onclick: () => this.pick(index), onkeydown: (event) => this.move(event, index),
    }));
    parent.append(...this.places);
    this.places.forEach((place, index) => place.addEventListener('pointerdown', (event) => this.grasp(event, index)));
  }

  /** Show nine letters; a tile that has changed its place slides there in `ms`. */
  show(letters, ms = 0) {
    const before = this.letters;
    this.letters = letters;
    this.places.forEach((place, index) => {
      const letter = letters[index];
      const isBlank = letter === BLANK;
      place.textContent = isBlank ? '' : letter;
      place.className = isBlank ? 'tile blank' : 'tile';
      place.ariaLabel = `${PLACES[index]}: ${isBlank ? 'no tile' : letter}`;
      const old = before.indexOf(letter);
      if (ms && !isBlank && old >= 0 && old !== index) this.slide(index, old, ms);
    });
    this.mark(-1);
  }

  slide(index, old, ms) {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const to = this.places[index].getBoundingClientRect();
    const from = this.places[old].getBoundingClientRect();
    const shift = `translate(${from.left - to.left}px, ${from.top - to.top}px)`;
    this.places[index].animate([{ transform: shift }, { transform: 'none' }], { duration: ms, easing: 'ease-out' });
  }

  mark(picked) {
    this.picked = picked;
    this.places.forEach((place, index) => { place.ariaPressed = String(index === picked); });
  }

  pick(index) {
    if (this.wasDragged) {
      this.wasDragged = false;
    } else if (this.picked < 0) {
      this.mark(index);
    } else {
      this.exchange(this.picked, index);
    }
  }

  exchange(one, other) {
    const letters = [...this.letters];
    [letters[one], letters[other]] = [letters[other], letters[one]];
    const isNew = one !== other;
    this.show(letters.join(''));
    if (isNew) this.onChange(this.letters);
  }

  move(event, index) {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const target = index + step;
    const isInRow = Math.abs(step) > 1 || Math.floor(target / SIDE) === Math.floor(index / SIDE);
    if (target < 0 || target >= this.places.length || !isInRow) return;
    this.places[index].tabIndex = -1;
    this.places[target].tabIndex = 0;
    this.places[target].focus();
  }

  grasp(event, index) {
    if (event.button !== 0 || this.letters[index] === BLANK) return;
    const place = this.places[index];
    const [x, y] = [event.clientX, event.clientY];
    let isDragged = false;
    place.setPointerCapture(event.pointerId);
    const follow = (moved) => {
      const [dx, dy] = [moved.clientX - x, moved.clientY - y];
      isDragged ||= Math.hypot(dx, dy) > DRAG_PX;
      if (isDragged) {
        place.classList.add('dragged');
        place.style.transform = `translate(${dx}px, ${dy}px)`;
      }
    };
    const leave = (ended) => {
      place.removeEventListener('pointermove', follow);
      place.removeEventListener('pointerup', leave);
      place.removeEventListener('pointercancel', leave);
      place.style.transform = '';
      place.classList.remove('dragged');
      if (!isDragged) return;
      this.wasDragged = true; // the click that follows is none
      setTimeout(() => { this.wasDragged = false; });
      const target = ended.type === 'pointerup' ? this.placeAt(ended.clientX, ended.clientY) : -1;
      if (target >= 0) this.exchange(index, target);
    };
    place.addEventListener('pointermove', follow);
    place.addEventListener('pointerup', leave);
    place.addEventListener('pointercancel', leave);
  }

  placeAt(x, y) {
    return this.places.findIndex((place) => {
      const { left, right, top, bottom } = place.getBoundingClientRect();
      return x >= left && x < right && y >= top && y < bottom;
    });
  }
}
