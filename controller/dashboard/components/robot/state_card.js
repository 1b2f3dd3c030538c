// The card that says what state the robot is in, in the same words everywhere, and what can be done.

import { robot } from '/assets/shell.js';

const SPEEDS = [1, 5, 20];

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  svg.setAttribute('class', 'i');
  use.setAttribute('href', `#i-${name}`);
  svg.append(use);
  return svg;
}

function button(text, onclick, { symbol = '', primary = false } = {}) {
  const made = element('button', { className: primary ? 'btn primary' : 'btn', onclick });
  if (symbol) made.append(icon(symbol));
  made.append(text);
  return made;
}

const row = (...children) => element('div', { className: 'row wrap' }, ...children);
const words = (text) => element('p', { textContent: text });

function startOrConnect() {
  const speed = element('select', { id: 'speed', ariaLabel: 'How fast the simulated robot is' });
  for (const value of SPEEDS) {
    speed.append(element('option', { value, textContent: `${value}×`, selected: value === 5 }));
  }
  const start = () => robot('simulate', { speed: Number(speed.value) });
  const address = element('input', { id: 'address', value: 'usb', ariaLabel: 'Address of the brick' });
  const camera = element('input', { id: 'camera', value: '0', ariaLabel: 'Camera' });
  const connect = () => robot('connect', {
    address: address.value, camera: camera.value || null,
  });
  return [
    row(button('Start a simulated robot', start, { symbol: 'play', primary: true }), speed),
    element('p', { className: 'lab', textContent: 'or your own: brick, camera' }),
    row(address, camera, button('Connect', connect, { symbol: 'plug' })),
  ];
}

const solve = (text) => button(text, () => robot('solve'), { symbol: 'camera', primary: true });
const resume = (text) => button(text, () => robot('resume'), { symbol: 'play', primary: true });
const lookAgain = () => button('Look again', () => robot('solve'), { symbol: 'camera' });
const leave = () => button('Leave the robot', () => robot('disconnect'));

function painting() {
  const stickers = element('input', {
    id: 'stickers', className: 'mono', placeholder: '54 stickers, U R F D L B', maxLength: 54,
    ariaLabel: 'The 54 stickers as the cube lies',
  });
  const send = () => robot('solve', { facelets: stickers.value.trim().toUpperCase() });
  return row(stickers, button('Solve this cube', send));
}

/** Of each phase: its sign and edge, label, title, and what it says and offers. */
const CARDS = {
  none: {
    label: 'No robot yet', title: () => 'Connect your robot, or start a simulated one',
    body: (view) => [
      words(view.sentence || 'The simulated robot does all that a real one does; it needs nothing but this computer.'),
      ...startOrConnect(),
    ],
  },
  connecting: {
    label: 'Connecting', sign: 'wait', title: (view) => view.sentence,
    body: () => [words('A first start compiles the search and the simulator; that takes a while once.')],
  },
  ready: {
    label: 'Ready', sign: 'ok', title: () => 'The robot is ready',
    body: (view) => [
      words(view.has_camera ? 'The camera looks at the cube, then the robot solves it.' : 'No camera: say how the cube lies.'),
      ...(view.has_camera ? [row(solve('Scan and solve'), leave())] : [row(leave())]),
      painting(),
    ],
  },
  running: {
    label: 'Running', sign: 'busy', title: (view) => runningTitle(view),
    body: (view) => [words(view.sentence || 'Stop ends it at once, and it can be gone on with.')],
  },
  pausing: {
    label: 'Pausing', sign: 'busy', title: () => 'Pausing after this primitive', body: () => [],
  },
  paused: {
    label: 'Paused', sign: 'wait', edge: 'warn',
    title: (view) => `Paused before primitive ${view.primitive + 1} of ${view.total}`,
    body: () => [
      words('The cube lies still and the motors are off. The brick is kept awake.'),
      row(button('Go on', () => robot('go_on'), { symbol: 'play', primary: true })),
    ],
  },
  stopping: { label: 'Stopping', sign: 'busy', title: () => 'Stopping', body: () => [] },
  stopped: {
    label: 'Stopped', sign: 'wait', edge: 'warn', title: () => 'Stopped; the motors are off',
    body: (view) => [
      words(doneOf(view)),
      row(...(view.can_resume ? [resume('Go on')] : []), lookAgain(), leave()),
    ],
  },
  fault: {
    label: 'Fault', sign: 'bad', edge: 'fault', title: () => 'The robot could not go on',
    body: (view) => [
      words(view.sentence),
      row(...(view.can_resume ? [resume(`Go on at primitive ${view.finished + 1}`)] : []), lookAgain(), leave()),
      words(doneOf(view)),
    ],
  },
  uncertain: {
    label: 'Nobody knows how the cube lies', sign: 'wait', edge: 'warn',
    title: () => 'How does the cube lie now?',
    body: (view) => [words(view.sentence), row(lookAgain(), leave()), painting()],
  },
  finished: {
    label: 'Finished', sign: 'ok', edge: 'ok',
    title: (view) => `${view.result.word} in ${view.result.robot_s.toFixed(1)} robot seconds`,
    body: (view) => [words(view.result.why), row(solve('Scan and solve'), leave())],
  },
};

function runningTitle(view) {
  const now = view.stages.find((stage) => stage.state === 'now');
  return now ? now.title : 'Finding home';
}

function doneOf(view) {
  if (!view.total) return 'Nothing was driven yet.';
  return `${view.finished} of ${view.total} primitives are done and kept in ${view.journal}.`;
}

/** Draws the card anew only when something in it changes, so that what is typed stays. */
export class StateCard {
  constructor(parent) {
    this.parent = parent;
  }

  show(view) {
    const card = CARDS[view.phase];
    const title = card.title(view);
    const seen = JSON.stringify([view.phase, title, view.sentence, view.finished]);
    if (seen === this.seen) return;
    this.seen = seen;
    this.parent.className = `panel state ${card.edge ?? ''}`;
    this.parent.dataset.phase = view.phase;
    this.parent.replaceChildren(
      element('span', { className: 'lab', textContent: card.label }),
      element('h2', { id: 'state-title' }, element('i', { className: `dot ${card.sign ?? 'off'}` }), title),
      ...card.body(view),
    );
  }
}
