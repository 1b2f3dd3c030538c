// The Cube page: joins start and target, which are of this tab, the player, the search and the robot.

import { SOLVED } from '/assets/cube_state.js';
import { byId } from '/assets/elements.js';
import { isInRig } from '/assets/confirm_cube.js';
import { HandScan } from '/assets/hand_scan.js';
import { KEYS, listenToKeys } from '/assets/cube_keys.js';
import { LookAround } from '/assets/look_around.js';
import { ask, on, order } from '/assets/link.js';
import { Player } from '/assets/player.js';
import { PositionEditor } from '/assets/position_editor.js';
import { keepAlphabet, keepPreferences } from '/assets/preferences.js';
import { whyNot } from '/assets/robot_offer.js';
import { explainKeys, note } from '/assets/shell.js';
import { Solutions } from '/assets/solutions.js';
import { written } from '/assets/turns.js';

const LOOKED_AT_MS = 1000; // who stays that long may want a search; it is compiled meanwhile
const EMPTY = 'Scramble, scan, or paint.';
const address = new URLSearchParams(location.search);
const isForRobot = address.get('for') === 'robot';
let phase = 'none';
let awaiting = null; // the position for which a scan was asked for here
let isByHand = false; // it was: a doubtful reading may be followed by a better one
let preparing = ''; // what is compiled before the first search of all
let isEntered = false; // a person has changed the start: no late position replaces that
let aim = null; // the target as the cube is held, or null while the dashboard is asked
let search = null; // the hub's last search, if it is for this cube
let lastSearch = null;
let chosen = null;
let alphabet = 'standard';

/** @type {PositionEditor} */
const start = editor('start', 'Start');
/** @type {PositionEditor} */
const target = editor('target', 'Target');
let edited = start; // the position that Ctrl+Z changes
const player = new Player({ says: () => (start.facelets === SOLVED ? EMPTY : '') });
const solutions = new Solutions(byId('found'), { onChoose: choose, onStage: (at) => player.seek(at) });

function editor(id, title) {
  const made = new PositionEditor(id, title, {
    onChange: positionChanged,
    onChecked: takeAim,
    onEdit: () => enter(made),
    onScan: () => scan(made),
    onHand: (button) => hand.toggle(button, made),
    alphabet: () => alphabet,
  });
  return made;
}

/** The target as the dashboard takes it: '' for solved. */
const wanted = () => (target.facelets === SOLVED ? '' : target.facelets);

function keepAddress() {
  const words = new URLSearchParams();
  words.set('facelets', start.facelets);
  if (wanted()) words.set('target', wanted());
  if (isForRobot) words.set('for', 'robot');
  history.replaceState(null, '', `/cube?${words}`);
}

/** Another start or target: what was found for the one before is not for it. */
function positionChanged() {
  chosen = null;
  if (player.facelets !== start.facelets || player.moves.length) player.show(start.facelets);
  keepAddress();
  takeSearch(lastSearch);
  takeAim();
}

/** Ask how the target looks when the cube is held like the start. */
async function takeAim() {
  aim = wanted() ? null : { upright: null, error: '' };
  showActions();
  if (aim || !start.checked?.is_legal || !target.checked?.is_legal) return;
  const words = { facelets: start.facelets, target: wanted() };
  const { error, answer } = await ask('cube/aim', words);
  if (words.facelets !== start.facelets || words.target !== wanted()) return;
  aim = { upright: answer?.upright ?? null, error };
  showActions();
}

/** Note that a person changes a position: what arrives late is offered and replaces nothing. */
function enter(position) {
  edited = position;
  if (position === start) isEntered = true;
  if (position === awaiting) awaiting = null;
}

/** Show a reading where it was asked for, and offer it elsewhere. */
function takeReading(reading) {
  for (const position of [start, target]) position.offer(awaiting ? null : reading);
  if (!awaiting) return;
  awaiting.take(reading);
  if (!isByHand || reading.verdict === 'accepted') awaiting = null;
}

function showActions() {
  const isRunning = search?.state === 'running' || lastSearch?.state === 'running';
  const canSolve = start.checked?.is_legal && target.checked?.is_legal && !aim?.error;
  byId('solve').disabled = !isRunning && !canSolve;
  byId('solve').textContent = isRunning ? 'Stop the search' : 'Solve';
  const why = whyNot({ phase, start, target, aim });
  byId('why-not').textContent = why;
  byId('on-robot').disabled = Boolean(why);
  byId('use-position').disabled = !start.checked?.is_legal;
}

/** Show a search if it is for the start and the target that are shown here. */
function takeSearch(next) {
  lastSearch = next;
  const isOurs = next && next.facelets === start.facelets && next.target === wanted();
  search = isOurs && next.state !== 'none' ? next : null;
  const best = search?.solutions[0] ?? null;
  const isKnown = search?.solutions.some(({ moves }) => moves.join() === chosen?.moves.join());
  if (best && (!isKnown || (search.state === 'running' && player.at === 0))) play(best);
  drawSolutions();
  showActions();
}

function play(solution) {
  if (chosen?.moves.join() === solution.moves.join() && player.moves.length) return;
  chosen = solution;
  const parts = search.stages.map(({ name, moves }) => ({ name, count: moves.length }));
  player.show(start.facelets, solution.moves, parts);
}

function choose(solution) {
  play(solution);
  drawSolutions();
}

function drawSolutions() {
  const now = search?.solutions.find(({ moves }) => moves.join() === chosen?.moves.join());
  const hint = preparing || search?.sentence || 'Solve looks for ever better solutions, and says how long your robot takes for each.';
  solutions.show(search, now, hint);
  byId('replayed').hidden = !now;
  byId('copy-moves').hidden = !now?.moves.length;
  byId('player-title').textContent = now ? 'Solution' : 'Cube';
  byId('searched').textContent = searchedWords();
}

function searchedWords() {
  if (!search || search.method === 'layers') return '';
  const spent = `${search.spent_s.toFixed(1)} s of ${search.of_s} s`;
  if (search.state === 'running') return search.solutions.length ? `searching: ${spent}` : 'searching';
  if (search.state === 'done') return `searched ${spent}, ${search.candidates} solutions`;
  return search.sentence;
}

async function solve() {
  if (lastSearch?.state === 'running') {
    note(await order('cube/halt'));
    return;
  }
  const { error } = await ask('cube/solve', {
    facelets: start.facelets, target: wanted(),
    method: byId('method').value, search_s: Number(byId('seconds').value),
  });
  note(error);
}

async function solveOnRobot() {
  const answer = await isInRig(start.facelets);
  if (!answer) return;
  const known = answer === 'yes' ? { facelets: start.facelets } : {};
  const error = await order('robot/solve', { ...known, target: aim.upright });
  note(error);
  if (!error) location.href = '/robot';
}

async function scan(position) {
  const before = awaiting; // a second click is refused, and the first scan goes on
  awaiting = position;
  isByHand = false;
  const error = await order('robot/scan');
  if (error) awaiting = before;
  note(error || 'The robot shows the cube to the camera.');
}

/** Copy the moves that are played, as they are typed. */
async function copyMoves() {
  const moves = chosen.moves.map((move) => written(move, alphabet).replace('′', "'")).join(' ');
  try {
    await navigator.clipboard.writeText(moves);
    note(`Copied: ${moves}`);
  } catch {
    note(`The browser does not let this page copy: ${moves}`);
  }
}

async function turn(move) {
  if (start.facelets.includes('?')) return;
  const turning = player.turn(move);
  start.replace(player.facelets);
  await turning;
}

/** Start with the robot's last known position, of which most is right still. */
function startFromRig({ facelets }) {
  if (!isEntered && !facelets.includes('?')) start.set(facelets);
}

async function offerPatterns() {
  const { answer } = await ask('cube/patterns');
  for (const position of [start, target]) position.offerPatterns(answer?.positions ?? {});
}

keepPreferences();
keepAlphabet((next) => {
  alphabet = next;
  player.write(next);
  solutions.alphabet = next;
  drawSolutions();
});
byId('copy-moves').onclick = copyMoves;
byId('solve').onclick = solve;
byId('on-robot').onclick = solveOnRobot;
byId('use-position').onclick = solveOnRobot;
byId('method').onchange = () => { byId('seconds').hidden = byId('method').value === 'layers'; };
byId('for-robot').hidden = !isForRobot;
listenToKeys({
  player, look: new LookAround(byId('scene')), turn, undo: () => edited.undo(), alphabet: () => alphabet, robotPhase: () => phase,
});

const hand = new HandScan({
  refuse: note,
  onStart: (position) => {
    awaiting = position;
    isByHand = true;
  },
});
offerPatterns();
explainKeys(KEYS);
const given = address.get('facelets');
target.begin(address.get('target'));
start.begin(given);
if (isForRobot && !given) on('rig-cube', startFromRig);
on('cube-search', takeSearch);
on('cube-preparing', (sentence) => {
  preparing = sentence;
  drawSolutions();
});
setTimeout(() => order('cube/prepare'), LOOKED_AT_MS);
on('robot', (view) => {
  phase = view.phase;
  if (!isByHand && ['none', 'fault', 'uncertain', 'stopped'].includes(phase)) awaiting = null;
  showActions();
});
on('cube-reading', (reading) => {
  if (reading) takeReading(reading);
});
