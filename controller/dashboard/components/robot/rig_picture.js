// The rig's own picture: an SVG of which parts move with the motors. A rig may have none.

import { get } from '/assets/link.js';

const MOVING = '[data-motor]';

export class RigPicture {
  constructor(parent) {
    this.parent = parent;
    this.motors = [];
  }

  /** Show another rig, or none. */
  async set(rig) {
    if (rig === this.rig) return;
    this.rig = rig;
    this.parent.hidden = true;
    this.parent.replaceChildren();
    if (!rig) return;
    const { error, response } = await get(`/files/robot/rig.svg?rig=${encodeURIComponent(rig)}`);
    if (error || rig !== this.rig) return;
    const drawing = new DOMParser().parseFromString(await response.text(), 'image/svg+xml');
    this.parent.replaceChildren(document.adoptNode(drawing.documentElement));
    this.parent.hidden = false;
    this.show(this.motors);
  }

  /** Place the parts as the motors stand now. */
  show(motors) {
    this.motors = motors;
    const angles = new Map(motors.map(({ name, angle }) => [name, angle]));
    for (const part of this.parent.querySelectorAll(MOVING)) {
      const { motor, turn, poses, slide, x, y } = part.dataset;
      const angle = angles.get(motor) ?? 0;
      if (slide) {
        part.setAttribute('transform', `translate(${angle * Number(slide)})`);
        continue;
      }
      const degrees = poses ? poseAt(poses.split(' ').map(Number), angle) : angle * Number(turn);
      part.setAttribute('transform', `rotate(${degrees} ${x} ${y})`);
    }
  }
}

/** Return the part's degrees at a motor's, between pairs of both. */
function poseAt(pairs, angle) {
  for (let index = 2; index < pairs.length; index += 2) {
    const [from, start, to, end] = pairs.slice(index - 2, index + 2);
    const share = Math.min(1, Math.max(0, (angle - from) / (to - from)));
    if (angle <= to || index + 2 === pairs.length) return start + share * (end - start);
  }
  return 0;
}
