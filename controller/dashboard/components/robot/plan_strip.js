// The plan: one block for each primitive, as wide as it lasts, as high as its kind.

export class PlanStrip {
  constructor(parent) {
    this.parent = parent;
  }

  /** Show the blocks of a plan. */
  show(blocks) {
    this.parent.replaceChildren(...blocks.map((block, index) => {
      const element = document.createElement('li');
      element.className = block.kind;
      element.style.flexGrow = block.seconds;
      element.title = `${index + 1} ${block.text}, ${block.seconds} s`;
      if (block.move) {
        const move = document.createElement('em');
        move.textContent = block.move;
        element.append(move);
      }
      return element;
    }));
  }

  /** Show that `finished` are done and which, if any, is being played. */
  mark(finished, now) {
    [...this.parent.children].forEach((element, index) => {
      element.classList.toggle('past', index < finished);
      element.classList.toggle('now', index === now);
    });
  }
}
