// What all pages share: Stop, the pages' keys, the devices, light and dark.

import { byId, element, say } from '/assets/elements.js';
import { on, order } from '/assets/link.js';

const PAGES = ['/cube', '/robot', '/board', '/puzzles'];
/** @type {import('../views').robot.Phase[]} */
const MOVING = ['running', 'pausing', 'paused', 'stopping'];
const NOTE_MS = 8000;
const ANSWERED_MS = 400;
const PULL = 'If something must not move on, take the battery out of the brick.';
/** What is wrong with the link, and what to do. */
const LINKS = {
  silent: ['The dashboard does not answer', 'What moves may move on, and this page shows how it was. It may be busy or suspended: look into the terminal in which `cuberobot dashboard` runs. When it answers, this page goes on by itself; if it was started again, its new address stands there.'],
  closed: ['No connection to the dashboard', 'The robot may still be moving; Stop and Esc are tried all the same. Look into the terminal in which `cuberobot dashboard` runs. If it has ended, start it again and open the address that it prints; otherwise this page connects again by itself.'],
  restarted: ['The dashboard was started again', 'This page belongs to the one before, which has ended with its motors off. Open the address that `cuberobot dashboard` has printed in its terminal; it holds the secret.'],
};
let noteTimer = 0;
const busy = new Set();
/** @type {import('../views').robot.Phase} */
let phase = 'none';
let hasCamera = false;
let trouble = ''; // of the camera

/** Show a sentence for a while; an empty one takes it away. */
export function note(sentence) {
  const line = byId('note');
  line.textContent = sentence;
  line.hidden = !sentence;
  clearTimeout(noteTimer);
  if (sentence) noteTimer = setTimeout(() => { line.hidden = true; }, NOTE_MS);
}

/** Send an order to the robot, and show the sentence if it is refused. */
export async function robot(command, words = {}) {
  note(await order(`robot/${command}`, words));
}

/** Stop everything, and say at once if that does not arrive; it still may, when the dashboard wakes up. */
async function stop() {
  const timer = setTimeout(() => note(`Stop has not arrived yet: the dashboard does not answer. ${PULL}`), ANSWERED_MS);
  const error = await order('stop');
  clearTimeout(timer);
  note(error && `Stop was not delivered. ${error} ${PULL}`);
}

export function togglePause() {
  if (phase === 'running') robot('pause');
  if (phase === 'paused' || phase === 'pausing') robot('end_pause');
}

function isTyping(target) {
  return target.closest?.('input, textarea, select, [contenteditable]') !== null;
}

function onKey(event) {
  if (event.key === 'Escape') {
    stop(); // in dialogs and text fields, too
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (event.target.closest?.('[data-own-keys]')?.dataset.ownKeys.includes(event.key)) return;
  const page = PAGES[Number(event.key) - 1];
  if (event.key === '?') byId('keys').showModal();
  else if (page) location.href = page;
  else if (event.key === ' ' && !event.target.closest('button, a, summary')) {
    event.preventDefault();
    togglePause();
  }
}

const JOINING = ['+', '…']; // keys, and no keys themselves

/** Add the keys of a page to the help; each row has the keys and what they do. */
export function explainKeys(rows) {
  byId('page-keys').append(...rows.flatMap(([keys, text]) => [
    element('dt', {}, ...keys.split(' ').flatMap((key) => [JOINING.includes(key) ? key : element('kbd', { textContent: key }), ' '])),
    element('dd', { textContent: text }),
  ]));
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  localStorage.setItem('theme', theme);
}

function showBusy(name, isBusy) {
  if (isBusy) busy.add(name);
  else busy.delete(name);
  byId('stop').classList.toggle('idle', busy.size === 0);
  for (const live of document.querySelectorAll(`a[href="/${name}"] .live`)) live.toggleAttribute('hidden', !isBusy);
}

/** @param {import('../views').robot.RobotView} view */
function showDevices(view) {
  phase = view.phase;
  const isMoving = MOVING.includes(phase);
  showBusy('robot', isMoving);
  const dot = { fault: 'bad', uncertain: 'wait', connecting: 'wait', paused: 'wait', none: 'off' };
  const isDriving = isMoving && view.total > 0;
  const done = isDriving ? `${view.finished} of ${view.total}` : brickName(view);
  chip('chip-brick', dot[phase] ?? (isMoving ? 'busy' : ''), done);
  hasCamera = view.has_camera;
  showCamera();
}

function showCamera() {
  const isGone = hasCamera && trouble;
  chip('chip-camera', isGone ? 'bad' : hasCamera ? '' : 'off', isGone ? 'no picture' : hasCamera ? 'on' : 'none');
  byId('chip-camera').title = trouble || 'To the robot’s camera';
}

/** @param {import('../views').robot.RobotView} view */
function brickName(view) {
  if (!view.address) return phase === 'connecting' ? 'connecting' : 'none';
  const volts = view.battery ? ` · ${view.battery.volts.toFixed(1)} V` : '';
  return (view.is_simulated ? `simulated ${view.speed}×` : view.address) + volts;
}

/** @param {import('../views').board.BoardView} view */
function showBoard(view) {
  const isBusy = ['connecting', 'running', 'stopping'].includes(view.phase);
  const [verb] = view.work.split(' ');
  const name = view.is_simulated ? `simulated ${view.speed}×` : view.address;
  showBusy('board', isBusy);
  const dot = { fault: 'bad', connecting: 'wait', stopped: 'wait', none: 'off' };
  chip('chip-board', dot[view.phase] ?? (isBusy ? 'busy' : ''), verb || (view.address ? name : 'none'));
}

function chip(id, state, text) {
  byId(id).querySelector('.dot').className = `dot ${state}`;
  byId(id).querySelector('b').textContent = text;
}

for (const look of ['palette', 'letters']) {
  if (localStorage.getItem(look)) document.documentElement.dataset[look] = localStorage.getItem(look);
}
if (localStorage.getItem('theme')) setTheme(localStorage.getItem('theme'));
byId('theme').onclick = () => {
  const usual = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  setTheme((document.documentElement.dataset.theme ?? usual) === 'dark' ? 'light' : 'dark');
};
byId('help').onclick = () => byId('keys').showModal();
byId('stop').onclick = stop;
document.addEventListener('keydown', onKey, true);
on('code-wanted', () => { if (!byId('steer').open) byId('steer').showModal(); });
byId('steer-form').onsubmit = async (event) => {
  event.preventDefault();
  const error = await order('steer', byId('steer-code').value);
  say(byId('steer-error'), error);
  if (error) return;
  byId('steer').close();
  note('This device steers now.');
};
byId('steer-watch').onclick = () => byId('steer').close();
on('link', (state) => {
  const [title, text] = LINKS[state] ?? ['', ''];
  byId('lost').hidden = !title;
  byId('lost-title').textContent = title;
  byId('lost-text').textContent = text;
});
on('broken', (why) => {
  byId('broken').hidden = false;
  byId('broken').querySelector('span').textContent = why;
});
on('robot', showDevices);
on('board', showBoard);
on('camera', (why) => {
  trouble = why;
  showCamera();
});
on('puzzles', (view) => showBusy('puzzles', view.phase === 'running'));
