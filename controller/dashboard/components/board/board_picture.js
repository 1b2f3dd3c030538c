// The board, drawn: live for a simulated one, grey for a real one, whose display cannot be read.

import { byId, element } from '/assets/elements.js';
import { order } from '/assets/link.js';
import { note } from '/assets/shell.js';

const COLUMNS = 16;
const ROWS = 2;
const SWITCHES = 4;
const LEDS = 4;

async function press(command, words) {
  note(await order(`board/${command}`, words));
}

const BY_HAND = {
  none: 'Start a simulated board, or connect yours: the card “No board yet” has both.',
  simulated: 'Switches and reset act on the simulated board. On a real one you do that with your hand, and the page says when.',
  real: 'A real board’s display cannot be read back, so it is grey here. Its switches are moved by your hand: red loads a program, green runs it, each after reset.',
};

export class BoardPicture {
  constructor() {
    this.state = null;
    this.cells = Array.from({ length: ROWS * COLUMNS }, () => element('i'));
    byId('lcd').append(...this.cells);
    this.lamps = Array.from({ length: LEDS }, (_, index) => element('span', { className: 'led' }, element('i'), String(index)));
    byId('leds').append(...this.lamps);
    this.switches = Array.from({ length: SWITCHES }, (_, index) => element('button', {
      role: 'switch', ariaLabel: `DIP switch ${index}`, onclick: () => this.flip(index),
    }));
    byId('dips').append(...this.switches);
    this.modes = [...byId('mode').querySelectorAll('button')];
    for (const button of this.modes) {
      button.onclick = () => press('press', { mode: button.dataset.mode });
    }
    byId('reset').onclick = () => press('press', { reset: true });
    this.show(null);
  }

  flip(index) {
    if (this.state) press('dip', { number: this.state.dip ^ (1 << index) });
  }

  /** Say whose board it is. */
  belong(view) {
    const kind = !view.address ? 'none' : view.is_simulated ? 'simulated' : 'real';
    byId('make').textContent = { none: 'no board', simulated: `simulated ${view.speed}×`, real: 'real' }[kind];
    byId('board-address').textContent = view.address;
    byId('by-hand').textContent = BY_HAND[kind];
    byId('pcb').dataset.kind = kind;
  }

  /** Draw a state, or a board of which nothing is known. */
  show(state) {
    this.state = state;
    byId('pcb').classList.toggle('off', !state);
    const letters = state ? state.lcd.join('') : '';
    this.cells.forEach((cell, index) => { cell.textContent = letters[index] ?? ' '; });
    byId('lcd').ariaLabel = state ? `The display: ${state.lcd.map((line) => line.trim()).join(' / ')}` : 'The display; it cannot be read';
    this.lamps.forEach((lamp, index) => lamp.classList.toggle('on', Boolean(state?.leds[index])));
    this.switches.forEach((button, index) => {
      button.disabled = !state;
      button.ariaChecked = String(Boolean(state && state.dip >> index & 1));
    });
    for (const button of this.modes) {
      button.disabled = !state;
      button.ariaPressed = String(state?.mode === button.dataset.mode);
    }
    byId('reset').disabled = !state;
    byId('motors').textContent = state ? state.motors.map(({ power, direction }) => (power && direction ? -power : power)).join(' ').replaceAll('-', '−') : '– – – –';
    byId('servos').textContent = state ? state.servos_us.map((pulse) => pulse || '–').join(' ') : '– – –';
  }
}
