// The search on the right: what can be asked for, how far it is, what it has found.

import { button, element } from '/assets/elements.js';

const TAGS = {
  ready: ['ready', ''], running: ['running', 'accent'], stopped: ['stopped', 'warn'],
  finished: ['finished', 'ok'], fault: ['fault', 'fault'],
};

function large(value) {
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)} million`;
  return Math.round(value).toLocaleString('en');
}

function seconds(value) {
  if (value < 60) return `${Math.ceil(value)} s`;
  if (value < 3600) return `${Math.ceil(value / 60)} min`;
  return `${(value / 3600).toFixed(1)} h`;
}

export class JobCard {
  /** `onStop` ends the search, `onResume` continues it, `onPuzzle` shows whose it is. */
  constructor(root, { onStop, onResume, onPuzzle }) {
    this.root = root;
    this.onStop = onStop;
    this.onResume = onResume;
    this.onPuzzle = onPuzzle;
    this.title = element('h2', { id: 'job-title' });
    this.tag = element('span', { className: 'tag' });
    this.facts = element('div', { className: 'facts-of-search' });
    this.asking = element('div', { className: 'asking' });
    root.replaceChildren(
      element('header', {}, this.title, this.tag), this.facts, this.asking);
    this.puzzle = '';
  }

  /** Offer what can be asked for of a puzzle; `name` says what all of it is. */
  offer(puzzle, name, ...controls) {
    this.puzzle = puzzle;
    this.name = name;
    this.asking.replaceChildren(...controls);
    if (this.view) this.show(this.view);
  }

  /** Show the search, in full if it is this puzzle's, or still runs. */
  show(view) {
    this.view = view;
    const isRunning = view.phase === 'running';
    const isOurs = view.puzzle === this.puzzle;
    const [word, kind] = isOurs || isRunning ? TAGS[view.phase] : TAGS.ready;
    this.root.dataset.phase = isOurs || isRunning ? view.phase : 'ready';
    this.title.textContent = isOurs || isRunning ? view.heading || this.name : this.name;
    this.tag.textContent = word;
    this.tag.className = `tag ${kind}`;
    this.asking.hidden = isRunning;
    const parts = [];
    if (isRunning && !isOurs) parts.push(this.#whose(view));
    if (isOurs || isRunning) parts.push(...this.#facts(view, isRunning));
    this.facts.replaceChildren(...parts);
  }

  #whose(view) {
    const whose = button(view.title, () => this.onPuzzle(view.puzzle), { kind: 'small' });
    return element('p', { className: 'sec' }, 'Searched is: ', whose);
  }

  #facts(view, isRunning) {
    const parts = [];
    if (view.found !== null) {
      parts.push(element('p', { className: 'huge num', id: 'found', textContent: view.found.toLocaleString('en') }),
        element('p', { className: 'sec', textContent: view.found_words }));
    } else if (isRunning) parts.push(element('p', { className: 'sec', textContent: view.sentence || 'Getting ready.' }));
    if (view.share !== null) parts.push(...this.#share(view, isRunning));
    else if (isRunning) parts.push(element('progress', { className: 'bar thick', ariaLabel: 'Searching' }));
    parts.push(this.#numbers(view));
    if (isRunning) parts.push(button('Stop and keep', this.onStop, { symbol: 'pause', kind: 'wide' }));
    if (view.sentence && !(isRunning && view.found === null)) {
      parts.push(element('p', { className: view.phase === 'fault' ? 'sec fault' : 'dim small-text', textContent: view.sentence }));
    }
    if (view.can_resume && view.phase !== 'running') {
      parts.push(button('Resume', () => this.onResume(view), { symbol: 'play', kind: 'primary wide' }));
    }
    return parts;
  }

  #share(view, isRunning) {
    const bar = element('progress', { className: 'bar thick', max: 1, value: view.share, ariaLabel: 'Share of the search' });
    const before = view.share_before ? ` searched, ${Math.floor(100 * view.share_before)} % of it before` : ' searched';
    const left = isRunning && view.left_s !== null ? `about ${seconds(view.left_s)} left` : '';
    const squares = element('div', { className: 'parts', ariaHidden: 'true' },
      ...[...view.parts].map((each) => element('i', { className: each })));
    return [bar, element('div', { className: 'row between num' },
      element('span', {}, element('b', { textContent: `${Math.floor(100 * view.share)} %` }), element('span', { className: 'dim', textContent: before })),
      element('span', { className: 'dim', textContent: left })), squares];
  }

  #numbers(view) {
    const list = element('dl', { className: 'numbers num' });
    const add = (name, text) => list.append(element('dt', { textContent: name }), element('dd', { textContent: text }));
    if (view.total !== null) add('With all turned images', view.total.toLocaleString('en'));
    if (view.nodes) add('Nodes', large(view.nodes));
    const since = view.nodes - view.nodes_before; // the seconds are those of this search, too
    if (since > 1e5 && view.seconds > 0.1) add('Speed', `${large(since / view.seconds)} / s`);
    if (view.seconds) add('Time', `${view.seconds.toFixed(1)} s`);
    if (view.workers) add('Workers', String(view.workers));
    return list;
  }
}

/** Make the choice of how many processes search. */
export function workersChoice() {
  const most = Math.max(1, Math.min(16, navigator.hardwareConcurrency || 1));
  const select = element('select', { id: 'workers', ariaLabel: 'How many processes search' });
  for (let number = 1; number <= most; number += 1) {
    select.append(element('option', { value: number, selected: number === most, textContent: number === 1 ? '1 worker' : `${number} workers` }));
  }
  return select;
}
