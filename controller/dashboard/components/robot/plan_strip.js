// The plan: one block for each primitive, as wide as it lasts, as high as its kind.

import { element } from '/assets/elements.js';

export class PlanStrip {
  constructor(parent) {
    this.parent = parent;
  }

  /** Show the blocks of a plan. */
  show(blocks) {
    this.parent.replaceChildren(...blocks.map((block, index) => {
      const title = `${index + 1} ${block.text}, ${block.seconds} s`;
      const item = element('li', { className: block.kind, title },
        block.move && element('em', { textContent: block.move }));
      item.style.flexGrow = block.seconds;
      return item;
    }));
  }

  /** Show that `finished` are done and which, if any, is being played. */
  mark(finished, now) {
    [...this.parent.children].forEach((item, index) => {
      item.classList.toggle('past', index < finished);
      item.classList.toggle('now', index === now);
    });
  }
}
