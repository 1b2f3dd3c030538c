// How cubes are shown, stored in the browser.

import { byId } from '/assets/elements.js';


function bindPreference(id, attribute, value) {
  const box = byId(id);
  const show = () => {
    if (box.checked) document.documentElement.dataset[attribute] = value;
    else delete document.documentElement.dataset[attribute];
  };
  box.checked = localStorage.getItem(attribute) === value;
  box.onchange = () => {
    if (box.checked) localStorage.setItem(attribute, value);
    else localStorage.removeItem(attribute);
    show();
  };
  show();
}

/** Letters on stickers, and colours that differ in brightness, too. */
export function keepPreferences() {
  bindPreference('letters', 'letters', 'on');
  bindPreference('distinct', 'palette', 'distinct');
}

/** Keep which letters moves have; return which they are now. */
export function keepAlphabet(onChange) {
  const select = byId('alphabet');
  select.value = localStorage.getItem('alphabet') === 'german' ? 'german' : 'standard';
  select.onchange = () => {
    localStorage.setItem('alphabet', select.value);
    onChange(select.value);
  };
  onChange(select.value);
}
