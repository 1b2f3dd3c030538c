// Earlier runs by their journals, with a way to resume; and solves, predicted against measured.

import { button, drawn, element } from '/assets/elements.js';
import { robot } from '/assets/shell.js';

const WIDTH = 640;
const HEIGHT = 150;
const LEFT = 36;
const MOST = 60;
const LINES = 6;
/** @type {import('../views').robot.Phase[]} */
const IDLE = ['ready', 'stopped', 'fault', 'uncertain', 'finished'];

export class RunsView {
  constructor(list) {
    this.list = list;
    this.runs = [];
    this.isIdle = false;
  }

  /** Show the runs. */
  show(runs) {
    this.runs = runs;
    this.#draw();
  }

  /** Allow resuming a run, or not; `phase` is the robot's. */
  set(phase) {
    const isIdle = IDLE.includes(phase);
    if (isIdle === this.isIdle) return;
    this.isIdle = isIdle;
    this.#draw();
  }

  #draw() {
    const rows = this.runs.map((run) => {
      const resume = button('Resume', () => robot('resume', { journal: run.name }), { symbol: 'play' });
      resume.ariaLabel = `Resume ${run.name}`;
      resume.disabled = !this.isIdle;
      return element('li', {},
        element('div', { className: 'grow' },
          element('b', { className: 'mono', textContent: run.name }),
          element('p', { className: 'sec num', textContent: `${run.when} · ${run.robot} · ${run.finished} of ${run.total} · ${run.state}` })),
        run.can_resume && resume);
    });
    this.list.replaceChildren(...(rows.length ? rows : [element('li', { className: 'sec', textContent: 'None yet: each run keeps a journal.' })]));
  }
}

export class HistoryView {
  constructor(plot, table) {
    this.plot = plot;
    this.table = table;
  }

  /** Show the solves, oldest first. */
  show(solves) {
    this.plot.replaceChildren(...this.#chart(solves.slice(-MOST)));
    this.plot.toggleAttribute('hidden', !solves.length); // an SVG element has no property for it
    const rows = solves.slice(-LINES).reverse().map((solve) => [
      solve.when, solve.robot, solve.moves, solve.planned_s.toFixed(1), solve.measured_s.toFixed(1), solve.retries,
      solve.seen === null ? '–' : `${(100 * solve.seen).toFixed(1)} %`,
    ].map((text) => element('td', { textContent: text })));
    this.table.replaceChildren(...(rows.length ? rows.map((cells) => element('tr', {}, cells))
      : [element('tr', {}, element('td', { colSpan: 7, textContent: 'None yet.' }))]));
  }

  #chart(solves) {
    if (!solves.length) return [];
    const most = Math.max(10, ...solves.map(({ planned_s, measured_s }) => Math.max(planned_s, measured_s)));
    const x = (index) => LEFT + 8 + ((WIDTH - LEFT - 16) * (index + 0.5)) / solves.length;
    const y = (seconds) => HEIGHT - 16 - ((HEIGHT - 26) * seconds) / most;
    const parts = [0, most / 2, most].flatMap((seconds) => [
      drawn('line', { class: 'grid', x1: LEFT, x2: WIDTH, y1: y(seconds), y2: y(seconds) }),
      drawn('text', { x: LEFT - 5, y: y(seconds) + 3, 'text-anchor': 'end' }, `${Math.round(seconds)} s`),
    ]);
    solves.forEach(({ planned_s: planned, measured_s: measured, retries }, index) => {
      parts.push(
        drawn('line', { class: retries ? 'late retried' : 'late', x1: x(index), x2: x(index), y1: y(planned), y2: y(measured) }),
        drawn('circle', { class: 'planned', cx: x(index), cy: y(planned), r: 4 }),
        drawn('circle', { class: retries ? 'measured retried' : 'measured', cx: x(index), cy: y(measured), r: 3.4 }),
      );
    });
    return parts;
  }
}
