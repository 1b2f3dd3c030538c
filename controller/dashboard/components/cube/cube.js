// The Cube page: joins the cube of this tab, the net, the player, the search and the robot.

import { CubeState, SOLVED } from '/assets/cube_state.js';
import { byId } from '/assets/elements.js';
import { isInRig } from '/assets/confirm_cube.js';
import { HandScan } from '/assets/hand_scan.js';
import { KEYS, listenToKeys } from '/assets/cube_keys.js';
import { LookAround } from '/assets/look_around.js';
import { ask, on, order } from '/assets/link.js';
import { Player } from '/assets/player.js';
import { keepAlphabet, keepPreferences } from '/assets/preferences.js';
import { Remark } from '/assets/remark.js';
import { whyNot } from '/assets/robot_offer.js';
import { explainKeys, note } from '/assets/shell.js';
import { Solutions } from '/assets/solutions.js';
import { nameOf, Palette, StickerNet } from '/assets/sticker_net.js';
import { Target } from '/assets/target.js';
import { written } from '/assets/turns.js';

const LOOKED_AT_MS = 1000; // who stays that long may want a search; it is compiled meanwhile
const EMPTY = 'Scramble, scan, or paint.';
const CLEARED = [...SOLVED].map((colour, index) => (index % 9 === 4 ? colour : '?')).join('');
const address = new URLSearchParams(location.search);
const isForRobot = address.get('for') === 'robot';
let phase = 'none';
let latest = null; // the last reading of the camera
let isAwaited = false; // a scan was asked for here
let preparing = ''; // what is compiled before the first search of all
let isEntered = false; // a person has typed, painted or turned: no late position replaces that
let isByHand = false; // it was: a doubtful reading may be followed by a better one
let search = null; // the hub's last search, if it is for this cube
let lastSearch = null;
let chosen = null;
let alphabet = 'standard';

const state = new CubeState({ onChange: cubeChanged, onChecked: showChecked });
const player = new Player({ says: () => (state.facelets === SOLVED ? EMPTY : '') });
const target = new Target(address.get('target') ?? '', { onChange: retargeted, onAimed: showActions });
const palette = new Palette(byId('palette'));
const net = new StickerNet(byId('net'), palette, { onPaint: paint, onLook: look });
const solutions = new Solutions(byId('found'), { onChoose: choose, onStage: (at) => player.seek(at) });
const remark = new Remark(byId('remark'), {
  onPaint: paint, onAccept: () => { enter(); state.accept(); }, onTake: () => takeReading(latest),
});

function keepAddress() {
  const words = new URLSearchParams();
  words.set('facelets', state.facelets);
  if (target.text) words.set('target', target.text);
  if (isForRobot) words.set('for', 'robot');
  history.replaceState(null, '', `/cube?${words}`);
}

/** Another cube: what was found for the one before is not for it. */
function cubeChanged() {
  chosen = null;
  if (player.facelets !== state.facelets || player.moves.length) player.show(state.facelets);
  byId('text').value = state.facelets;
  byId('text-error').hidden = true;
  byId('undo').disabled = !state.canUndo;
  keepAddress();
  drawNet();
  takeSearch(lastSearch);
  target.aim(state.facelets, alphabet);
}

function drawNet() {
  const doubts = state.reading && state.reading.verdict !== 'accepted' ? state.reading.doubts : [];
  net.show(state.facelets, {
    ringed: state.checked?.ringed ?? [], doubted: doubts.map(({ index }) => index),
  });
  drawRemark(doubts[0]);
  showActions();
}

function drawRemark(doubt) {
  const tag = byId('legality');
  const { checked, reading } = state;
  const isUnsure = reading && reading.verdict !== 'accepted';
  tag.className = `tag ${!checked ? '' : !checked.is_legal ? 'fault' : isUnsure ? 'warn' : 'ok'}`;
  tag.textContent = !checked ? 'checking' : !checked.is_legal ? 'not a cube yet' : isUnsure ? 'doubtful' : 'a legal cube';
  if (checked && !checked.is_legal) remark.wrong(checked.sentence);
  else if (doubt) remark.doubt(reading, doubt);
  else if (isUnsure) remark.say(reading.reasons.join(' '));
  else if (latest && latest.number !== reading?.number) remark.offer(latest);
  else remark.say('Click to paint. With the keys: arrows lead to a sticker, letters or 1 to 6 paint it.');
}

function showChecked() {
  drawNet();
}

function look(index) {
  const doubt = state.reading?.verdict === 'accepted' ? null : state.reading?.doubts.find((each) => each.index === index);
  if (doubt) drawRemark(doubt);
}

/** Note that a person changes the cube: what arrives late is offered and replaces nothing. */
function enter() {
  isEntered = true;
  isAwaited = false;
}

async function paint(index, colour) {
  enter();
  note(await state.paint(index, nameOf(index), colour));
}

function takeReading(reading) {
  isAwaited = isByHand && reading.verdict !== 'accepted';
  state.set(reading.facelets, { reading });
}

function showActions() {
  const { checked, reading } = state;
  const isRunning = search?.state === 'running' || lastSearch?.state === 'running';
  byId('solve').disabled = !isRunning && (!checked?.is_legal || Boolean(target.error));
  byId('solve').textContent = isRunning ? 'Stop the search' : 'Solve';
  const why = whyNot({ phase, checked, reading }) || target.error;
  byId('why-not').textContent = why;
  byId('on-robot').disabled = Boolean(why);
  target.show(Boolean(checked?.is_legal));
  byId('use-position').disabled = !checked?.is_legal;
}

/** Show a search if it is for the cube and the target that are shown here. */
function takeSearch(next) {
  lastSearch = next;
  const isOurs = next && next.facelets === state.facelets && next.target === target.text;
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
  player.show(state.facelets, solution.moves, parts);
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
    facelets: state.facelets, target: target.text, alphabet,
    method: byId('method').value, search_s: Number(byId('seconds').value),
  });
  note(error);
}

async function solveOnRobot() {
  const answer = await isInRig(state.facelets);
  if (!answer) return;
  const known = answer === 'yes' ? { facelets: state.facelets } : {};
  const error = await order('robot/solve', { ...known, target: target.upright });
  note(error);
  if (!error) location.href = '/robot';
}

async function scan() {
  const wasAwaited = isAwaited; // a second click is refused, and the first scan goes on
  isAwaited = true;
  isByHand = false;
  const error = await order('robot/scan');
  if (error) isAwaited = wasAwaited;
  note(error || 'The robot shows the cube to the camera.');
}

async function takeText() {
  enter();
  const { error, answer } = await ask('cube/check', { text: byId('text').value, alphabet });
  const refusal = error || (answer.facelets ? '' : answer.sentence);
  byId('text-error').textContent = refusal;
  byId('text-error').hidden = !refusal;
  if (!refusal) state.set(answer.facelets);
}

async function scramble() {
  enter();
  const { error, answer } = await ask('cube/scramble');
  note(error);
  if (!error) state.set(answer.facelets);
}

async function copy() {
  byId('text').select();
  await navigator.clipboard.writeText(byId('text').value).catch(() => document.execCommand('copy'));
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
  if (state.facelets.includes('?')) return;
  enter();
  const turning = player.turn(move);
  state.set(player.facelets);
  await turning;
}

/** Start with the robot's last known position, of which most is right still. */
function startFromRig({ facelets }) {
  if (!isEntered && !facelets.includes('?')) state.set(facelets, { isNew: false });
}

function undo() {
  enter();
  state.undo();
}

function replace(facelets) {
  enter();
  state.set(facelets);
}

function retargeted() {
  keepAddress();
  takeSearch(lastSearch);
  if (!search) player.show(state.facelets);
  target.aim(state.facelets, alphabet);
}

keepPreferences();
keepAlphabet((next) => {
  alphabet = next;
  player.write(next);
  solutions.alphabet = next;
  drawSolutions();
});
byId('undo').onclick = undo;
byId('scan').onclick = scan;
byId('scramble').onclick = scramble;
byId('solved').onclick = () => replace(SOLVED);
byId('clear').onclick = () => replace(CLEARED);
byId('copy').onclick = copy;
byId('copy-moves').onclick = copyMoves;
byId('text').oninput = enter;
byId('text-form').onsubmit = (event) => {
  event.preventDefault();
  takeText();
};
byId('solve').onclick = solve;
byId('on-robot').onclick = solveOnRobot;
byId('use-position').onclick = solveOnRobot;
byId('method').onchange = () => { byId('seconds').hidden = byId('method').value === 'layers'; };
byId('for-robot').hidden = !isForRobot;
listenToKeys({
  player, look: new LookAround(byId('scene')), turn, undo, alphabet: () => alphabet, robotPhase: () => phase,
});

new HandScan({ refuse: note, onStart: () => { isAwaited = true; isByHand = true; } });
target.fill();
explainKeys(KEYS);
const given = address.get('facelets');
const areColours = /^[URFDLB?]{54}$/.test(given ?? '');
state.set(areColours ? given : given === null ? SOLVED : CLEARED, { isNew: false });
if (given !== null && !areColours) { // moves or other letters, or an error that is shown
  byId('text').value = given;
  takeText();
}
if (isForRobot && !given) on('rig-cube', startFromRig);
on('cube-search', takeSearch);
on('cube-preparing', (sentence) => {
  preparing = sentence;
  drawSolutions();
});
setTimeout(() => order('cube/prepare'), LOOKED_AT_MS);
on('robot', (view) => {
  phase = view.phase;
  if (!isByHand && ['none', 'fault', 'uncertain', 'stopped'].includes(phase)) isAwaited = false;
  showActions();
});
on('cube-reading', (reading) => {
  latest = reading;
  if (reading && isAwaited) takeReading(reading);
  else drawNet();
});
