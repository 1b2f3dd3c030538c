// The lines of the log; it follows the newest until a person scrolls up.

import { element } from '/assets/elements.js';

const MOST_LINES = 500;

export class JournalView {
  constructor(parent) {
    this.parent = parent;
  }

  clear() {
    this.parent.replaceChildren();
  }

  add(lines) {
    const { parent } = this;
    const follows = parent.scrollHeight - parent.scrollTop - parent.clientHeight < 24;
    for (const { time, text, kind } of lines) {
      parent.append(element('p', { className: kind }, element('time', { textContent: time }), text));
    }
    while (parent.childElementCount > MOST_LINES) parent.firstElementChild.remove();
    if (follows) parent.scrollTop = parent.scrollHeight;
  }
}
