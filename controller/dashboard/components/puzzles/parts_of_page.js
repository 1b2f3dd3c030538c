// Small parts that all kinds of puzzles have.

import { element } from '/assets/elements.js';
import { get } from '/assets/link.js';

/** Make a labelled number to be written. */
export function number(label, value, min, max) {
  return element('input', { type: 'number', ariaLabel: label, value, min, max });
}

/** Return the number of a solution in an address, from 1; what is no number is the first. */
export const ordinal = (text) => Math.max(1, Math.round(Number(text)) || 1);

export const row = (...children) => element('div', { className: 'row wrap' }, ...children);
export const lab = (text) => element('span', { className: 'lab', textContent: text });

/** Download a file of the dashboard; return a refusal, or ''. */
export async function save(path, name) {
  const { error, response } = await get(`/files/puzzles/${path}`);
  if (error) return error;
  const address = URL.createObjectURL(await response.blob());
  element('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return '';
}
