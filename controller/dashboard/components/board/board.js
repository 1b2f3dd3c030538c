// The Board page: draws what the dashboard publishes.

import { BOARD_CARDS } from '/assets/board_cards.js';
import { byId } from '/assets/elements.js';
import { BoardPicture } from '/assets/board_picture.js';
import { ConsoleView } from '/assets/console_view.js';
import { on } from '/assets/link.js';
import { ProgramPanel } from '/assets/program_panel.js';
import { PuzzlePanel } from '/assets/puzzle_panel.js';
import '/assets/shell.js';
import { StateCard } from '/assets/state_card.js';

const picture = new BoardPicture();
const card = new StateCard(byId('board-card'), BOARD_CARDS);
const console_ = new ConsoleView();
new ProgramPanel();
new PuzzlePanel();

on('board', (view) => {
  picture.belong(view);
  card.show(view);
  console_.allow(view);
});
on('board-state', (state) => picture.show(state));
