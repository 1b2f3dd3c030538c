// Elements of the page, made in one call; texts are set as text, so that nothing in them is read as HTML.

const SVG = 'http://www.w3.org/2000/svg';

/** Return an element with properties and children; what is null or false is left out. */
export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children.flat().filter((child) => child !== null && child !== false));
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
