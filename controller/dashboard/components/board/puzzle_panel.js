// The 8-puzzle: two boards to arrange, what the board answers, played back move by move.

import { byId, element, grouped, say } from '/assets/elements.js';
import { on, order } from '/assets/link.js';
import { TileBoard } from '/assets/tile_board.js';

const START = 'gaefdboch';
const GOAL = 'doefgbcah';
const SIDE = 3;
const STEPS = { u: -SIDE, d: SIDE, l: -1, r: 1 };
const SHUFFLES = 200;
const SLIDE_MS = 180;
const BEAT_MS = 320;
const ALGORITHMS = {
  policy: 'policy: a table, assembler',
  'policy-c': 'policy-c: the same in C',
  'policy-small': 'policy-small: half the table',
  neural: 'neural: a network of 4 KB',
  astar: 'astar: the paper’s A*',
  'astar-repeated': 'astar-repeated: starts again',
  iddfs_v2: 'iddfs_v2: the paper’s second',
  iddfs_v1: 'iddfs_v1: the paper’s first',
};

/** Return the board after a move of the blank, or null if that is none. */
function moved(letters, move) {
  const blank = letters.indexOf('o');
  const target = blank + STEPS[move];
  const isInRow = 'ud'.includes(move) || Math.floor(target / SIDE) === Math.floor(blank / SIDE);
  if (target < 0 || target >= letters.length || !isInRow) return null;
  const next = [...letters];
  [next[blank], next[target]] = [next[target], next[blank]];
  return next.join('');
}

export class PuzzlePanel {
  constructor() {
    this.view = { start: '', goal: '', solutions: [], asking: '' };
    this.board = { phase: 'none' };
    this.shown = 0;
    this.start = new TileBoard(byId('start-board'), { label: 'Start', onChange: () => this.change() });
    this.goal = new TileBoard(byId('goal-board'), { label: 'Goal', onChange: () => this.change() });
    byId('algorithm').append(...Object.entries(ALGORITHMS).map(([value, textContent]) => element('option', { value, textContent })));
    byId('example').onclick = () => this.pose(START, GOAL);
    byId('as-goal').onclick = () => this.pose(this.goal.letters, this.goal.letters);
    byId('shuffle').onclick = () => this.shuffle();
    byId('solve').onclick = () => this.ask([byId('algorithm').value]);
    byId('compare').onclick = () => this.ask(Object.keys(ALGORITHMS));
    byId('play').onclick = () => (this.timer ? this.pause() : this.play());
    byId('back').onclick = () => { this.pause(); this.go(this.shown - 1); };
    byId('forth').onclick = () => { this.pause(); this.go(this.shown + 1); };
    this.pose(START, GOAL);
    on('board', (view) => { this.board = view; this.offer(); });
    on('board-puzzle', (view) => this.update(view));
  }

  pose(start, goal) {
    this.start.show(start);
    this.goal.show(goal);
    this.change();
  }

  shuffle() {
    let letters = this.goal.letters;
    for (let count = 0; count < SHUFFLES; count += 1) {
      letters = moved(letters, 'udlr'[Math.floor(Math.random() * 4)]) ?? letters;
    }
    this.pose(letters, this.goal.letters);
  }

  /** The boards are others now: an answer to those before is none to these. */
  change() {
    this.pause();
    this.from = this.start.letters;
    say(byId('puzzle-error'), '');
    this.answer();
    this.offer();
  }

  async ask(algorithms) {
    this.pause();
    this.go(0);
    say(byId('puzzle-error'), await order('board/solve', { start: this.from, goal: this.goal.letters, algorithms }));
  }

  update(view) {
    const isPosed = view.start && (view.start !== this.view.start || view.goal !== this.view.goal || view.asking);
    const before = this.view.solutions.length;
    this.view = view;
    if (isPosed && (view.start !== this.from || view.goal !== this.goal.letters)) this.pose(view.start, view.goal);
    this.answer();
    this.offer();
    if (this.solution && view.solutions.length > before && before >= 0 && this.heardBefore) this.play();
    this.heardBefore = true;
  }

  /** Show what the board answered to these two boards. */
  answer() {
    const isTheirs = this.view.start === this.from && this.view.goal === this.goal.letters;
    const solutions = isTheirs ? this.view.solutions : [];
    this.solution = solutions.findLast((each) => !each.error) ?? null;
    const { solution } = this;
    byId('count').textContent = solution ? solution.moves.length : '–';
    byId('player').hidden = !solution?.moves;
    this.mark();
    say(byId('verdict'), solution ? `✓ ${solution.is_optimal ? 'shortest' : `${solution.shortest} suffice`}, replayed` : '');
    byId('verdict').className = `tag ${solution?.is_optimal ? 'ok' : 'warn'}`;
    byId('answers').replaceChildren(...(solutions.length ? [this.head(), ...solutions.map(row)] : []));
  }

  head() {
    const names = ['by', 'moves', 'cycles', 'ms', 'the paper, ms'];
    return element('tr', {}, ...names.map((textContent) => element('th', { textContent, scope: 'col' })));
  }

  mark() {
    const moves = this.solution?.moves ?? '';
    byId('moves').replaceChildren(
      element('b', { textContent: moves.slice(0, this.shown) }),
      element('span', { textContent: moves.slice(this.shown) }),
    );
    byId('start-label').textContent = this.shown ? `after ${this.shown} of ${moves.length}` : 'start';
  }

  /** Show the start board after a number of the answer's moves. */
  go(count) {
    const moves = this.solution?.moves ?? '';
    this.shown = Math.max(0, Math.min(count, moves.length));
    let letters = this.from;
    for (const move of moves.slice(0, this.shown)) letters = moved(letters, move);
    this.start.show(letters, SLIDE_MS);
    this.mark();
  }

  play() {
    this.pause();
    if (this.shown === this.solution.moves.length) this.go(0);
    byId('play').textContent = 'Pause';
    this.timer = setInterval(() => {
      this.go(this.shown + 1);
      if (this.shown === this.solution?.moves.length) this.pause();
    }, BEAT_MS);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    byId('play').textContent = 'Play';
  }

  offer() {
    const isBusy = ['connecting', 'running', 'stopping'].includes(this.board.phase);
    const can = Boolean(this.board.address) && !isBusy && !this.board.is_lost;
    byId('solve').disabled = !can;
    byId('compare').disabled = !can || !this.board.is_simulated;
    byId('compare').title = this.board.is_simulated ? '' : 'Each algorithm is another program: on a real board your hand is needed between them.';
    byId('solve').textContent = this.view.asking ? 'Solving …' : 'Solve on the board';
  }
}

function row(solution) {
  const name = element('th', { textContent: solution.algorithm, scope: 'row' });
  if (solution.error) return element('tr', {}, name, element('td', { colSpan: 4, className: 'warn', textContent: solution.error }));
  const own = element('td', { textContent: grouped(solution.cycles), title: `${grouped(solution.timer_cycles)} by the board’s timer, with the call and the timer itself` });
  const published = solution.published_ms === null ? '–' : grouped(solution.published_ms);
  const which = solution.is_published ? solution.published : `${solution.published}, another instance of ${solution.shortest} moves`;
  return element('tr', {}, name,
    element('td', { textContent: solution.moves.length }), own,
    element('td', { textContent: grouped(solution.milliseconds) }),
    element('td', { textContent: published, title: which }));
}
