// The line under the net: what is wrong with the cube, or what the camera is not sure of.

import { element } from '/assets/elements.js';
import { COLOURS, nameOf } from '/assets/sticker_net.js';

const CERTAIN = 0.995;
const percent = (share) => `${Math.round(100 * share)} %`;

export class Remark {
  /** Calls `onPaint(index, colour)`, `onAccept()`, `onTake()`. */
  constructor(parent, calls) {
    this.parent = parent;
    this.calls = calls;
  }

  /** Show a sentence about what is no cube. */
  wrong(sentence) {
    this.#show([element('p', { className: 'error', textContent: sentence })]);
  }

  /** Show a doubtful sticker of a reading, and its two likeliest colours to choose from. */
  doubt(reading, doubt) {
    const [first, second] = doubt.colours;
    // Where the whole scan does not fit together, single stickers may seem certain all the same.
    const words = doubt.shares[0] < CERTAIN
      ? `uncertain: ${COLOURS[first]} ${percent(doubt.shares[0])}, ${COLOURS[second]} ${percent(doubt.shares[1])}.`
      : `uncertain: ${COLOURS[first]}, or else ${COLOURS[second]}.`;
    const choice = (colour) => {
      const button = element('button', { className: 'btn small', onclick: () => this.calls.onPaint(doubt.index, colour) },
        element('i', { className: 'spot' }), `It is ${COLOURS[colour]}`);
      button.firstChild.dataset.colour = colour;
      return button;
    };
    this.#show([
      element('span', { className: 'tag warn', textContent: nameOf(doubt.index) }),
      element('p', { className: 'sec', textContent: words }),
      choice(first), choice(second),
      element('button', { className: 'btn small', textContent: 'Accept all as they are', onclick: this.calls.onAccept }),
      ...(reading.reasons.length ? [element('p', { className: 'sec whole', textContent: reading.reasons.join(' ') })] : []),
    ]);
  }

  /** Offer a reading that is not shown yet. */
  offer(reading) {
    this.#show([
      element('p', { className: 'sec', textContent: `The camera has read a cube at ${reading.time} (${reading.verdict}).` }),
      element('button', { className: 'btn small', textContent: 'Use this reading', onclick: this.calls.onTake }),
    ]);
  }

  /** Say what can be done. */
  say(sentence) {
    this.#show([element('p', { className: 'sec', textContent: sentence })]);
  }

  /** Draw only what changes, so that a button keeps its focus. */
  #show(children) {
    const text = children.map((child) => child.textContent).join('|');
    if (text === this.text) return;
    this.text = text;
    this.parent.replaceChildren(...children);
  }
}
