// The program: chosen, built, with its memory bars; and what starts and ends flashing.

import { byId, element, grouped, say } from '/assets/elements.js';
import { FlashSquares } from '/assets/flash_squares.js';
import { ask, on, order } from '/assets/link.js';

const MOST_BYTES = 256 * 1024;
const OWN = '';
const NEARLY_FULL = 0.9;
const WORDS = { code: 'Code', xdata: 'xdata', 'internal RAM': 'Internal RAM', 'stack, worst case': 'Stack, worst case' };

function memory({ name, used, limit, note: remark }) {
  const bar = element('progress', { className: 'bar', max: limit, value: Math.min(used, limit), ariaLabel: `${WORDS[name] ?? name}, used` });
  const figure = element('span', { className: 'num dim' }, element('b', { textContent: grouped(used) }), ` of ${grouped(limit)} bytes`);
  const kind = used > limit ? 'over' : used > NEARLY_FULL * limit ? 'tight' : '';
  return element('div', { className: `memory ${kind}`, title: remark }, element('div', { className: 'row between' }, element('b', { textContent: WORDS[name] ?? name }), figure), bar);
}

export class ProgramPanel {
  constructor() {
    this.program = { state: 'empty' };
    this.board = { phase: 'none' };
    const squares = new FlashSquares();
    on('board-applications', (names) => {
      byId('application').replaceChildren(
        ...names.map((name) => element('option', { value: name, textContent: name })),
        element('option', { value: OWN, textContent: 'folder or file of your own …' }),
      );
    });
    on('board-program', (view) => this.show(view));
    on('board-flash', (view) => { this.flash = view; squares.show(view); this.offer(); });
    on('board', (view) => { this.board = view; this.offer(); });
    byId('application').onchange = () => { byId('own').hidden = byId('application').value !== OWN; };
    byId('build').onclick = () => this.send('build', { program: byId('application').value || byId('source').value.trim() });
    byId('source').onkeydown = (event) => { if (event.key === 'Enter') byId('build').click(); };
    byId('file').onchange = () => { this.open(byId('file').files[0]); byId('file').value = ''; };
    byId('flash').onclick = () => this.send('flash');
    byId('flash-run').onclick = () => this.send('flash', { run: true });
    byId('cancel').onclick = () => this.send('cancel');
    byId('start').onclick = () => this.send('run');
    this.takeDrops();
  }

  takeDrops() {
    const panel = byId('program');
    panel.ondragover = (event) => { event.preventDefault(); panel.classList.add('drop'); };
    panel.ondragleave = () => panel.classList.remove('drop');
    panel.ondrop = (event) => {
      event.preventDefault();
      panel.classList.remove('drop');
      this.open(event.dataTransfer.files[0]);
    };
  }

  async send(command, words = {}) {
    say(byId('program-error'), await order(`board/${command}`, words));
  }

  /** Send a file's bytes, then its name; the name is shown and is nothing else. */
  async open(file) {
    if (!file) return;
    if (file.size > MOST_BYTES) {
      say(byId('program-error'), `${file.name} has ${grouped(file.size)} bytes; an image may have ${grouped(MOST_BYTES)}.`);
      return;
    }
    const { error, answer } = await ask('board/open', file);
    if (error) say(byId('program-error'), error);
    else await this.send('take', { opened: answer.opened, name: file.name });
  }

  /** @param {import('../views').board.ProgramView} view */
  show(view) {
    this.program = view;
    say(byId('program-name'), view.name);
    say(byId('program-error'), view.error);
    byId('program-empty').hidden = view.state !== 'empty';
    byId('memories').replaceChildren(...view.memory.map(memory));
    say(byId('chain'), view.chain.length ? `Deepest chain: ${view.chain.join(' → ')}` : '');
    byId('remarks').hidden = view.remarks.length === 0;
    byId('remarks').querySelector('summary').textContent = view.remarks.length === 1 ? 'One remark of the build' : `${view.remarks.length} remarks of the build`;
    byId('remarks').querySelector('ul').replaceChildren(...view.remarks.map((text) => element('li', { textContent: text })));
    this.offer();
  }

  /** Offer what can be done now, and say which button to press on a real board, and when. */
  offer() {
    const isBusy = ['connecting', 'running', 'stopping'].includes(this.board.phase);
    const isBuilding = this.program.state === 'building';
    const canFlash = this.program.state === 'ready' && Boolean(this.board.address) && !this.board.is_lost && !isBusy;
    byId('flash').disabled = byId('flash-run').disabled = !canFlash;
    byId('flash').hidden = byId('flash-run').hidden = isBusy;
    byId('build').disabled = isBusy || isBuilding;
    byId('build').textContent = isBuilding ? 'Building …' : 'Build';
    byId('cancel').hidden = !isBusy && !isBuilding;
    byId('cancel').disabled = this.board.phase === 'stopping';
    byId('start').hidden = isBusy || this.flash?.outcome !== 'complete' || !this.board.address;
    byId('hint').textContent = this.hint(isBusy);
  }

  hint(isBusy) {
    const { board, program } = this;
    if (isBusy && this.flash?.phases.length) return 'Cancel is safe: the image stays incomplete, and the board will not start half a program.';
    if (isBusy) return '';
    if (program.state === 'ready' && !board.address) return 'Connect a board to flash this, or start a simulated one.';
    if (program.state !== 'ready' || board.is_simulated) return '';
    if (this.flash?.outcome === 'complete') return 'To start it: press Run here, or mode switch to green (run) and press reset.';
    return 'Before you flash: mode switch to red (load), press reset; the red LED is on.';
  }
}
