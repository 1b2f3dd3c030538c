// The camera, picture by picture: the next is asked for when the last has arrived, and only while
// it can be seen. A stream would keep one of the browser's six connections to a host.

import { get } from '/assets/link.js';

const REST_MS = { running: 200, pausing: 200, stopping: 200 };
const USUAL_MS = 100;
const FAILED_MS = 2000;

export class CameraView {
  /** Pictures come from `address`; `caption` says how the camera is. */
  constructor(image, caption, address = '/files/robot/frame.jpg') {
    this.image = image;
    this.address = address;
    this.caption = caption;
    this.phase = 'none';
    this.isOn = false;
    this.count = 0;
    document.addEventListener('visibilitychange', () => this.#next(0));
  }

  /** Show the camera, or nothing; `phase` says how often. */
  set(isOn, phase) {
    this.phase = phase;
    if (isOn === this.isOn) return;
    this.isOn = isOn;
    if (isOn) this.#next(0);
    else this.#say('no camera');
  }

  #say(text) {
    this.caption.textContent = text;
  }

  #next(delay) {
    clearTimeout(this.timer);
    if (this.isOn && !document.hidden) this.timer = setTimeout(() => this.#ask(), delay);
  }

  async #ask() {
    this.count += 1;
    const { error, response } = await get(`${this.address}?n=${this.count}`);
    const picture = error ? null : await response.blob().catch(() => null); // it may end in its midst
    if (picture) {
      const old = this.image.src;
      this.image.src = URL.createObjectURL(picture);
      this.image.hidden = false;
      if (old) URL.revokeObjectURL(old);
    }
    const trouble = picture ? 'live' : error || 'The picture did not arrive whole.';
    this.#say(this.isOn ? trouble : 'no camera');
    this.#next(picture ? REST_MS[this.phase] ?? USUAL_MS : FAILED_MS);
  }
}
