// The card that says what state the board is in, in the same words everywhere, and what can be done.

import { byId, grouped, made } from '/assets/board_dom.js';
import { ask } from '/assets/link.js';
import { note } from '/assets/shell.js';

const SPEEDS = [1, 5, 20];

async function tell(command, words = {}) {
  note((await ask(`board/${command}`, words)).error);
}

function button(textContent, command, primary = false) {
  return made('button', { className: primary ? 'btn primary' : 'btn', textContent, onclick: () => tell(command) });
}

const words = (textContent) => made('p', { textContent });
const row = (...children) => made('div', { className: 'row wrap' }, ...children);

function startOrConnect() {
  const speed = made('select', { id: 'board-speed', ariaLabel: 'How fast the simulated board is' }, ...SPEEDS.map(
    (value) => made('option', { value, textContent: `${value}×` })));
  const start = made('button', {
    className: 'btn primary', textContent: 'Start a simulated board', onclick: () => tell('simulate', { speed: Number(speed.value) }),
  });
  const known = made('datalist', { id: 'ports' });
  const port = made('input', { id: 'port', placeholder: '/dev/ttyUSB0', ariaLabel: 'Serial port of the board' });
  port.setAttribute('list', 'ports');
  const connect = made('button', {
    className: 'btn', textContent: 'Connect', onclick: () => tell('connect', { port: port.value.trim() }),
  });
  const found = made('p', { className: 'dim' });
  ask('board/ports').then(({ error, answer }) => {
    if (error) return;
    known.append(...answer.map(({ device, description }) => made('option', { value: device, textContent: description })));
    port.value ||= (answer.find((each) => each.is_usb) ?? answer[0])?.device ?? '';
    found.textContent = answer.length ? '' : 'This computer has no serial port now: plug the adapter in.';
  });
  return [row(start, speed), made('p', { className: 'lab', textContent: 'or your own, on a serial port' }), row(port, known, connect), found];
}

function onBoard({ on_board: found }) {
  const image = found.image + (found.bytes ? `, ${grouped(found.bytes)} bytes` : '');
  const facts = [
    ['Chip', found.chip], ['Boot loader', found.protocol], ['Image', image], ['Program', found.name],
    ['CRC-32', found.crc32], ['Before this', found.before],
  ];
  return made('dl', { className: 'kv' }, ...facts.filter(([, value]) => value).flatMap(
    ([name, value]) => [made('dt', { textContent: name }), made('dd', { className: 'num', textContent: value })]));
}

const leave = () => button('Leave the board', 'disconnect');
const atRest = () => row(button('Ask the board', 'inquire'), leave());

/** Of each phase: its label, sign and edge, title, and what it says and offers. */
const CARDS = {
  none: {
    label: 'No board yet', title: () => 'Connect your board, or start a simulated one',
    body: (view) => [words(view.sentence || 'The simulated board takes the same images and runs them exact to the cycle.'), ...startOrConnect()],
  },
  connecting: {
    label: 'Connecting', sign: 'wait', title: (view) => view.sentence,
    body: () => [words('A first start compiles the simulated chip; that takes a while once.'), row(button('Cancel', 'cancel'))],
  },
  ready: {
    label: 'Ready', sign: 'ok', title: () => 'On the board now',
    body: (view) => [...(view.sentence ? [words(view.sentence)] : []), onBoard(view), atRest()],
  },
  running: {
    label: 'Running', sign: 'busy', title: (view) => view.work,
    body: (view) => [words(view.sentence), onBoard(view), row(button('Cancel', 'cancel'))],
  },
  stopping: { label: 'Stopping', sign: 'busy', title: () => 'Cancelling', body: () => [words('The board is asked what is in its flash now.')] },
  stopped: {
    label: 'Stopped', sign: 'wait', edge: 'warn', title: () => 'Cancelled', body: (view) => [onBoard(view), atRest()],
  },
  fault: {
    label: 'Fault', sign: 'bad', edge: 'fault', title: () => 'That did not work',
    body: (view) => [words(view.sentence), onBoard(view), view.is_lost ? row(button('Connect again', 'reconnect', true), leave()) : atRest()],
  },
  finished: {
    label: 'Finished', sign: 'ok', edge: 'ok', title: () => 'Complete: flashed and verified', body: (view) => [onBoard(view), atRest()],
  },
};

/** Draws the card anew only when something in it changes, so that what is typed stays. */
export class BoardCard {
  constructor() {
    this.parent = byId('board-card');
  }

  show(view) {
    const card = CARDS[view.phase];
    const title = card.title(view);
    const seen = JSON.stringify([view.phase, title, view.sentence, view.on_board, view.is_lost]);
    if (seen === this.seen) return;
    this.seen = seen;
    const held = document.activeElement?.textContent;
    const hadFocus = this.parent.contains(document.activeElement);
    this.parent.className = `panel state ${card.edge ?? ''}`;
    this.parent.dataset.phase = view.phase;
    this.parent.replaceChildren(
      made('span', { className: 'lab', textContent: card.label }),
      made('h2', { id: 'card-title' }, made('i', { className: `dot ${card.sign ?? 'off'}` }), title),
      ...card.body(view),
    );
    if (hadFocus) [...this.parent.querySelectorAll('button')].find((each) => each.textContent === held)?.focus();
  }
}
