// Asks whether a cube that nobody has scanned is the one in the rig, before the robot drives it.

import { CameraView } from '/assets/camera_view.js';
import { Cube3d } from '/assets/cube3d.js';
import { button, element } from '/assets/elements.js';
import { on } from '/assets/link.js';
import { LookAround } from '/assets/look_around.js';

const COLOURS = { U: 'white', R: 'red', F: 'green', D: 'yellow', L: 'orange', B: 'blue' };
const UP = 4; // the centres
const FRONT = 22;
let inRig = null;
/** @type {import('../views').robot.RobotView} */
let robot = null;
on('rig-cube', (next) => { inRig = next; });
on('robot', (next) => { robot = next; });

/**
 * Ask whether 54 colours are those of the cube in the rig; known ones need no question.
 *
 * @type {(facelets: string) => Promise<'yes' | 'scan' | ''>} what to solve; '' for nothing
 */
export function isInRig(facelets) {
  if (inRig?.is_known && inRig.facelets === facelets) return Promise.resolve('yes');
  return new Promise((resolve) => {
    const dialog = element('dialog', { id: 'is-this' });
    const answer = (text, value, options) => button(text, () => dialog.close(value), options);
    const scene = element('div', { className: 'scene', role: 'img', ariaLabel: 'The cube that was entered' });
    const image = element('img', { alt: 'What the camera sees', hidden: true });
    const caption = element('span', { textContent: 'no camera' });
    const title = element('h2', { id: 'is-this-title', textContent: 'Is this the cube in the rig?' });
    dialog.setAttribute('aria-labelledby', title.id);
    dialog.append(
      title,
      element('div', { className: 'side-by-side' }, scene,
        robot?.has_camera && element('div', { className: 'cam' }, image, element('p', { className: 'cap' }, caption))),
      element('p', { className: 'sec', textContent: `It was entered, not scanned: ${COLOURS[facelets[UP]]} up, ${COLOURS[facelets[FRONT]]} in front. Drag it to see its other sides. If the cube in the rig is another one, the robot makes the wrong moves.` }),
      element('div', { className: 'row wrap' },
        answer('Yes, solve it', 'yes', { primary: true }),
        robot?.can_scan && answer('No, scan it', 'scan', { symbol: 'camera' }),
        answer('Cancel', '')));
    const cube = new Cube3d(scene);
    new LookAround(scene);
    const camera = new CameraView(image, caption);
    cube.paint(facelets);
    dialog.onclose = () => {
      camera.set(false, '');
      dialog.remove();
      resolve(/** @type {'yes' | 'scan' | ''} */ (dialog.returnValue));
    };
    document.body.append(dialog);
    dialog.showModal();
    camera.set(Boolean(robot?.has_camera), '');
  });
}
