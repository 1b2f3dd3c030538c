// The pieces of a solution in three dimensions, on a canvas, by WebGL. The page for the browser has
// this script in it, the dashboard serves it: neither loads anything from elsewhere.

// A cube side: normal, and four corners in order. World axes: x right, y up, z towards the viewer;
// the puzzle's (x, y, z) with rows towards the viewer and layers upwards becomes (x, z, y).
const SIDES = [
  [[1, 0, 0], [1, 0, 1], [1, 0, 0], [1, 1, 0], [1, 1, 1]],
  [[-1, 0, 0], [0, 0, 0], [0, 0, 1], [0, 1, 1], [0, 1, 0]],
  [[0, 1, 0], [0, 1, 1], [1, 1, 1], [1, 1, 0], [0, 1, 0]],
  [[0, -1, 0], [0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]],
  [[0, 0, 1], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]],
  [[0, 0, -1], [1, 0, 0], [0, 0, 0], [0, 1, 0], [1, 1, 0]],
];
const UV = [[0, 0], [1, 0], [1, 1], [0, 1]];
const CORNERS_OF_TRIANGLES = [0, 1, 2, 0, 2, 3];
const ATTRIBUTES = [["place", 3], ["normal", 3], ["side", 2], ["rims", 4], ["hole", 1]];
const FLOATS = 13;
const STEP_MS = 450;
const toWorld = ([x, y, z]) => [x, z, y];
const plus = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const within = (value, least, most) => Math.min(most, Math.max(least, value));

// Per corner: place, normal, place on the side, which of its four edges end the piece, bored or not.
function meshOf(cells, bored) {
  const own = new Set(cells.map(String));
  const has = cell => own.has(String(cell));
  const numbers = [];
  for (const cell of cells) for (const [normal, ...corners] of SIDES) {
    if (has(plus(cell, normal))) continue;
    const rims = corners.map((corner, k) => {
      const next = corners[(k + 1) % 4];
      const beyond = corner.map((v, i) => normal[i] || v !== next[i] ? 0 : v ? 1 : -1);
      const aside = plus(cell, beyond);
      return has(aside) && !has(plus(aside, normal)) ? 0 : 1;
    });
    const axis = normal.findIndex(Boolean);
    const hole = bored.has(String([...cell, axis])) ? 1 : 0;
    for (const k of CORNERS_OF_TRIANGLES)
      numbers.push(...plus(cell, corners[k]), ...normal, ...UV[k], ...rims, hole);
  }
  return new Float32Array(numbers);
}

const VERTEX = `
attribute vec3 place, normal; attribute vec2 side; attribute vec4 rims; attribute float hole;
uniform mat4 camera; uniform mat3 turn; uniform vec3 offset;
varying vec3 facing; varying vec2 at; varying vec4 rim; varying float bore;
void main() {
  gl_Position = camera * vec4(place + offset, 1.0);
  facing = turn * normal; at = side; rim = rims; bore = hole;
}`;
const FRAGMENT = `
precision mediump float;
uniform vec3 colour;
varying vec3 facing; varying vec2 at; varying vec4 rim; varying float bore;
float line(float distance, float isRim) {
  return isRim * (1.0 - smoothstep(0.028, 0.05, distance)) * 0.72
    + (1.0 - isRim) * (1.0 - smoothstep(0.004, 0.02, distance)) * 0.16;
}
void main() {
  vec3 n = normalize(facing);
  float light = 0.62 + 0.30 * max(dot(n, normalize(vec3(-0.35, 0.8, 0.55))), 0.0)
    + 0.16 * max(dot(n, normalize(vec3(0.8, 0.1, 0.5))), 0.0);
  float dark = max(max(line(at.y, rim.x), line(1.0 - at.x, rim.y)),
                   max(line(1.0 - at.y, rim.z), line(at.x, rim.w)));
  dark = max(dark, bore * (1.0 - smoothstep(0.23, 0.26, distance(at, vec2(0.5)))) * 0.88);
  gl_FragColor = vec4(colour * light * (1.0 - dark), 1.0);
}`;

export class SolutionView {
  /** `onDraw` is called after each drawing. Without WebGL `works` is false and nothing is drawn. */
  constructor(canvas, onDraw = () => {}) {
    this.canvas = canvas;
    this.onDraw = onDraw;
    this.gl = canvas.getContext("webgl", { antialias: true, alpha: true, premultipliedAlpha: true });
    this.works = this.gl !== null;
    Object.assign(this, { step: 0, explode: 0, yaw: -0.72, pitch: 0.5, zoom: 1, hidden: new Set() });
    this.pieces = [];
    this.frames = [];
    this.running = 0;
    if (!this.works) return;
    this.#compile();
    this.#listen();
  }

  #compile() {
    const { gl } = this;
    this.program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(this.program, shader);
    }
    gl.linkProgram(this.program);
    gl.useProgram(this.program);
    gl.enable(gl.DEPTH_TEST);
  }

  #listen() {
    const { canvas } = this;
    canvas.addEventListener("pointerdown", event => canvas.setPointerCapture?.(event.pointerId));
    canvas.addEventListener("pointermove", event => {
      if (event.buttons) this.turn(event.movementX * 0.008, event.movementY * 0.008);
    });
    canvas.addEventListener("wheel", event => {
      event.preventDefault();
      this.zoom = within(this.zoom * Math.exp(-event.deltaY * 0.001), 0.4, 4);
      this.draw();
    }, { passive: false });
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  /** Turn the whole by angles in radians. */
  turn(yaw, pitch) {
    this.yaw += yaw;
    this.pitch = within(this.pitch + pitch, -1.57, 1.57);
    this.draw();
  }

  /** Show a solution's story; the step stays where it is, as far as there are so many. */
  show(story) {
    cancelAnimationFrame(this.running);
    for (const piece of this.pieces) this.gl?.deleteBuffer(piece.buffer);
    this.frames = story.frames;
    this.pieces = story.pieces.map(piece => this.#piece(piece));
    // Where the pieces are after 0, 1, ... steps; null for one that is not there.
    this.places = [story.start, ...story.frames.map(frame => frame.places)]
      .map(each => each.map(place => place && toWorld(place)));
    const all = this.pieces.flatMap(piece => piece.cells);
    const low = [0, 1, 2].map(i => Math.min(...all.map(cell => cell[i])));
    const high = [0, 1, 2].map(i => Math.max(...all.map(cell => cell[i])) + 1);
    this.centre = low.map((value, i) => (value + high[i]) / 2);
    this.radius = Math.hypot(...low.map((value, i) => high[i] - value)) / 2;
    this.step = Math.min(this.step, this.frames.length);
  }

  #piece(piece) {
    const cells = piece.cells.map(toWorld);
    // Bores come as x, y, z and the number of their axis: turned like the cells.
    const bored = new Set(piece.bored.map(([x, y, z, axis]) => String([x, z, y, [0, 2, 1][axis]])));
    const mesh = meshOf(cells, bored);
    const buffer = this.gl?.createBuffer();
    this.gl?.bindBuffer(this.gl.ARRAY_BUFFER, buffer);
    this.gl?.bufferData(this.gl.ARRAY_BUFFER, mesh, this.gl.STATIC_DRAW);
    const middle = [0, 1, 2].map(i => cells.reduce((sum, cell) => sum + cell[i] + 0.5, 0) / cells.length);
    const rgb = [1, 3, 5].map(i => parseInt(piece.colour.slice(i, i + 2), 16) / 255);
    return { cells, buffer, corners: mesh.length / FLOATS, middle, rgb };
  }

  /** Show a piece, or hide it. */
  setHidden(index, isHidden) {
    if (isHidden) this.hidden.add(index);
    else this.hidden.delete(index);
    this.draw();
  }

  /** Go to a step, at once; between two whole ones a piece is on its way. */
  jump(step) {
    cancelAnimationFrame(this.running);
    this.step = within(step, 0, this.frames.length);
    this.draw();
  }

  /** Go to a step, and let the pieces be seen as they move. */
  goTo(step) {
    cancelAnimationFrame(this.running);
    const target = within(step, 0, this.frames.length), from = this.step;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) { this.jump(target); return; }
    const begun = performance.now();
    const frame = now => {
      const share = within((now - begun) / STEP_MS, 0, 1);
      this.step = share < 1 ? from + (target - from) * (1 - (1 - share) ** 3) : target;
      if (share < 1) this.running = requestAnimationFrame(frame);
      this.draw();
    };
    this.running = requestAnimationFrame(frame);
  }

  draw() {
    if (!this.pieces.length) return;
    if (this.works) this.#paint();
    this.onDraw();
  }

  #paint() {
    const { gl, canvas, program } = this;
    const ratio = window.devicePixelRatio || 1;
    const width = canvas.width = Math.round(canvas.clientWidth * ratio) || 1;
    const height = canvas.height = Math.round(canvas.clientHeight * ratio) || 1;
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const turn = this.#rotation();
    const uniform = name => gl.getUniformLocation(program, name);
    gl.uniformMatrix4fv(uniform("camera"), false, this.#camera(turn, width, height));
    gl.uniformMatrix3fv(uniform("turn"), false, turn);
    this.pieces.forEach((piece, index) => {
      const moved = this.#placeNow(index);
      if (!moved || this.hidden.has(index)) return;
      const apart = this.explode * 1.1;
      const offset = piece.middle.map((value, i) => (value - this.centre[i]) * apart + moved[i]);
      gl.uniform3fv(uniform("offset"), offset);
      gl.uniform3fv(uniform("colour"), piece.rgb);
      gl.bindBuffer(gl.ARRAY_BUFFER, piece.buffer);
      let start = 0;
      for (const [name, size] of ATTRIBUTES) {
        const location = gl.getAttribLocation(program, name);
        gl.enableVertexAttribArray(location);
        gl.vertexAttribPointer(location, size, gl.FLOAT, false, FLOATS * 4, start * 4);
        start += size;
      }
      gl.drawArrays(gl.TRIANGLES, 0, piece.corners);
    });
  }

  // How far a piece is from its place in the solution at this moment; null if it is not there.
  #placeNow(index) {
    const done = Math.floor(this.step), share = this.step - done;
    const from = this.places[done][index];
    if (!share) return from;
    const to = this.places[done + 1][index], way = toWorld(this.frames[done].way);
    const far = this.radius * 1.4;
    if (!from && !to) return null;
    if (!from) return to.map((value, i) => value - way[i] * (1 - share) * far);
    if (!to) return from.map((value, i) => value + way[i] * share * far);
    return from.map((value, i) => value + (to[i] - value) * share);
  }

  // Column-major matrices, as WebGL wants them.
  #rotation() {
    const [cy, sy] = [Math.cos(this.yaw), Math.sin(this.yaw)];
    const [cp, sp] = [Math.cos(this.pitch), Math.sin(this.pitch)];
    return [cy, sp * sy, -cp * sy, 0, cp, sp, sy, -sp * cy, cp * cy];
  }

  #camera(turn, width, height) {
    const halfView = this.radius * (1.5 + 0.8 * this.explode) / Math.min(1, width / height) / this.zoom;
    const tangent = 0.2, distance = halfView / tangent, scale = 1 / tangent, lift = 0.1;
    const near = Math.max(0.1, distance - 6 * this.radius), far = distance + 6 * this.radius;
    const m = turn, [x, y, z] = this.centre;
    const view = i => -(m[i] * x + m[3 + i] * y + m[6 + i] * z);
    const a = (far + near) / (near - far), b = 2 * far * near / (near - far);
    const rows = [[m[0], m[3], m[6], view(0)], [m[1], m[4], m[7], view(1)], [m[2], m[5], m[8], view(2) - distance]];
    const out = [];
    for (let column = 0; column < 4; column++) {
      const depth = rows[2][column];
      out.push(rows[0][column] * scale * height / width, rows[1][column] * scale - lift * depth,
               a * depth + (column === 3 ? b : 0), -depth);
    }
    return out;
  }
}
