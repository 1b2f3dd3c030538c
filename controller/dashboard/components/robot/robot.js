// The Robot page: draws what the dashboard publishes.

import { CameraView } from '/assets/camera_view.js';
import { ConnectDialog } from '/assets/connect_dialog.js';
import { Cube3d } from '/assets/cube3d.js';
import { byId, clock, element } from '/assets/elements.js';
import { JogPad, JOG_KEYS } from '/assets/jog_pad.js';
import { JournalView } from '/assets/journal_view.js';
import { on } from '/assets/link.js';
import { MotorsView } from '/assets/motors_view.js';
import { PlanStrip } from '/assets/plan_strip.js';
import { RigPicture } from '/assets/rig_picture.js';
import { HistoryView, RunsView } from '/assets/runs_view.js';
import { explainKeys, robot, togglePause } from '/assets/shell.js';
import { robotCards } from '/assets/robot_cards.js';
import { StateCard } from '/assets/state_card.js';

const DOES = {
  tilt: 'the cube is rolled forwards',
  spin: 'the whole cube is turned',
  turn: 'the bottom layer is turned, the rest is held',
};
const cube = new Cube3d(byId('scene'), { hasPlate: true });
const plan = new PlanStrip(byId('plan'));
const card = new StateCard(byId('state'), robotCards(new ConnectDialog(byId('connect'))));
const motors = new MotorsView(byId('angles'), byId('plot'));
const jog = new JogPad(byId('jog'));
const picture = new RigPicture(byId('rig-picture'));
const runs = new RunsView(byId('runs'));
const history = new HistoryView(byId('solves-plot'), byId('solves'));
const camera = new CameraView(byId('frame'), byId('cap'));
const journal = new JournalView(byId('log'));
/** @type {import('../views').robot.Phase[]} */
const IDLE = ['ready', 'stopped', 'fault', 'uncertain', 'finished'];
/** @type {import('../views').robot.Phase[]} */
const RESTING = ['paused', 'stopped', 'fault'];
const FACES = 6; // places for the pictures of a scan, so that nothing moves when they come
let blocks = [];
/** @type {import('../views').robot.RobotView} */
let view = null;

function stageElement(stage, index) {
  const isDone = stage.state === 'done';
  const isDriving = index === 2 && stage.state === 'now' && view.total > 0;
  const title = isDriving ? `Drive ${Math.min(view.finished + 1, view.total)} of ${view.total}` : stage.title;
  const detail = isDriving ? `${clock(view.elapsed_s)} · about ${clock(view.remaining_s)} left` : stage.detail;
  return element('div', { className: `stage ${stage.state}` },
    element('span', { className: 'n num', textContent: isDone ? '✓' : String(index + 1) }),
    element('div', { className: 'grow' },
      element('div', { className: 'row between' },
        element('b', { className: 'num', textContent: title }),
        element('small', { className: 'num', textContent: detail })),
      isDriving && element('progress', { className: 'bar', max: view.total, value: view.finished, ariaLabel: 'Primitives done' })));
}

function showRobot(next) {
  view = next;
  byId('stages').replaceChildren(...view.stages.map(stageElement));
  card.show(view);
  jog.show(view.phase, view.motors);
  picture.set(view.rig);
  runs.set(view.phase);
  motors.retry(view.retries);
  byId('motors-panel').hidden = !view.address;
  byId('drive-speed').textContent = view.is_simulated ? `simulated, ${view.speed}×` : view.address;
  byId('battery').hidden = !view.battery;
  byId('battery').className = `tag num ${view.battery?.is_low ? 'fault' : ''}`;
  byId('battery').textContent = view.battery ? `${view.battery.volts.toFixed(1)} V${view.battery.is_low ? ', battery low' : ''}` : '';
  showCalibration();
  camera.set(view.has_camera, view.phase);
  showPrimitive();
  showLooks();
  byId('steady').textContent = view.steady;
  byId('steady').hidden = !view.steady;
  const confidence = view.confidence === null ? '' : ` · ${(100 * view.confidence).toFixed(2)} %`;
  byId('verdict').textContent = view.verdict ? view.verdict + confidence : 'nothing yet';
  byId('verdict').className = `tag ${{ accepted: 'ok', doubtful: 'warn', rescan: 'fault' }[view.verdict] ?? ''}`;
  byId('reasons').textContent = view.reasons.join(' ');
  byId('planned').textContent = view.planned_s ? `${view.planned_s.toFixed(1)} s` : '–';
  const behind = view.behind_s.toFixed(1);
  byId('behind').textContent = view.finished ? `${view.behind_s >= 0 ? '+' : ''}${behind} s` : '–';
  byId('retries').textContent = view.retries;
  byId('rescans').textContent = view.rescans;
  byId('journal-name').textContent = view.journal;
  const isPaused = view.phase === 'paused' || view.phase === 'pausing';
  const pause = byId('pause');
  pause.disabled = !['running', 'pausing', 'paused'].includes(view.phase);
  pause.querySelector('span').textContent = isPaused ? 'Resume' : 'Pause';
  pause.querySelector('use').setAttribute('href', isPaused ? '#i-play' : '#i-pause');
}

function showCalibration() {
  const isOwn = view.address && !view.is_simulated;
  byId('calibrate').disabled = !isOwn || !IDLE.includes(view.phase);
  byId('calibrate-why').textContent = !view.address ? 'Connect your robot first.'
    : view.is_simulated ? 'This robot is simulated: its times would take the place of your own robot’s.' : '';
  const drives = byId('calibrate-drive');
  if (drives.children.length === view.drives.length) return;
  drives.replaceChildren(...view.drives.map((name) => element('option', { value: name, textContent: name })));
}

function showPrices(prices) {
  byId('prices').replaceChildren(...prices.map(({ primitive, seconds }) => element('div', {},
    element('dt', { className: 'lab', textContent: primitive.replace('+', '') }),
    element('dd', { className: 'num', textContent: `${seconds.toFixed(2)} s` }))));
}

function showLooks() {
  const wanted = Array.from({ length: view.looks }, (_, index) =>
    `/files/robot/look-${index + 1}.jpg?scan=${view.scans}`);
  const images = byId('looks').querySelectorAll('img');
  const places = Array.from({ length: Math.max(FACES, wanted.length) }, (_, index) => wanted[index]);
  if (byId('looks').children.length === places.length && images.length === wanted.length
    && wanted.every((address, index) => images[index].getAttribute('src') === address)) return;
  byId('looks').replaceChildren(...places.map((address, index) => element('li', {},
    address && element('img', { src: address, alt: `Face ${index + 1} as it was captured` }))));
}

function showPrimitive() {
  const block = view.primitive === null ? null : blocks[view.primitive];
  const isDriven = block && view.finished <= view.primitive;
  plan.mark(view.finished, isDriven ? view.primitive : -1);
  byId('which').textContent = block ? `Primitive ${view.primitive + 1}` : '';
  byId('primitive').textContent = block ? `${block.text.replace('-', '−')}${block.kind === 'tilt' ? '' : '°'}` : '';
  byId('words').textContent = block ? DOES[block.kind] : '';
  byId('motion').hidden = !isDriven;
  const motion = isDriven && block.move ? `turning · ${block.move.replace("'", '′')}` : block?.kind;
  if (isDriven) byId('motion').textContent = view.cut_off && RESTING.includes(view.phase) ? 'cut off' : motion;
}

on('robot', showRobot);
on('plan', (next) => {
  blocks = next;
  plan.show(blocks);
  if (view) showPrimitive();
});
on('rig-cube', ({ facelets, kind, quarters, seconds, is_known: isKnown }) => {
  cube.paint(facelets);
  byId('not-known').hidden = isKnown;
  byId('not-known').textContent = facelets.includes('?') ? 'not seen yet' : 'last known';
  if (kind) cube.move(kind, quarters, seconds);
});
on('motors', (next) => {
  byId('plotted').hidden = !next.length;
  byId('plot').toggleAttribute('hidden', !next.length);
  motors.show(next);
  picture.show(next);
});
on('runs', (next) => runs.show(next));
on('history', (next) => history.show(next));
on('prices', showPrices);
on('log-again', () => journal.clear());
on('log', (lines) => journal.add(lines));
explainKeys(JOG_KEYS);
byId('pause').onclick = togglePause;
byId('calibrate').onclick = () => robot('calibrate', {
  rounds: Number(byId('rounds').value), drive: byId('calibrate-drive').value || null,
});
byId('save-log').onclick = () => {
  const text = [...byId('log').children].map((line) => `${line.innerText}\n`).join('');
  const link = element('a', { href: URL.createObjectURL(new Blob([text])), download: 'journal.txt' });
  link.click();
  URL.revokeObjectURL(link.href);
};
