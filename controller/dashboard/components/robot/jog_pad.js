// Turns one motor by some degrees. Locked while anything runs; its keys work only while it has the
// focus, so that no letter typed elsewhere moves a motor.

import { button, choice, element, icon } from '/assets/elements.js';
import { robot } from '/assets/shell.js';

/** The key that turns a motor forwards and the one that turns it back, by the motor's place. */
const KEYS = [['q', 'a'], ['w', 's'], ['e', 'd']];
const STEPS = [1, 5, 15, 90];
/** What the help says of them. */
export const JOG_KEYS = [
  ['Q A', 'In the jog pad: turn the first motor forwards, backwards'],
  ['W S', 'The second motor'],
  ['E D', 'The third motor'],
  ['[ ]', 'Smaller or larger steps'],
];
/** @type {import('../views').robot.Phase[]} */
const OPEN = ['ready', 'stopped', 'fault', 'uncertain', 'finished'];

export class JogPad {
  constructor(parent) {
    this.parent = parent;
    this.step = 15;
    this.isOpen = null;
    parent.addEventListener('keydown', (event) => this.#key(event));
  }

  /** Show the pad of some motors, or that it is locked; `phase` is the robot's. */
  show(phase, motors) {
    const isOpen = OPEN.includes(phase);
    const why = phase === 'paused'
      ? 'Not in a pause, where the run keeps the motors: press Stop, jog, then Resume'
      : 'Jog by hand when nothing runs';
    if (isOpen === this.isOpen && why === this.why && motors.join() === this.motors?.join()) return;
    this.motors = motors;
    this.isOpen = isOpen;
    this.why = why;
    this.parent.replaceChildren(...(isOpen ? this.#pad() : [this.#lock()]));
  }

  #lock() {
    return element('p', { className: 'locked' }, icon('lock'), this.why);
  }

  #pad() {
    this.steps = choice({ ariaLabel: 'Degrees of a step' }, STEPS.map((step) => [step, `${step}°`]), this.step);
    this.steps.onchange = () => { this.step = Number(this.steps.value); };
    const motors = this.motors.slice(0, KEYS.length).map((motor, index) => {
      const [more, less] = KEYS[index];
      return element('div', { className: 'motor' },
        element('span', { className: 'lab', textContent: motor }),
        this.#turn(motor, 1, '+', more), this.#turn(motor, -1, '−', less));
    });
    return [
      element('div', { className: 'row between' },
        element('span', { className: 'lab', textContent: 'Jog by hand' }), this.steps),
      element('div', { className: 'pad' }, motors),
    ];
  }

  #turn(motor, way, sign, key) {
    const made = button(sign, () => this.#jog(motor, way));
    made.ariaLabel = `Turn the ${motor} ${way > 0 ? 'forwards' : 'backwards'} (${key.toUpperCase()})`;
    made.append(element('kbd', { textContent: key.toUpperCase() }));
    return made;
  }

  #jog(motor, way) {
    robot('jog', { motor, degrees: way * this.step });
  }

  #key(event) {
    if (!this.isOpen || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toLowerCase();
    const index = KEYS.findIndex((pair) => pair.includes(key));
    const motor = this.motors[index];
    const by = { '[': -1, ']': 1 }[event.key];
    if (motor) this.#jog(motor, key === KEYS[index][0] ? 1 : -1);
    else if (by) {
      const next = Math.min(STEPS.length - 1, Math.max(0, STEPS.indexOf(this.step) + by));
      this.step = STEPS[next];
      this.steps.value = this.step;
    } else return;
    event.preventDefault();
  }
}
