// The lines of the log; it follows the newest until a person scrolls up.

import { element } from '/assets/elements.js';

const MOST_LINES = 500;
const NEAR_PX = 24;

export class JournalView {
  constructor(parent) {
    this.parent = parent;
    this.follows = true;
    // Only a person scrolls up. A panel that gets lower moves its end out of sight without a scroll.
    parent.addEventListener('scroll', () => { this.follows = parent.scrollHeight - parent.scrollTop - parent.clientHeight < NEAR_PX; });
    new ResizeObserver(() => this.#follow()).observe(parent);
  }

  clear() {
    this.parent.replaceChildren();
  }

  add(lines) {
    const { parent } = this;
    for (const { time, text, kind } of lines) {
      parent.append(element('p', { className: kind }, element('time', { textContent: time }), text));
    }
    while (parent.childElementCount > MOST_LINES) parent.firstElementChild.remove();
    this.#follow();
  }

  #follow() {
    if (this.follows) this.parent.scrollTop = this.parent.scrollHeight;
  }
}
