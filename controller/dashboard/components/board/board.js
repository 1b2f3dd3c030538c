// The Board page: draws what the dashboard publishes.

import { BOARD_CARDS } from '/assets/board_cards.js';
import { byId, say } from '/assets/elements.js';
import { BoardPicture } from '/assets/board_picture.js';
import { ConsoleView } from '/assets/console_view.js';
import { on } from '/assets/link.js';
import { ProgramPanel } from '/assets/program_panel.js';
import { PuzzlePanel } from '/assets/puzzle_panel.js';
import { explainKeys } from '/assets/shell.js';
import { StateCard } from '/assets/state_card.js';

const picture = new BoardPicture();
const card = new StateCard(byId('board-card'), BOARD_CARDS);
const console_ = new ConsoleView();
new ProgramPanel();
new PuzzlePanel();

explainKeys([
  ['← → ↑ ↓', 'Among the tiles of the 8-puzzle: to the next place; Enter picks a tile or drops it'],
  ['Enter', 'In the field of your own folder: build it'],
]);
on('board', (view) => {
  picture.belong(view);
  card.show(view);
  say(byId('on-board'), view.on_board.image === 'valid' ? view.on_board.name : '');
  console_.allow(view);
});
on('board-state', (state) => picture.show(state));
