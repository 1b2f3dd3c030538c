// Moves as words, and what they do to 54 stickers, worked out from where the stickers are.

import { FACES, LAYOUT } from '/assets/cube3d.js';

/** Letters for U R F D L B: the usual ones, and those of the papers (oben, rechts, vorn ...). */
export const ALPHABETS = { standard: 'URFDLB', german: 'ORVULH' };

const SIDES = { U: 'top', R: 'right', F: 'front', D: 'bottom', L: 'left', B: 'back' };
const DONE_BY = { 1: 'clockwise', 2: 'half a turn', '-1': 'counterclockwise' };

const dot = (a, b) => a.reduce((sum, value, axis) => sum + value * b[axis], 0);
const cross = (a, b) => [0, 1, 2].map((i) => a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3]);
/** Turn a point by a clockwise quarter, seen from outside, about the axis of a face. */
const turned = (point, normal) => cross(normal, point).map((value, axis) => value + normal[axis] * dot(normal, point));

const STICKERS = [...FACES].flatMap((face) => {
  const { normal, first, column, row } = LAYOUT[face];
  return Array.from({ length: 9 }, (_, cell) => ({
    normal,
    place: first.map((value, axis) => value + (cell % 3) * column[axis] + Math.floor(cell / 3) * row[axis]),
  }));
});

const key = (place, normal) => [...place, ...normal].map((value) => value + 0).join();
const INDEX = new Map(STICKERS.map(({ place, normal }, index) => [key(place, normal), index]));

/** Of each face: where each sticker goes by a clockwise quarter. */
const GOES = Object.fromEntries([...FACES].map((face) => {
  const axis = LAYOUT[face].normal;
  return [face, STICKERS.map(({ place, normal }, index) => (dot(place, axis) === 1
    ? INDEX.get(key(turned(place, axis), turned(normal, axis))) : index))];
}));

/** Return the face and the clockwise quarters (1, 2, -1) of a move in standard letters. */
export function parsed(move) {
  return { face: move[0], quarters: { 2: 2, "'": -1 }[move[1]] ?? 1 };
}

/** Return 54 stickers after a move. */
export function afterMove(facelets, move) {
  const { face, quarters } = parsed(move);
  let stickers = [...facelets];
  for (let done = 0; done < (quarters + 4) % 4; done += 1) {
    const next = [];
    GOES[face].forEach((to, from) => { next[to] = stickers[from]; });
    stickers = next;
  }
  return stickers.join('');
}

/** Return the move that undoes one. */
export function undone(move) {
  return move.endsWith("'") ? move[0] : move.endsWith('2') ? move : `${move}'`;
}

/** Write a move, given in standard letters, in an alphabet. */
export function written(move, alphabet) {
  return (ALPHABETS[alphabet][FACES.indexOf(move[0])] + move.slice(1)).replace("'", '′');
}

/** Say a move in words. */
export function inWords(move) {
  const { face, quarters } = parsed(move);
  return `${SIDES[face]}, ${DONE_BY[quarters]}`;
}
