// The Board page: draws what the dashboard tells, and knows nothing else.

import { BoardCard } from '/assets/board_card.js';
import { BoardPicture } from '/assets/board_picture.js';
import { ConsoleView } from '/assets/console_view.js';
import { on } from '/assets/link.js';
import { ProgramPanel } from '/assets/program_panel.js';
import { PuzzlePanel } from '/assets/puzzle_panel.js';
import '/assets/shell.js';

const picture = new BoardPicture();
const card = new BoardCard();
const console_ = new ConsoleView();
new ProgramPanel();
new PuzzlePanel();

on('board', (view) => {
  picture.belong(view);
  card.show(view);
  console_.allow(view);
});
on('board-state', (state) => picture.show(state));
