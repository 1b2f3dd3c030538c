// Small helpers for elements; whatever comes from a file is text, never markup.

/** Make an element with properties and children. */
export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** Make one of the page's icons. */
export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  svg.setAttribute('class', 'i');
  svg.setAttribute('aria-hidden', 'true');
  use.setAttribute('href', `#i-${name}`);
  svg.append(use);
  return svg;
}

/** Make a button. */
export function button(text, onclick, { symbol = '', kind = '', label = '' } = {}) {
  const made = element('button', { className: `btn ${kind}`, onclick });
  if (symbol) made.append(icon(symbol));
  if (text) made.append(text);
  if (label) made.ariaLabel = label;
  return made;
}

/** Make a labelled choice; `options` are pairs of value and text. */
export function choice(label, options, chosen) {
  const select = element('select', { ariaLabel: label });
  for (const [value, text] of options) {
    select.append(element('option', { value, textContent: text, selected: value === chosen }));
  }
  return select;
}

/** Make a labelled number to be written. */
export function number(label, value, min, max) {
  return element('input', { type: 'number', ariaLabel: label, value, min, max });
}

export const row = (...children) => element('div', { className: 'row wrap' }, ...children);
export const lab = (text) => element('span', { className: 'lab', textContent: text });

/** Fetch a file of the desk and hand it to the browser's downloads; return a refusal, or ''. */
export async function save(path, name) {
  try {
    const answer = await fetch(`/files/puzzles/${path}`);
    if (!answer.ok) return (await answer.json()).error;
    const address = URL.createObjectURL(await answer.blob());
    element('a', { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    return '';
  } catch {
    return 'The dashboard does not answer. Is its command still running?';
  }
}
