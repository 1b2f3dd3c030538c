// Elements, made in one line; texts only ever as text.

/** Return a new element with properties and children. */
export function made(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

export const byId = (id) => document.getElementById(id);

/** Show a text where there is one; take the element away where there is none. */
export function say(element, text) {
  element.textContent = text;
  element.hidden = !text;
}

/** Return seconds as minutes and seconds. */
export function clock(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** Return an address as the documents write it. */
export const hexadecimal = (address) => `${address.toString(16).toUpperCase().padStart(4, '0')}h`;

export const grouped = (number) => number.toLocaleString('en-US');
