// The three motors: where each stands, where it is sent, how far it has gone; the last ten seconds.

import { drawn, element } from '/assets/elements.js';

const SECONDS = 10;
const WIDTH = 340;
const HEIGHT = 92;
const LEFT = 34;
const BOTTOM = 16;
const PORTS = ['A', 'B', 'C'];
const degrees = (angle) => `${angle > 0 ? '+' : ''}${String(angle).replace('-', '−')}°`;

export class MotorsView {
  constructor(list, plot) {
    this.list = list;
    this.plot = plot;
    this.seen = [];
    this.retries = [];
    this.count = 0;
    setInterval(() => { if (this.seen.length && !document.hidden) this.#draw(); }, 200);
  }

  /** Show the motors as they stand now. */
  show(motors) {
    if (!motors.length) this.seen = [];
    else this.seen.push({ time: performance.now() / 1000, angles: motors.map(({ angle }) => angle) });
    this.list.replaceChildren(...motors.map((motor, index) => this.#row(motor, PORTS[index] ?? '')));
    this.plot.replaceChildren();
    if (motors.length) this.#draw();
  }

  /** Mark a retry when there is one more. */
  retry(count) {
    if (count > this.count) this.retries.push(performance.now() / 1000);
    this.count = count;
  }

  #row({ name, angle, goal, least, most }, port) {
    const span = Math.max(most - least, 1);
    const place = (value) => `${Math.min(100, Math.max(0, (100 * (value - least)) / span))}%`;
    const at = element('i', { className: 'at' });
    at.style.left = place(angle);
    const to = element('i', { className: 'to', hidden: goal === null });
    if (goal !== null) to.style.left = place(goal);
    return element('li', {},
      element('span', { className: 'port', textContent: port }),
      element('b', { textContent: name[0].toUpperCase() + name.slice(1) }),
      element('strong', { className: 'num', textContent: degrees(angle) }),
      element('span', { className: 'num goal', textContent: goal === null ? '' : `→ ${degrees(goal)}` }),
      element('div', { className: 'rail' }, to, at),
      element('small', { className: 'num', textContent: least }),
      element('small', { className: 'num most', textContent: most }));
  }

  #draw() {
    const now = performance.now() / 1000;
    while (this.seen.length && this.seen[0].time < now - SECONDS - 1) this.seen.shift();
    this.retries = this.retries.filter((time) => time > now - SECONDS);
    const angles = this.seen.flatMap((look) => look.angles);
    const low = Math.min(0, ...angles);
    const high = Math.max(low + 10, ...angles);
    const x = (time) => LEFT + ((WIDTH - LEFT) * (time - now + SECONDS)) / SECONDS;
    const y = (angle) => 6 + ((HEIGHT - BOTTOM - 6) * (high - angle)) / (high - low);
    const parts = [low, (low + high) / 2, high].flatMap((angle) => [
      drawn('line', { class: 'grid', x1: LEFT, x2: WIDTH, y1: y(angle), y2: y(angle) }),
      drawn('text', { x: LEFT - 5, y: y(angle) + 3, 'text-anchor': 'end' }, String(Math.round(angle))),
    ]);
    for (const time of this.retries) {
      parts.push(drawn('rect', { class: 'retry', x: x(time), y: 6, width: 10, height: HEIGHT - BOTTOM - 6 }));
      parts.push(drawn('text', { class: 'retry', x: x(time), y: 16 }, 'retry'));
    }
    for (let motor = 0; motor < (this.seen[0]?.angles.length ?? 0); motor += 1) {
      const points = this.seen.map(({ time, angles: each }) => `${Math.max(LEFT, x(time)).toFixed(1)},${y(each[motor]).toFixed(1)}`);
      points.push(`${WIDTH},${y(this.seen.at(-1).angles[motor]).toFixed(1)}`); // it stands there since
      parts.push(drawn('polyline', { class: `motor-${PORTS[motor]}`, points: points.join(' ') }));
    }
    parts.push(drawn('text', { x: LEFT, y: HEIGHT - 3 }, `−${SECONDS} s`));
    parts.push(drawn('text', { x: WIDTH, y: HEIGHT - 3, 'text-anchor': 'end' }, 'now'));
    this.plot.replaceChildren(...parts);
  }
}
