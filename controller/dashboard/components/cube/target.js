// What the cube is to become: solved, a pattern with a name, or a position that is typed.

import { byId, element } from '/assets/elements.js';
import { ask } from '/assets/link.js';

const OTHER = 'other';

export class Target {
  /** Calls `onChange()` when another target is chosen, `onAimed()` when the dashboard has checked it. */
  constructor(wanted, { onChange, onAimed }) {
    this.wanted = wanted; // by the address, until the list is there to choose from
    this.onAimed = onAimed;
    this.error = '';
    this.upright = null; // its stickers, named by faces as the cube is held; null for solved
    byId('target').onchange = onChange;
    byId('target-text').onchange = onChange;
  }

  /** Fill the list, and choose what the address says. */
  async fill() {
    const { answer } = await ask('cube/patterns');
    const { wanted } = this;
    this.wanted = null;
    const names = ['', ...(answer?.names ?? []), OTHER];
    const words = (name) => (name === OTHER ? 'other …' : name || 'solved');
    byId('target').replaceChildren(...names.map((value) => element('option', { value, textContent: words(value) })));
    const isNamed = names.includes(wanted) && wanted !== OTHER;
    byId('target').value = isNamed ? wanted : OTHER;
    if (!isNamed) byId('target-text').value = wanted;
    byId('target-text').hidden = isNamed;
  }

  /** The target as the dashboard takes it: a name, or a text; '' for solved. */
  get text() {
    if (this.wanted !== null) return this.wanted;
    const { value } = byId('target');
    return value === OTHER ? byId('target-text').value.trim() : value;
  }

  /** Ask how the target looks when the cube is held as these stickers say. */
  async aim(facelets, alphabet) {
    byId('target-text').hidden = byId('target').value !== OTHER;
    const { text } = this;
    this.error = '';
    this.upright = null;
    if (text && !facelets.includes('?')) {
      const { error, answer } = await ask('cube/aim', { facelets, target: text, alphabet });
      if (text !== this.text) return;
      this.error = error;
      this.upright = answer?.upright ?? null;
    }
    this.onAimed();
  }

  /** Show what is wrong with the target; of a cube that is none itself nothing can be said. */
  show(isLegal) {
    byId('target-error').textContent = isLegal ? this.error : '';
    byId('target-error').hidden = !isLegal || !this.error;
  }
}
