// A solution in three dimensions with its sliders: which solution, which step, how far apart; a
// legend that hides pieces; and the words of the step.

import { button, element } from '/assets/elements.js';
import { lab } from '/assets/parts_of_page.js';
import { SolutionView } from '/files/puzzles/solution_view.js';

const TURN = 0.15;
const ZOOM = 1.2;
const KEYS = { ArrowLeft: [-TURN, 0], ArrowRight: [TURN, 0], ArrowUp: [0, -TURN], ArrowDown: [0, TURN] };
const range = (id, max) => element('input', { id, type: 'range', min: 0, max, step: 1, value: 0 });

export class SolutionViewer {
  /** `onSolution` gets the number of the wanted solution, `onStep` the current step. */
  constructor({ onSolution, onStep }) {
    this.onSolution = onSolution;
    this.onStep = onStep;
    this.canvas = element('canvas', { tabIndex: 0 });
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', 'The solution in three dimensions; Shift and arrows turn it');
    this.picture = element('img', { className: 'pieces', alt: '', hidden: true });
    this.number = lab('');
    this.words = element('span');
    this.solution = Object.assign(range('solution', 1), { min: 1, value: 1 });
    this.step = range('step', 1);
    this.apart = range('apart', 100);
    this.which = element('span', { className: 'dim num value' });
    this.legend = element('div', { className: 'pieces-legend' });
    this.view = new SolutionView(this.canvas, () => this.#notify());
    this.view.zoom = ZOOM;
    this.target = 0;
    this.controls = this.#controls();
    const scene = element('div', { className: 'solid' }, this.canvas, this.picture);
    this.root = element('div', { className: 'viewer' }, scene, this.controls);
    this.#listen();
  }

  #controls() {
    const sliders = (name, input, ...rest) => element('div', { className: 'row slider' },
      element('label', { className: 'lab', htmlFor: input.id, textContent: name }), input, ...rest);
    const back = button('', () => this.go(this.target - 1), { symbol: 'left', kind: 'square', label: 'One step back' });
    const forward = button('', () => this.go(this.target + 1), { symbol: 'right', kind: 'square', label: 'One step forward' });
    this.several = sliders('Solution', this.solution, this.which);
    this.stepping = sliders('Steps', this.step, back, forward);
    return element('div', {},
      element('p', { className: 'word', role: 'status' }, this.number, this.words),
      this.several, this.stepping,
      sliders('Apart', this.apart, element('span', { className: 'dim value', textContent: 'drag to turn' })),
      this.legend);
  }

  #listen() {
    this.step.addEventListener('input', () => this.go(Number(this.step.value)));
    this.apart.addEventListener('input', () => {
      this.view.explode = Number(this.apart.value) / 100;
      this.view.draw();
    });
    this.solution.addEventListener('input', () => this.onSolution(Number(this.solution.value)));
    this.canvas.addEventListener('keydown', (event) => {
      if (!event.shiftKey || !(event.key in KEYS)) return;
      event.preventDefault();
      event.stopPropagation();
      this.view.turn(...KEYS[event.key]);
    });
  }

  /** Show a story, number `number` of `count`, at a step or at its end. */
  show(story, number, count, step = null) {
    this.picture.hidden = true;
    this.canvas.hidden = this.controls.hidden = false;
    this.story = story;
    this.view.hidden.clear();
    this.view.show(story);
    const steps = story.frames.length;
    this.step.max = Math.max(1, steps);
    this.stepping.hidden = steps === 0;
    this.setCount(number, count);
    const atFirst = story.puts_together ? steps : 0;
    this.target = Math.min(steps, Math.max(0, Number.isFinite(step) ? Math.round(step) : atFirst));
    this.#drawLegend();
    this.view.jump(this.target);
    if (!this.view.works) this.words.textContent = 'This browser shows no WebGL pictures.';
  }

  /** The step at which another solution starts; where pieces come apart they start whole. */
  get initialStep() {
    return this.story?.puts_together ? this.target : null;
  }

  /** Show how many solutions there are by now. */
  setCount(number, count) {
    this.several.hidden = count < 2;
    this.solution.max = Math.max(1, count);
    this.solution.value = number;
    this.which.textContent = `${number} of ${count.toLocaleString('en')}`;
  }

  /** Show a picture, where no solution is known. */
  showPicture(address, words) {
    this.story = null;
    this.picture.src = address;
    this.picture.alt = words;
    this.picture.hidden = false;
    this.canvas.hidden = this.controls.hidden = true;
  }

  /** Go to a step, and let it be seen. */
  go(step) {
    if (!this.story) return;
    this.target = Math.min(this.story.frames.length, Math.max(0, step));
    this.view.goTo(this.target);
    this.onStep(this.target);
    this.#notify();
  }

  /** Take an arrow key; return whether it was one. */
  onKey(event) {
    if (!this.story || !['ArrowLeft', 'ArrowRight'].includes(event.key)) return;
    event.preventDefault();
    this.go(this.target + (event.key === 'ArrowLeft' ? -1 : 1));
  }

  #drawLegend() {
    this.legend.replaceChildren(...this.story.pieces.map((piece, index) => {
      const swatch = element('i');
      swatch.style.background = piece.colour;
      const made = element('button', { className: 'piece', title: 'show or hide' }, swatch, piece.name);
      made.setAttribute('aria-pressed', 'true');
      made.onclick = () => {
        const isHidden = !this.view.hidden.has(index);
        this.view.setHidden(index, isHidden);
        made.setAttribute('aria-pressed', String(!isHidden));
      };
      return made;
    }));
  }

  #notify() {
    if (!this.story) return;
    const { frames, start } = this.story;
    this.step.value = this.target;
    const frame = frames[this.target - 1];
    this.number.textContent = frames.length ? `Step ${this.target} of ${frames.length}` : '';
    const words = frame ? frame.words : this.story.puts_together ? 'nothing yet' : this.story.ending;
    this.words.textContent = words.charAt(0).toUpperCase() + words.slice(1);
    const places = frame ? frame.places : start;
    const before = this.target > 1 ? frames[this.target - 2].places : start;
    [...this.legend.children].forEach((each, index) => {
      each.classList.toggle('away', places[index] === null);
      const moved = frame && JSON.stringify(places[index]) !== JSON.stringify(before[index]);
      each.classList.toggle('next', Boolean(moved));
    });
    this.root.dataset.step = this.view.step;
  }
}
