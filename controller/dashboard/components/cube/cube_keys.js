// The keys of the Cube page: faces turn, the player plays, Shift and arrows turn the view. The net has its own keys.

import { ALPHABETS } from '/assets/turns.js';

/** What the help says of them. */
export const KEYS = [
  ['U R F D L B', 'Turn a face clockwise, with Shift counterclockwise (O R V U L H in the German letters)'],
  ['← →', 'One move back, one move on'],
  ['Home End', 'To the first move, to the last'],
  ['Space', 'Play the solution or pause; while the robot drives, pause the robot'],
  ['Shift + ← → ↑ ↓', 'Look at the cube from another side'],
  ['Ctrl + Z', 'Undo'],
  ['← → ↑ ↓', 'Among the stickers: to the next one'],
  ['U R F D L B 1 … 6', 'On a sticker: paint it; Backspace takes its colour away'],
];

const TYPING = 'input:not([type=range], [type=radio], [type=checkbox]), select, dialog';
const ROBOTS_SPACE = ['running', 'pausing', 'paused']; // the space bar is the robot's while it drives

/** Listen on the whole page. `alphabet` and `robotPhase` are asked at each key. */
export function listenToKeys({ player, look, turn, undo, alphabet, robotPhase }) {
  const plays = {
    ArrowRight: () => player.step(),
    ArrowLeft: () => player.back(),
    Home: () => player.seek(0),
    End: () => player.seek(player.moves.length),
  };

  function act(event) {
    const key = event.key.toLowerCase();
    const face = key.length === 1 ? ALPHABETS[alphabet()].toLowerCase().indexOf(key) : -1;
    if (look.key(event)) return true;
    if (face >= 0) turn('URFDLB'[face] + (event.shiftKey ? "'" : ''));
    else if (key === ' ' && !event.target.closest('button, a, input')) {
      if (!ROBOTS_SPACE.includes(robotPhase())) player.toggle();
    } else if (plays[event.key] && !event.target.closest('input')) plays[event.key]();
    else return false;
    return true;
  }

  document.addEventListener('keydown', /** @param {any} event */ (event) => {
    if (event.altKey || event.metaKey || event.target.closest(TYPING)) return;
    if (event.ctrlKey && event.key === 'z') undo();
    else if (event.ctrlKey || !act(event)) return;
    event.preventDefault();
  });
  // A button that was clicked does not keep the space bar, which is to play.
  document.addEventListener('click', /** @param {any} event */ (event) => {
    const button = event.target.closest('button:not(.cell)');
    if (button && event.detail > 0) button.blur();
  });
}
