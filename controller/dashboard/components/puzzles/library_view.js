// The puzzles on the left: those of the library, and those that were dropped here.

import { element } from '/assets/elements.js';
import { ask } from '/assets/link.js';

export class LibraryView {
  /** `onChosen` is called with a key; `refuse` with the sentence of a file that was not taken. */
  constructor(list, { onChosen, refuse }) {
    this.list = list;
    this.onChosen = onChosen;
    this.refuse = refuse;
    this.chosen = '';
    this.running = { puzzle: '', share: null };
    this.images = new Map();
    this.waiting = [];
    this.isLoading = false;
  }

  /** Show these puzzles. */
  show(entries) {
    this.list.replaceChildren(...entries.map((entry) => this.#item(entry)));
    this.mark();
    this.#load();
  }

  #item(entry) {
    const text = element('span', { className: 'grow' },
      element('b', { textContent: entry.title }), element('small', { textContent: entry.note }));
    const share = element('span', { className: 'tag accent num', hidden: true });
    const made = element('button', { className: 'entry', onclick: () => this.onChosen(entry.key) },
      element('span', { className: 'thumb' }, this.#image(entry)), text, share);
    made.dataset.key = entry.key;
    return element('li', {}, made);
  }

  // One picture after the other: each may be made by a search, and Stop needs a free connection.
  #image(entry) {
    const address = `/files/puzzles/thumb-${entry.key}.svg?n=${entry.pictures}`;
    if (!this.images.has(address)) {
      const image = element('img', { alt: '' });
      this.images.set(address, image);
      this.waiting.push([image, address]);
    }
    return this.images.get(address);
  }

  async #load() {
    if (this.isLoading) return;
    this.isLoading = true;
    while (this.waiting.length) {
      const [image, address] = this.waiting.shift();
      image.src = address;
      await image.decode().catch(() => {});
    }
    this.isLoading = false;
  }

  /** Mark the chosen puzzle, and the one that is searched. */
  mark(chosen = this.chosen, running = this.running) {
    Object.assign(this, { chosen, running });
    for (const made of this.list.querySelectorAll('.entry')) {
      const isRunning = made.dataset.key === running.puzzle;
      if (made.dataset.key === chosen) made.setAttribute('aria-current', 'true');
      else made.removeAttribute('aria-current');
      const tag = made.querySelector('.tag');
      tag.hidden = !isRunning;
      tag.textContent = running.share === null ? '…' : `${Math.floor(100 * running.share)} %`;
    }
  }

  /** Let files be opened by the button and dropped anywhere on the page. */
  takeFiles(open, input, zone) {
    open.onclick = () => input.click();
    input.onchange = () => {
      if (input.files.length) this.#open(input.files[0]);
      input.value = '';
    };
    document.addEventListener('dragover', (event) => {
      event.preventDefault();
      zone.classList.add('over');
    });
    document.addEventListener('dragleave', () => zone.classList.remove('over'));
    document.addEventListener('drop', (event) => {
      event.preventDefault();
      zone.classList.remove('over');
      if (event.dataTransfer.files.length) this.#open(event.dataTransfer.files[0]);
    });
  }

  async #open(file) {
    const body = new Blob([`${file.name.replaceAll('\n', ' ')}\n`, file]);
    const { error, answer } = await ask('puzzles/open', body);
    this.refuse(error);
    if (!error) this.onChosen(answer.puzzle);
  }
}
