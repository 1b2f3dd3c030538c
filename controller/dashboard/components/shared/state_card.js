// The card that says what state a device is in, in the same words everywhere, and what can be done.

import { element } from '/assets/elements.js';

/**
 * The card of each phase.
 *
 * @template {string} Phase
 * @template View
 * @typedef {Record<Phase, {
 *   label: string, title: (view: View) => string, body: (view: View) => any[],
 *   sign?: string, edge?: string, shown?: (parent: HTMLElement) => void,
 * }>} Cards
 */

export class StateCard {
  /**
   * Show views in `parent`. `cards` has for each phase its `label` and `title(view)`, what it says
   * and offers, `body(view)`, and perhaps a `sign`, an `edge` and what is done when it is `shown`.
   */
  constructor(parent, cards) {
    this.parent = parent;
    this.cards = cards;
    this.shown = '';
  }

  /**
   * Draw the card only if it differs from the one that is shown: a run sends a view for every
   * primitive, and a new card would take the focus and what is typed, and be read out again.
   */
  show(view) {
    const card = this.cards[view.phase];
    const children = [
      element('span', { className: 'lab', textContent: card.label }),
      element('h2', { id: 'state-title' }, element('i', { className: `dot ${card.sign ?? 'off'}` }), card.title(view)),
      ...card.body(view).filter(Boolean),
    ];
    const shown = [view.phase, ...children.map((child) => child.outerHTML)].join('');
    if (shown === this.shown) return;
    this.shown = shown;
    const focused = this.parent.contains(document.activeElement) ? nameOf(document.activeElement) : '';
    const typed = [...this.parent.querySelectorAll('input[id], select[id]')].map((field) => [field.id, field.value]);
    this.parent.className = `panel state ${card.edge ?? ''}`;
    this.parent.dataset.phase = view.phase;
    this.parent.replaceChildren(...children);
    for (const [id, value] of typed) {
      const field = this.parent.querySelector(`#${id}`);
      if (field && value) field.value = value;
    }
    const fields = [...this.parent.querySelectorAll('a, button, input, select, summary')];
    if (focused) fields.find((field) => nameOf(field) === focused)?.focus();
    card.shown?.(this.parent);
  }
}

/** Return the identity of a field or button within its card. */
const nameOf = (field) => field.id || field.textContent;
