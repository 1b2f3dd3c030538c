// How far flashing is: phases, one square for each block, bytes and time.

import { byId, clock, element, grouped, hexadecimal, say } from '/assets/elements.js';

const NAMES = { connect: 'Connect', erase: 'Erase', program: 'Program', check: 'Check', verify: 'Verify' };
const OUTCOMES = {
  complete: ['ok', (view) => `Complete: verified, CRC-32 ${view.crc32}, ${times(view)}.`],
  incomplete: ['warn', () => 'Incomplete: the board says so itself and will not start half a program. Flash again whenever you like.'],
  empty: ['warn', () => 'Cut off: the board says that its flash is empty. Flash again whenever you like.'],
  unverified: ['warn', () => 'Cut off before it was verified: the board says that the image is valid, but it was not compared.'],
  unknown: ['fault', () => 'Cut off, and the board does not say what is in flash. Mode switch to red, press reset, and flash again.'],
  untouched: ['', () => 'Nothing was changed on the board.'],
};

/** @param {import('../views').board.FlashView} view */
function times(view) {
  const count = view.silent + view.refused;
  const elsewhere = view.elsewhere ? `, ${view.elsewhere} of them outside programming` : '';
  return count ? `${count} repeated (${view.silent} without an answer, ${view.refused} refused${elsewhere})` : 'nothing repeated';
}

export class FlashSquares {
  constructor() {
    this.addresses = [];
    this.squares = [];
  }

  /** @param {import('../views').board.FlashView} view */
  show(view) {
    const isThere = view.phases.length > 0;
    for (const id of ['phases', 'blocks', 'progress']) byId(id).hidden = !isThere;
    this.layOut(view.addresses);
    this.colour(view);
    this.showPhases(view);
    const share = view.done < view.addresses.length
      ? ` · block ${view.done + 1} of ${view.addresses.length} at ${hexadecimal(view.addresses[view.done] ?? 0)}`
      : ` · ${view.addresses.length} blocks`;
    byId('bytes').replaceChildren(element('b', { textContent: grouped(view.bytes) }), ` of ${grouped(view.total)} bytes${share}`);
    const repeated = view.silent + view.refused;
    byId('repeated').replaceChildren(...(repeated ? [element('i', { className: 'rep' }), `${repeated} repeated`] : []));
    const [kind, words] = OUTCOMES[view.outcome] ?? ['', () => ''];
    byId('outcome').className = `outcome ${kind}`;
    byId('outcome').dataset.outcome = view.outcome;
    say(byId('outcome'), words(view));
    const isOver = view.outcome !== '';
    byId('time').textContent = !isThere ? '' : isOver ? `took ${clock(view.elapsed_s)}` : `${clock(view.elapsed_s)} · about ${clock(view.left_s)} left`;
  }

  layOut(addresses) {
    if (addresses.length === this.addresses.length && addresses.every((each, index) => each === this.addresses[index])) return;
    this.addresses = addresses;
    this.squares = addresses.map(() => element('li'));
    byId('blocks').replaceChildren(...this.squares);
  }

  colour(view) {
    const hasStopped = view.outcome !== '' && view.outcome !== 'complete';
    this.squares.forEach((square, index) => {
      const repeats = view.repeats[index] ?? 0;
      const state = repeats ? 'repeated' : index < view.done ? 'done' : index > view.done ? '' : hasStopped ? 'cut' : 'now';
      if (square.className !== state) square.className = state;
      if (repeats) {
        square.dataset.repeats = repeats;
        square.title = `${hexadecimal(this.addresses[index])}, sent again ${repeats} ${repeats === 1 ? 'time' : 'times'}`;
      }
    });
  }

  showPhases(view) {
    const percent = view.total ? ` ${Math.round(100 * view.bytes / view.total)} %` : '';
    byId('phases').replaceChildren(...view.phases.map(({ name, state }) => element('li', {
      className: `ph ${state}`,
      textContent: (state === 'done' ? '✓ ' : '') + NAMES[name] + (name === 'program' && state === 'now' ? percent : ''),
    })));
  }
}
