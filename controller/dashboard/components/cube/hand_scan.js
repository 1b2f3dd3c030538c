// A scan by hand: what the camera sees, how to hold the cube next, which faces are there.

import { CameraView } from '/assets/camera_view.js';
import { byId, element } from '/assets/elements.js';
import { on, order } from '/assets/link.js';

const FACES = 6;
const COLOURS = { white: 'U', red: 'R', green: 'F', yellow: 'D', orange: 'L', blue: 'B' };

export class HandScan {
  /** Calls `onStart(position)` when a scan for it was started here, `refuse(sentence)` when that was refused. */
  constructor({ onStart, refuse }) {
    this.refuse = refuse;
    this.onStart = onStart;
    this.isRunning = false;
    this.camera = new CameraView(byId('hand-frame'), byId('hand-cap'), '/files/cube/hand.jpg');
    byId('hand-camera').value = localStorage.getItem('camera') ?? '0';
    byId('hand-form').onsubmit = (event) => this.#submit(event);
    on('cube-hand', (view) => this.#show(view));
  }

  /** Open the panel for a position, or close it; `button` does that. While a scan runs it stays open. */
  toggle(button, position) {
    const panel = byId('hand');
    if (this.isRunning) return;
    panel.hidden = !panel.hidden && this.position === position;
    this.position = position;
    byId('hand-for').textContent = `${position.title}: camera`;
    this.#showOpen(button);
    if (!panel.hidden) byId('hand-camera').focus();
  }

  /** Say which button has opened the panel. */
  #showOpen(button) {
    for (const each of document.querySelectorAll('.by-hand')) {
      each.ariaExpanded = String(!byId('hand').hidden && each === button);
    }
  }

  async #submit(event) {
    event.preventDefault();
    if (this.isRunning) {
      this.refuse(await order('cube/end_hand'));
      return;
    }
    const camera = byId('hand-camera').value.trim();
    localStorage.setItem('camera', camera);
    const error = await order('cube/scan_by_hand', { camera });
    this.refuse(error);
    if (!error) this.onStart(this.position);
  }

  /** @param {import('../views').cube.HandView} view */
  #show(view) {
    this.isRunning = view.is_running;
    if (view.is_running) byId('hand').hidden = false;
    byId('hand-start').textContent = view.is_running ? 'Stop the scan' : 'Start';
    byId('hand-camera').disabled = view.is_running;
    byId('hand-said').textContent = view.sentence;
    byId('hand-said').className = view.is_fault ? 'error' : '';
    byId('hand-seen').hidden = !view.is_running;
    byId('hand-seen').classList.toggle('steady', view.steady > 0);
    this.camera.set(view.has_picture, '');
    if (!view.has_picture) byId('hand-frame').hidden = true;
    byId('hand-steady').max = view.wanted || 1;
    byId('hand-steady').value = view.steady;
    byId('hand-faces').replaceChildren(...Array.from({ length: FACES }, (_, index) => this.#face(view.faces[index])));
  }

  #face(name) {
    const spot = element('li', { className: name ? 'spot' : 'spot none', title: name ?? 'not there yet' });
    if (name) spot.dataset.colour = COLOURS[name];
    spot.append(element('span', { className: 'hidden', textContent: name ?? 'not there yet' }));
    return spot;
  }
}
