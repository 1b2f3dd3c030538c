// A cube of 26 pieces, made of elements and CSS transforms: each sticker can be tested and clicked.

import { element } from '/assets/elements.js';

export const FACES = 'URFDLB';
// Of each face: the axis it stands on, and where its first sticker, columns and rows lead.
// x is right, y is down, z comes to the viewer.
export const LAYOUT = {
  U: { normal: [0, -1, 0], first: [-1, -1, -1], column: [1, 0, 0], row: [0, 0, 1] },
  R: { normal: [1, 0, 0], first: [1, -1, 1], column: [0, 0, -1], row: [0, 1, 0] },
  F: { normal: [0, 0, 1], first: [-1, -1, 1], column: [1, 0, 0], row: [0, 1, 0] },
  D: { normal: [0, 1, 0], first: [-1, 1, 1], column: [1, 0, 0], row: [0, 0, -1] },
  L: { normal: [-1, 0, 0], first: [-1, -1, -1], column: [0, 0, 1], row: [0, 1, 0] },
  B: { normal: [0, 0, -1], first: [1, -1, -1], column: [-1, 0, 0], row: [0, 1, 0] },
};
const TURNED = {
  U: 'rotateX(90deg)', D: 'rotateX(-90deg)', R: 'rotateY(90deg)',
  L: 'rotateY(-90deg)', F: '', B: 'rotateY(180deg)',
};

function made(className, parent) {
  return parent.appendChild(element('div', { className }));
}

const added = (a, b, times = 1) => a.map((value, axis) => value + times * b[axis]);

export class Cube3d {
  /**
   * Draw a cube into `scene`, with the cradle below it if `hasPlate`. The layer below turns, and
   * with `turnsAll` every face.
   */
  constructor(scene, { hasPlate = false, turnsAll = false } = {}) {
    const view = made('cube', scene);
    this.plate = hasPlate ? made('plate', view) : null;
    if (this.plate) for (let side = 0; side < 7; side += 1) made(`side side-${side}`, this.plate);
    this.body = made('body', view);
    this.layer = made('layer', this.body);
    this.stickers = [];
    this.moving = [];
    this.pieces = new Map();
    this.#build(turnsAll);
  }

  #build(turnsAll) {
    const { pieces } = this;
    for (const x of [-1, 0, 1]) for (const y of [-1, 0, 1]) for (const z of [-1, 0, 1]) {
      if (!x && !y && !z) continue;
      const piece = made('cubie', y === 1 ? this.layer : this.body);
      piece.style.transform =
        `translate3d(calc(var(--e) * ${x}), calc(var(--e) * ${y}), calc(var(--e) * ${z}))`;
      pieces.set([x, y, z].join(), piece);
      for (const face of turnsAll ? FACES : y === 0 ? 'UD' : y === 1 ? 'U' : '') {
        const isOutside = added([x, y, z], LAYOUT[face].normal).some((each) => Math.abs(each) > 1);
        if (!isOutside) this.#side(piece, face, 'inner'); // seen while a layer turns
      }
    }
    for (const face of FACES) {
      const { first, column, row } = LAYOUT[face];
      for (let cell = 0; cell < 9; cell += 1) {
        const place = added(added(first, column, cell % 3), row, Math.floor(cell / 3));
        const sticker = this.#side(pieces.get(place.join()), face, `sticker on-${face}`);
        sticker.dataset.index = this.stickers.length;
        this.stickers.push(sticker);
      }
    }
  }

  #side(piece, face, className) {
    const side = made(`side ${className}`, piece);
    side.style.transform = `${TURNED[face]} translateZ(calc(var(--e) / 2))`;
    return side;
  }

  /** Show 54 colours, and end what moves. */
  paint(facelets) {
    for (const motion of this.moving) motion.cancel();
    this.moving = [];
    this.stickers.forEach((sticker, index) => { sticker.dataset.colour = facelets[index]; });
  }

  /** Start a motion of the rig: tilt, spin or turn, by quarters, in seconds. */
  move(kind, quarters, seconds) {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const degrees = 90 * quarters;
    if (kind === 'tilt') this.#turn(this.body, `rotateX(${-degrees}deg)`, seconds);
    const angle = kind === 'turn' ? degrees : -degrees;
    if (kind === 'turn') this.#turn(this.layer, `rotateY(${angle}deg)`, seconds);
    if (kind === 'spin') this.#turn(this.body, `rotateY(${angle}deg)`, seconds);
    if (kind !== 'tilt' && this.plate) this.#turn(this.plate, `rotateY(${angle}deg)`, seconds);
  }

  /** Turn a face by clockwise quarters, in seconds; resolves when it has, or was interrupted. */
  async turnFace(face, quarters, seconds) {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const { normal } = LAYOUT[face];
    const timing = { duration: 1000 * seconds, easing: 'ease-in-out', fill: 'forwards' };
    for (const [place, piece] of this.pieces) {
      const along = place.split(',').reduce((sum, value, axis) => sum + value * normal[axis], 0);
      if (along !== 1) continue;
      const to = (degrees) => `rotate3d(${normal.join()}, ${degrees}deg) ${piece.style.transform}`;
      this.moving.push(piece.animate([{ transform: to(0) }, { transform: to(90 * quarters) }], timing));
    }
    await Promise.allSettled(this.moving.map((motion) => motion.finished));
  }

  #turn(part, to, seconds) {
    const from = to.replace(/-?\d+/, '0');
    const timing = { duration: 1000 * seconds, easing: 'ease-in-out', fill: 'forwards' };
    this.moving.push(part.animate([{ transform: from }, { transform: to }], timing));
  }

  get facelets() {
    return this.stickers.map((sticker) => sticker.dataset.colour).join('');
  }
}
