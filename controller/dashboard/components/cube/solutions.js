// The solutions as the search finds them, or the stages of the beginner's method.

import { element } from '/assets/elements.js';
import { written } from '/assets/turns.js';

const MOST_MOVES = 10;

const seconds = (value) => `${value.toFixed(1)} s`;

export class Solutions {
  /** Calls `onChoose(solution)` with one of the search's, and `onStage(index)` of the first move. */
  constructor(parent, { onChoose, onStage }) {
    this.parent = parent;
    this.onChoose = onChoose;
    this.onStage = onStage;
    this.alphabet = 'standard';
  }

  /** Show a search and which of its solutions is played; without one, `hint`. */
  show(search, chosen, hint) {
    const { solutions = [], stages = [] } = search ?? {};
    if (!solutions.length) {
      this.parent.replaceChildren(element('p', { className: 'sec hint', textContent: hint }));
      return;
    }
    this.parent.replaceChildren(stages.length ? this.#stages(stages, solutions[0]) : this.#table(solutions, chosen));
  }

  #table(solutions, chosen) {
    const fewest = Math.min(...solutions.map(({ moves }) => moves.length));
    const rows = solutions.map((solution, index) => {
      const isShortest = solution.moves.length === fewest;
      const tags = [index === 0 ? ['accent', 'fastest'] : null, isShortest ? ['', 'shortest'] : null];
      return this.#row(solution, solution === chosen, tags.filter(Boolean));
    });
    const head = element('tr', {}, ...[['Moves', ''], ['Count', 'right'], ['On your robot', 'right'], ['', '']].map(
      ([textContent, className]) => element(textContent ? 'th' : 'td', { textContent, className, ...(textContent ? { scope: 'col' } : {}) })));
    return element('table', { className: 'solutions' },
      element('thead', {}, head), element('tbody', {}, ...rows));
  }

  #row(solution, isChosen, tags) {
    const first = solution.moves.slice(0, MOST_MOVES).map((move) => written(move, this.alphabet)).join(' ');
    const button = element('button', {
      className: 'mono', ariaPressed: String(isChosen),
      textContent: `${first}${solution.moves.length > MOST_MOVES ? ' …' : ''}` || 'nothing to do',
      onclick: () => this.onChoose(solution),
    });
    return element('tr', { className: isChosen ? 'on' : '', onclick: () => this.onChoose(solution) },
      element('td', {}, button),
      element('td', { className: 'num right', textContent: solution.moves.length }),
      element('td', { className: 'num right', textContent: seconds(solution.robot_s) }),
      element('td', {}, ...tags.map(([kind, textContent]) => element('span', { className: `tag ${kind}`, textContent }))));
  }

  #stages(stages, whole) {
    let first = 0;
    const items = stages.map(({ name, purpose, moves }) => {
      const start = first;
      first += moves.length;
      const button = element('button', { disabled: !moves.length, onclick: () => this.onStage(start) },
        element('b', { textContent: name }), element('span', { className: 'sec', textContent: purpose }),
        element('span', { className: 'num tail', textContent: moves.length ? `${moves.length} moves` : 'done already' }));
      return element('li', {}, button);
    });
    const sum = `${whole.moves.length} moves by hand; on your robot they would take ${seconds(whole.robot_s)}.`;
    return element('div', {}, element('ol', { className: 'stages-list' }, ...items), element('p', { className: 'sec', textContent: sum }));
  }
}
