// What the card of the robot says and offers in each phase.

import { isInRig } from '/assets/confirm_cube.js';
import { button, choice, element } from '/assets/elements.js';
import { ask } from '/assets/link.js';
import { options, spoken, spokenOf } from '/assets/run_options.js';
import { robot } from '/assets/shell.js';

const SPEEDS = [1, 5, 20];
const row = (...children) => element('div', { className: 'row wrap' }, ...children);
const words = (text, className = '') => element('p', { textContent: text, className });

const solve = (text) => button(text, () => robot('solve', spoken()), { symbol: 'camera', primary: true });
const resume = (text) => button(text, () => robot('resume'), { symbol: 'play', primary: true });
const lookAgain = (text = 'Rescan') => button(text, () => robot('solve', spoken()), { symbol: 'camera' });
const scramble = ({ rig, speed }) => button('Scramble again', () => robot('simulate', { rig, speed }), { symbol: 'shuffle' });
const leave = () => button('Disconnect', () => robot('disconnect'));
const paint = () => element('a', { className: 'btn', href: '/cube?for=robot', textContent: 'Paint it' });

function painting() {
  const stickers = element('input', {
    id: 'stickers', className: 'mono', placeholder: '54 stickers, U R F D L B', maxLength: 54,
    spellcheck: false, ariaLabel: 'The 54 stickers of the cube in the rig',
  });
  const send = async () => {
    const { answer } = await ask('cube/check', { text: stickers.value });
    const facelets = answer?.is_legal ? answer.facelets : stickers.value.trim().toUpperCase();
    const given = spokenOf(facelets);
    const isAsked = answer?.is_legal && !given.dry_run;
    const solved = isAsked ? await isInRig(facelets) : 'yes'; // what is no cube is refused
    if (solved) robot('solve', solved === 'scan' ? spoken() : given);
  };
  return row(stickers, Object.assign(button('Solve this cube', send), { id: 'solve-this' }));
}

function startOrConnect(view, dialog) {
  const rig = choice(
    { id: 'rig', ariaLabel: 'Which rig is simulated' }, view.rigs.map((name) => [name, name]), view.rigs[0],
  );
  const speed = choice(
    { id: 'speed', ariaLabel: 'How fast the simulated robot is' },
    SPEEDS.map((value) => [value, `${value}×`]), 5,
  );
  const start = () => robot('simulate', { rig: rig.value, speed: Number(speed.value) });
  return [
    row(button('Start a simulated robot', start, { symbol: 'play', primary: true }), rig, speed),
    row(button('Connect your robot', () => dialog.open(view.rigs), { symbol: 'plug' })),
  ];
}

function figures(pairs) {
  return element('dl', { className: 'facts' }, pairs.map(([name, value]) => element('div', {},
    element('dt', { className: 'lab', textContent: name }),
    element('dd', { className: 'num', textContent: value }))));
}

/**
 * Return the cards of a robot; `dialog` asks for the address of a real one.
 *
 * @type {(dialog: any) => import('../shared/state_card.js').Cards<
 *   import('../views').robot.Phase, import('../views').robot.RobotView>}
 */
export const robotCards = (dialog) => ({
  none: {
    label: 'No robot yet', title: (view) => (view.sentence ? 'No robot answers' : 'Connect your robot, or start a simulated one'),
    body: (view) => [
      words(view.sentence || 'The simulated robot does all that a real one does; it needs nothing but this computer.'),
      ...startOrConnect(view, dialog),
    ],
  },
  connecting: {
    label: 'Connecting', sign: 'wait', title: (view) => view.sentence,
    body: (view) => [
      words('0 s', 'num seconds'),
      words(view.sentence.startsWith('Connecting')
        ? 'Of at most 15 s. Is the brick switched on?'
        : 'A first start compiles the search and the simulator; that takes a while once.'),
      row(button('Cancel', () => robot('cancel'))),
    ],
    shown: countSeconds,
  },
  ready: {
    label: 'Ready', sign: 'ok', title: () => 'The robot is ready',
    body: (view) => [
      words(view.sentence || (view.can_scan ? `The ${view.has_camera ? 'camera looks at' : 'rig’s own sensor reads'} the cube, then the robot solves it.` : 'No camera: enter the cube’s position.')),
      view.can_scan ? row(solve('Scan and solve'), leave()) : row(leave(), paint()),
      painting(),
      options(view),
    ],
  },
  running: {
    label: 'Running', sign: 'busy', title: (view) => runningTitle(view),
    body: (view) => [words(view.sentence || 'Stop ends it at once; the run can be resumed.')],
  },
  pausing: {
    label: 'Pausing', sign: 'busy', title: () => 'Pausing after this primitive', body: () => [],
  },
  paused: {
    label: 'Paused', sign: 'wait', edge: 'warn',
    title: (view) => `Paused ${view.cut_off ? 'within' : 'before'} primitive ${view.primitive + 1} of ${view.total}`,
    body: (view) => [
      words(`${view.cut_off ? `The primitive, ${view.cut_off}, is half done` : 'The cube is at rest'} and the motors are off. The brick stays awake.`),
      row(button('Resume', () => robot('end_pause'), { symbol: 'play', primary: true })),
    ],
  },
  stopping: { label: 'Stopping', sign: 'busy', title: () => 'Stopping', body: () => [] },
  stopped: {
    label: 'Stopped', sign: 'wait', edge: 'warn', title: () => 'Stopped; the motors are off',
    body: (view) => [
      ...midst(view),
      words(doneOf(view)),
      row(view.can_resume && resume('Resume'), view.can_scan && lookAgain(), leave()),
    ],
  },
  fault: {
    label: 'Fault', sign: 'bad', edge: 'fault', title: () => 'The run failed',
    body: (view) => [
      words(view.sentence),
      view.trouble && words(`The first fault was: ${view.trouble}`),
      ...midst(view),
      row(view.can_resume && resume(`Resume at primitive ${view.finished + 1}`), view.can_scan && lookAgain(), leave()),
      words(doneOf(view), 'record'),
    ],
  },
  uncertain: {
    label: 'Position unknown', sign: 'ask', edge: 'warn',
    title: () => 'Where is the cube now?',
    body: (view) => [
      words(view.sentence),
      row(view.can_scan && solve('Scan it'), paint(), leave()),
      painting(),
    ],
  },
  finished: {
    label: 'Finished', sign: 'ok', edge: 'ok',
    title: ({ result }) => (result.robot_s ? `${result.word} in ${result.robot_s.toFixed(1)} robot seconds` : result.word),
    body: (view) => [
      figures([
        ...(view.result.robot_s ? [['Moves', view.result.moves], ['Robot', `${view.result.robot_s.toFixed(1)} s`]] : []),
        ['Camera', view.result.seen === null ? '–' : `${(100 * view.result.seen).toFixed(1)} %`],
      ]),
      words(view.result.why),
      ...view.result.recoveries.map((line) => words(line)),
      row(view.is_simulated && scramble(view), view.can_scan && solve('Scan and solve'), leave()),
      options(view),
    ],
  },
});

/** Count the seconds that a card is shown. */
function countSeconds(parent) {
  const started = performance.now();
  const shown = parent.querySelector('.seconds');
  const timer = setInterval(() => {
    if (!shown.isConnected) clearInterval(timer);
    shown.textContent = `${Math.floor((performance.now() - started) / 1000)} s`;
  }, 500);
}

function runningTitle(view) {
  const now = view.stages.find((stage) => stage.state === 'now');
  return now ? now.title : 'Finding home';
}

function midst(view) {
  if (!view.cut_off) return [];
  const text = `Primitive ${view.finished + 1}, ${view.cut_off}, was cut off midway: the cube is between two positions, not as shown.`;
  return [Object.assign(words(text), { id: 'midst' })];
}

function doneOf(view) {
  if (!view.total) return 'Nothing was driven yet.';
  return `${view.finished} of ${view.total} primitives are done and recorded in ${view.journal}.`;
}
