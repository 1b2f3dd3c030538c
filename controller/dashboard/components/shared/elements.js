// Elements of the page, made in one call; texts are set as text, so that nothing in them is read as HTML.

const SVG = 'http://www.w3.org/2000/svg';

/** Return an element with properties and children; what is null, false or '' is left out. */
export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children.flat().filter((child) => child || child === 0));
  return made;
}

/** Return an SVG element with attributes. */
export function drawn(tag, attributes = {}, text = '') {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = text;
  return made;
}

/** Return one of the icons of icons.svg. */
export function icon(name) {
  const made = drawn('svg', { class: 'i', 'aria-hidden': 'true' });
  made.append(drawn('use', { href: `#i-${name}` }));
  return made;
}

/** Return a button that does something; one without text needs a `label`. */
export function button(text, onclick, { symbol = '', primary = false, kind = '', label = '' } = {}) {
  const className = ['btn', primary && 'primary', kind].filter(Boolean).join(' ');
  const made = element('button', { type: 'button', className, onclick });
  if (symbol) made.append(icon(symbol));
  made.append(text);
  if (label) made.ariaLabel = label;
  return made;
}

/** Return a field with its label above. */
export function labelled(text, field) {
  return element('label', { className: 'field' }, element('span', { className: 'lab', textContent: text }), field);
}

/** Return a select of pairs of value and text. */
export function choice(properties, pairs, chosen) {
  return element('select', properties, pairs.map(([value, text]) =>
    element('option', { value, textContent: text, selected: value === chosen })));
}

/**
 * Return the element of the page with this id. Which kind of element that is only the page knows.
 *
 * @type {(id: string) => any}
 */
export const byId = (id) => document.getElementById(id);

/** Show a text where there is one; hide the element where there is none. */
export function say(target, text) {
  target.textContent = text;
  target.hidden = !text;
}

/** Return seconds as minutes and seconds. */
export function clock(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** Return an address as the documents write it. */
export const hexadecimal = (address) => `${address.toString(16).toUpperCase().padStart(4, '0')}h`;

/** Return a number with its thousands apart. */
export const grouped = (number) => number.toLocaleString('en-US');
