// The cube is looked at from any side: dragged, or with Shift and arrows. Its stickers stay as they are.

const START = { x: -27, y: -35 };
const STEEPEST = 80;
const DEGREES_A_PIXEL = 0.5;
const STEP = 15;
const ARROWS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] };

export class LookAround {
  /** Let the cube in `scene` be dragged; a double click shows it as at first. */
  constructor(scene) {
    this.cube = scene.querySelector('.cube');
    this.reset();
    scene.onpointerdown = (event) => {
      if (event.button || event.target.closest('button, input')) return;
      scene.setPointerCapture(event.pointerId);
      scene.onpointermove = (moved) => this.#turn(DEGREES_A_PIXEL * moved.movementX, -DEGREES_A_PIXEL * moved.movementY);
    };
    scene.onpointerup = () => { scene.onpointermove = null; };
    scene.onpointercancel = scene.onpointerup;
    scene.ondblclick = () => this.reset();
  }

  reset() {
    this.x = START.x;
    this.y = START.y;
    this.#turn(0, 0);
  }

  /** Take Shift with an arrow; return whether it was one. */
  key(event) {
    const way = event.shiftKey && ARROWS[event.key];
    if (way) this.#turn(...way);
    return Boolean(way);
  }

  #turn(right, up) {
    this.y += right;
    this.x = Math.max(-STEEPEST, Math.min(STEEPEST, this.x + up));
    this.cube.style.transform = `rotateX(${this.x}deg) rotateY(${this.y}deg)`;
  }
}
