// The options of the next run. They outlive the card that shows them.

import { choice, element, labelled } from '/assets/elements.js';

const PLANNERS = [['optimal', 'fewest seconds'], ['paper', 'as in the paper']];
const said = { search_s: 1, planner: 'optimal', drive: null, dry_run: false };
let isOpen = false;

/** Return the words of an order to solve. */
export function spoken(more = {}) {
  return { ...said, dry_run: false, ...more };
}

/** Return the words of an order to solve a cube that is known. */
export function spokenOf(facelets) {
  return { ...said, facelets };
}

/** Return the options as a part of a card that folds. */
export function options(view) {
  const seconds = element('input', { type: 'number', min: 0, max: 60, step: 0.5, value: said.search_s });
  seconds.onchange = () => { said.search_s = Number(seconds.value) || 0; };
  const planner = choice({}, PLANNERS, said.planner);
  planner.onchange = () => { said.planner = planner.value; };
  const drive = choice({}, view.drives.map((name) => [name, name]), said.drive ?? view.drives[0]);
  drive.onchange = () => { said.drive = drive.value; };
  const isDry = element('input', { type: 'checkbox', checked: said.dry_run });
  isDry.onchange = () => { said.dry_run = isDry.checked; };
  const folded = element('details', { className: 'options', open: isOpen },
    element('summary', { textContent: 'Options of the run' }),
    element('div', { className: 'fields' },
      labelled('Search, seconds', seconds),
      labelled('Plan', planner),
      labelled('Drive', drive)),
    element('label', { className: 'check' }, isDry, 'Dry run: plan the known cube, move nothing'));
  folded.ontoggle = () => { isOpen = folded.open; };
  return folded;
}
