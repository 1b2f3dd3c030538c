// What the card of the board says and offers in each phase.

import { byId, element, grouped } from '/assets/elements.js';
import { ask } from '/assets/link.js';
import { note } from '/assets/shell.js';

const SPEEDS = [1, 5, 20];

async function send(command, words = {}) {
  note((await ask(`board/${command}`, words)).error);
}

function button(textContent, command, primary = false) {
  return element('button', { className: primary ? 'btn primary' : 'btn', textContent, onclick: () => send(command) });
}

const words = (textContent) => element('p', { textContent });
const row = (...children) => element('div', { className: 'row wrap' }, ...children);

function startOrConnect() {
  const speed = element('select', { id: 'board-speed', ariaLabel: 'How fast the simulated board is' }, ...SPEEDS.map(
    (value) => element('option', { value, textContent: `${value}×` })));
  const start = element('button', {
    className: 'btn primary', textContent: 'Start a simulated board', onclick: () => send('simulate', { speed: Number(speed.value) }),
  });
  const known = element('datalist', { id: 'ports' });
  const port = element('input', { id: 'port', placeholder: '/dev/ttyUSB0', ariaLabel: 'Serial port of the board' });
  port.setAttribute('list', 'ports');
  const connect = element('button', {
    className: 'btn', textContent: 'Connect', onclick: () => send('connect', { port: port.value.trim() }),
  });
  const found = element('p', { className: 'dim', id: 'ports-found' });
  return [row(start, speed), element('p', { className: 'lab', textContent: 'or your own, on a serial port' }), row(port, known, connect), found];
}

async function listPorts() {
  const { error, answer } = await ask('board/ports');
  if (error || !byId('ports')) return;
  byId('ports').replaceChildren(...answer.map(({ device, description }) => element('option', { value: device, textContent: description })));
  const port = byId('port');
  // A person who is about to type must not find a port before the first letter.
  if (document.activeElement !== port) port.value ||= (answer.find((each) => each.is_usb) ?? answer[0])?.device ?? '';
  byId('ports-found').textContent = answer.length ? '' : 'This computer has no serial port now: plug the adapter in.';
}

function onBoard({ on_board: found }) {
  const image = found.image + (found.bytes ? `, ${grouped(found.bytes)} bytes` : '');
  const facts = [
    ['Chip', found.chip], ['Boot loader', found.protocol], ['Image', image], ['Program', found.name],
    ['CRC-32', found.crc32], ['Before this', found.before],
  ];
  return element('dl', { className: 'kv' }, ...facts.filter(([, value]) => value).flatMap(
    ([name, value]) => [element('dt', { textContent: name }), element('dd', { className: 'num', textContent: value })]));
}

const leave = () => button('Disconnect', 'disconnect');
const atRest = () => row(button('Ask the board', 'inquire'), leave());

/**
 * @type {import('../shared/state_card.js').Cards<
 *   import('../views').board.Phase, import('../views').board.BoardView>}
 */
export const BOARD_CARDS = {
  none: {
    label: 'No board yet', title: () => 'Connect your board, or start a simulated one',
    body: (view) => [words(view.sentence || 'The simulated board takes the same images and runs them exact to the cycle.'), ...startOrConnect()],
    shown: listPorts,
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
    body: (view) => [words(view.sentence), onBoard(view), view.is_lost ? row(button('Reconnect', 'reconnect', true), leave()) : atRest()],
  },
  finished: {
    label: 'Finished', sign: 'ok', edge: 'ok', title: () => 'Complete: flashed and verified', body: (view) => [onBoard(view), atRest()],
  },
};
