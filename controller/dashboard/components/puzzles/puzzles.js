// The Puzzles page: which puzzle is shown stands in the address; each kind draws itself.

import { button, byId, element, icon } from '/assets/elements.js';
import { save } from '/assets/parts_of_page.js';
import { JobCard } from '/assets/job_card.js';
import { LibraryView } from '/assets/library_view.js';
import { on, order } from '/assets/link.js';
import { PackingPuzzles } from '/assets/packing.js';
import { explainKeys, note } from '/assets/shell.js';
import { SlidingBoard } from '/assets/sliding_board.js';
import { TileBoards } from '/assets/edge_matching.js';
import { UbongoCards } from '/assets/ubongo_cards.js';

const FIRST = 'bedlam';
const SIGNS = { ok: 'tick', warn: 'pause', fault: 'warning' };

/** What all kinds of puzzles share of the page. */
const page = {
  /** Say why something was refused. An answer that is merely shown comes at any time and takes no sentence away. */
  refuse: note,
  order: (command, words) => order(`puzzles/${command}`, words),
  card: new JobCard(byId('job'), {
    onStop: async () => note(await order('puzzles/halt')),
    onResume: (view) => current.pack(view.wanted),
    onPuzzle: (puzzle) => choose(puzzle),
  }),
  setTitle(title, which) {
    byId('title').textContent = title;
    byId('which').textContent = which;
    byId('which').hidden = !which;
  },
  setAddress(words) {
    const address = new URLSearchParams({ puzzle: chosen });
    for (const [name, value] of Object.entries(words)) address.set(name, value);
    history.replaceState(null, '', `?${address}`);
  },
  remark(text) {
    byId('remark').textContent = text;
    byId('remark').hidden = !text;
  },
  /** Offer files: pairs of a button's text and what it saves, `[path, name]`, or null for none. */
  offerSaves(files) {
    byId('saves').replaceChildren(...files.map(([text, file]) => {
      const made = button(text, async () => note(await save(...file)), { kind: 'small' });
      made.disabled = file === null;
      return made;
    }));
  },
};

const packing = new PackingPuzzles(page);
const tiles = new TileBoards(page);
const cards = new UbongoCards(page);
const sliding = new SlidingBoard(page);
const library = new LibraryView(byId('puzzle-list'), { onChosen: pick, refuse: note });
let chosen = '';
let current = packing;

function kindOf(key) {
  if (key.startsWith('tiles-')) return tiles;
  return { ubongo: cards, slide: sliding }[key] ?? packing;
}

function choose(key, wanted = new URLSearchParams()) {
  chosen = key;
  current = kindOf(key);
  byId('middle').replaceChildren(current.root);
  page.offerSaves([]);
  page.remark('');
  note('');
  if (!wanted.has('puzzle')) page.setAddress({});
  library.mark(chosen);
  current.open(key, wanted);
}

/** Choose a puzzle in the list; on a phone that is below the drawing, which comes into view. */
function pick(key) {
  choose(key);
  const drawing = byId('title').closest('section');
  if (drawing.getBoundingClientRect().top < byId('puzzle-list').getBoundingClientRect().top) drawing.scrollIntoView({ block: 'start' });
}

function showResult({ text, result, kind }) {
  return element('li', { className: kind }, icon(SIGNS[kind]),
    element('span', { className: 'grow', textContent: text }), element('b', { className: 'num', textContent: result }));
}

on('puzzles-library', (entries) => library.show(entries));
on('puzzles-recent', (results) => {
  const none = element('li', { className: 'dim', textContent: 'nothing yet' });
  byId('recent').replaceChildren(...(results.length ? results.map(showResult) : [none]));
});
on('puzzles', (view) => {
  page.card.show(view);
  const isRunning = view.phase === 'running';
  library.mark(chosen, isRunning ? view : { puzzle: '', share: null });
  current.update(view);
});
library.takeFiles(byId('open'), byId('file'), byId('drop'));
explainKeys([
  ['← →', 'One step of the solution back or on; of edge matching, another solution'],
  ['← → ↑ ↓', 'On a sliding board: move a tile; on a grid of cells: to the next cell'],
  ['Shift + ← → ↑ ↓', 'On the drawing of a solution: look at it from another side'],
]);
document.addEventListener('keydown', /** @param {any} event */ (event) => {
  if (event.target.closest?.('input, select, textarea, dialog') || event.ctrlKey || event.altKey || event.shiftKey) return;
  current.onKey(event);
});
const address = new URLSearchParams(location.search);
choose(address.get('puzzle') ?? FIRST, address);
