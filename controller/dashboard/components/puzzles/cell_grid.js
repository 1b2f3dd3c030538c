// A grid of fields to be switched on and off, by clicks or by keys: arrows go, Space or Enter draws.

import { element } from '/assets/elements.js';

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export class CellGrid {
  /** `onChange` is called after each change. */
  constructor(rows, columns, label, onChange) {
    this.rows = rows;
    this.columns = columns;
    this.onChange = onChange;
    this.root = element('div', { className: 'cell-grid' });
    this.root.setAttribute('role', 'group');
    this.root.setAttribute('aria-label', label);
    this.root.style.gridTemplateColumns = `repeat(${columns}, 1fr)`;
    this.cells = Array.from({ length: rows * columns }, (_, index) => this.#cell(index));
    this.root.append(...this.cells);
  }

  #cell(index) {
    const [row, column] = [Math.floor(index / this.columns), index % this.columns];
    const made = element('button', { className: 'cell', tabIndex: index ? -1 : 0, ariaLabel: `row ${row + 1}, column ${column + 1}` });
    made.setAttribute('aria-pressed', 'false');
    made.onclick = () => {
      made.setAttribute('aria-pressed', String(made.getAttribute('aria-pressed') === 'false'));
      this.#focus(made);
      this.onChange();
    };
    made.onkeydown = (event) => {
      if (!(event.key in STEPS)) return;
      event.preventDefault();
      event.stopPropagation();
      const [down, right] = STEPS[event.key];
      const next = [row + down, column + right];
      if (next[0] < 0 || next[0] >= this.rows || next[1] < 0 || next[1] >= this.columns) return;
      this.#focus(this.cells[next[0] * this.columns + next[1]]);
    };
    return made;
  }

  #focus(cell) {
    for (const each of this.cells) each.tabIndex = each === cell ? 0 : -1;
    cell.focus();
  }

  /** Draw rows of marks, `.` being on. */
  draw(lines) {
    this.cells.forEach((cell, index) => {
      const mark = lines[Math.floor(index / this.columns)]?.[index % this.columns];
      cell.setAttribute('aria-pressed', String(mark === '.'));
    });
  }

  get #on() {
    return this.cells.map((cell) => cell.getAttribute('aria-pressed') === 'true');
  }

  get count() {
    return this.#on.filter(Boolean).length;
  }

  /** Return what is drawn as rows of marks, without empty rows and columns outside. */
  get lines() {
    const on = this.#on;
    const places = on.flatMap((isOn, index) => isOn ? [[Math.floor(index / this.columns), index % this.columns]] : []);
    if (!places.length) return [];
    const [tops, lefts] = [places.map(([row]) => row), places.map(([, column]) => column)];
    const lines = [];
    for (let row = Math.min(...tops); row <= Math.max(...tops); row += 1) {
      let line = '';
      for (let column = Math.min(...lefts); column <= Math.max(...lefts); column += 1) {
        line += on[row * this.columns + column] ? '.' : '#';
      }
      lines.push(line);
    }
    return lines;
  }
}
