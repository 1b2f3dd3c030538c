// Whether the robot can take this cube, and if not, why.

/** @type {Partial<Record<import('../views').robot.Phase, string>>} */
const REASONS = {
  none: 'No robot is connected; the Robot page connects or simulates one.',
  connecting: 'The robot is being connected.',
  running: 'The robot is at work.',
  pausing: 'The robot is at work.',
  paused: 'The robot is paused in another run; end that first.',
  stopping: 'The robot is stopping.',
};

/** Return why the robot cannot solve what is shown, or ''. */
export function whyNot({ phase, checked, reading }) {
  if (!checked) return 'The cube is being checked.';
  if (!checked.is_legal) return 'Turns cannot solve this cube; see its stickers.';
  if (reading && reading.verdict !== 'accepted') return 'The camera is not sure of the ringed stickers: correct one, or accept all as they are.';
  return REASONS[phase] ?? '';
}
