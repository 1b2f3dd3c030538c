// Moves worked out from where stickers are, against what every cuber knows of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { afterMove, inWords, undone, written } from '/assets/turns.js';

const SOLVED = [...'URFDLB'].map((face) => face.repeat(9)).join('');
const after = (moves) => moves.split(' ').reduce(afterMove, SOLVED);

test('a clockwise turn of the right face brings the front to the top', () => {
  assert.equal(after('R').slice(0, 9), 'UUFUUFUUF');
});

test('four quarters, a move and its inverse, and six sexy moves change nothing', () => {
  for (const face of 'URFDLB') {
    assert.equal(after(`${face} ${face} ${face} ${face}`), SOLVED);
    for (const move of [face, `${face}'`, `${face}2`]) assert.equal(after(`${move} ${undone(move)}`), SOLVED);
  }
  assert.equal(after(Array(6).fill("R U R' U'").join(' ')), SOLVED);
});

test('the superflip turns every edge and no corner', () => {
  const flipped = after("U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2");
  for (let index = 0; index < 54; index += 1) {
    assert.equal(flipped[index] === SOLVED[index], index % 9 % 2 === 0);
  }
});

test('moves are written in two alphabets and said in words', () => {
  assert.equal(written("F'", 'german'), 'V′');
  assert.equal(inWords("R'"), 'right, counterclockwise');
  assert.equal(inWords('U2'), 'top, half a turn');
});
