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

/** Return why the robot cannot take the start to the target, or ''. */
export function whyNot({ phase, start, target, aim }) {
  if (!start.checked || !target.checked) return 'The cube is being checked.';
  if (!start.checked.is_legal) return 'Turns cannot solve this cube; see its stickers.';
  if (!target.checked.is_legal) return 'Turns cannot lead to this target; see its stickers.';
  if (start.isDoubtful || target.isDoubtful) return 'The camera is not sure of the ringed stickers: correct one, or accept all as they are.';
  if (!aim) return 'The target is being checked.';
  return aim.error || REASONS[phase] || '';
}
