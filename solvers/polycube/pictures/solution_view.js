// The pieces of a solution in three dimensions, drawn on a canvas with WebGL. The browser page
// embeds this script, the dashboard serves it; neither loads anything from elsewhere.

// World axes: x right, y up, z towards the viewer; the space of lattices has y to the back and z up.
const toWorld = ([x, y, z]) => [x, z, -y];
const minus = (a, b) => a.map((value, i) => value - b[i]);
const plus = (a, b) => a.map((value, i) => value + b[i]);
const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
const cross = ([a, b, c], [d, e, f]) => [b * f - c * e, c * d - a * f, a * e - b * d];
const unit = a => a.map(value => value / Math.hypot(...a));
const middleOf = points => [0, 1, 2].map(i => points.reduce((sum, p) => sum + p[i], 0) / points.length);
const apply = (columns, [x, y, z]) => [0, 1, 2].map(i => columns[i] * x + columns[3 + i] * y + columns[6 + i] * z);
const within = (value, least, most) => Math.min(most, Math.max(least, value));
const ATTRIBUTES = [["place", 3], ["normal", 3], ["edge", 2], ["ink", 4]];
const FLOATS = 12;
const STEP_MS = 450;
const ROUND = 18; // corners of a ball's equator
const RADIUS = 0.5;
const UNTURNED = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
const DISC = 32; // corners of a round sign
const RIM = 0.03; // by which the dark rim of a sign is larger
const ABOVE = 0.004; // a sign above its face, and each above those below it
const DARK = [0.1, 0.1, 0.1, 1];
const toRgb = colour => [1, 3, 5].map(i => parseInt(colour.slice(i, i + 2), 16) / 255);

// A lattice's cells in world coordinates: positions, and faces with the neighbour behind each.
class Cells {
  constructor({ frame, period, kinds, balls }) {
    Object.assign(this, { frame, period, kinds, balls });
  }

  place(cell) { return toWorld(this.frame.map(row => dot(row, cell))); }

  faces(cell) {
    const rest = cell.map((value, i) => ((value % this.period[i]) + this.period[i]) % this.period[i]);
    const at = this.place(cell);
    return this.kinds[rest].map(({ way, corners }) =>
      ({ beyond: plus(cell, way), corners: corners.map(corner => plus(at, toWorld(corner))) }));
  }

  middleOfFirst() { return this.middle(Object.keys(this.kinds)[0].split(",").map(Number)); }

  // A matrix on cells as one in world coordinates, column by column; for cubes.
  spin(rows) {
    const axes = UNTURNED.map(axis => this.place(axis));
    const turned = rows.map(row => axes[0].map((_, i) => axes.reduce((sum, axis, j) => sum + row[j] * axis[i], 0)));
    return [0, 1, 2].flatMap(k => [0, 1, 2].map(i => axes.reduce((sum, axis, j) => sum + axis[i] * turned[j][k], 0)));
  }

  middle(cell) { return middleOf(this.faces(cell).flatMap(face => face.corners)); }

  mesh(cells, signs) {
    const on = cell => signs.filter(sign => String(sign.cell) === String(cell));
    return new Float32Array(this.balls ? cells.flatMap(cell => ball(this.middle(cell), on(cell)))
      : surface(this.#outside(cells), on));
  }

  // The faces of a piece's cells without another of its cells behind them.
  #outside(cells) {
    const own = new Set(cells.map(String));
    return cells.flatMap(cell => this.faces(cell).filter(({ beyond }) => !own.has(String(beyond)))
      .map(face => ({ ...face, cell, normal: unit(cross(minus(face.corners[1], face.corners[0]),
        minus(face.corners[2], face.corners[1]))) })));
  }
}

const rounded = point => point.map(value => Math.round(value * 1000) + 0).join();
const edgeOf = ({ corners, normal }, k) =>
  [rounded(corners[k]), rounded(corners[(k + 1) % corners.length])].sort().join(";") + rounded(normal);

// Triangles from the middle of each face to its edges. Per corner: place, normal, distance from the
// edge and whether the piece ends there, ink over the piece's colour. Signs lie above their faces.
function surface(faces, signsOn) {
  const numbers = [], edges = new Map();
  for (const face of faces) face.corners.forEach((_, k) => {
    const edge = edgeOf(face, k);
    edges.set(edge, (edges.get(edge) ?? 0) + 1);
  });
  for (const face of faces) {
    const { corners, normal, cell, beyond } = face, middle = middleOf(corners);
    corners.forEach((corner, k) => {
      const next = corners[(k + 1) % corners.length], rim = edges.get(edgeOf(face, k)) > 1 ? 0 : 1;
      const far = Math.hypot(...cross(minus(next, corner), minus(middle, corner))) / Math.hypot(...minus(next, corner));
      for (const [at, distance] of [[middle, far], [corner, 0], [next, 0]])
        numbers.push(...at, ...normal, distance, rim, 0, 0, 0, 0);
    });
    const way = String(minus(beyond, cell));
    signsOn(cell).filter(sign => sign.way.every(part => !part) || String(sign.way) === way)
      .forEach((sign, above) => paintSign(numbers, sign, face, 2 * above));
  }
  return numbers;
}

// The outline of a sign: a disc of a radius, or the face made smaller by a factor.
function outline({ is_round, size }, { corners, normal }, middle) {
  if (!is_round) return corners.map(corner => plus(middle, minus(corner, middle).map(value => value * size)));
  const first = unit(minus(corners[1], corners[0])), second = cross(normal, first);
  return Array.from({ length: DISC }, (_, k) => {
    const angle = 2 * Math.PI * k / DISC;
    return middle.map((value, i) => value + size * (Math.cos(angle) * first[i] + Math.sin(angle) * second[i]));
  });
}

function paintSign(numbers, sign, face, above) {
  const larger = { ...sign, size: sign.size + RIM };
  [[larger, DARK], [sign, [...toRgb(sign.colour), 1]]].forEach(([each, ink], layer) => {
    const lifted = face.normal.map(value => value * ABOVE * (above + layer + 1));
    const middle = plus(middleOf(face.corners), lifted), points = outline(each, face, middle);
    points.forEach((point, k) => {
      for (const at of [middle, point, points[(k + 1) % points.length]])
        numbers.push(...at, ...face.normal, 1, 0, ...ink);
    });
  });
}

// A ball has a sign on all of it, since it has no faces.
function ball(middle, signs) {
  const numbers = [], ink = signs.length ? [...toRgb(signs[0].colour), 0.6] : [0, 0, 0, 0];
  const corner = (along, up) => {
    const [a, b] = [2 * Math.PI * along / ROUND, Math.PI * (up / ROUND - 0.5)];
    const normal = [Math.cos(a) * Math.cos(b), Math.sin(b), Math.sin(a) * Math.cos(b)];
    numbers.push(...plus(middle, normal.map(value => value * RADIUS)), ...normal, 1, 0, ...ink);
  };
  for (let along = 0; along < ROUND; along++) for (let up = 0; up < ROUND; up++)
    for (const [i, j] of [[0, 0], [0, 1], [1, 1], [0, 0], [1, 1], [1, 0]]) corner(along + i, up + j);
  return numbers;
}

const VERTEX = `
attribute vec3 place, normal; attribute vec2 edge; attribute vec4 ink;
uniform mat4 camera; uniform mat3 turn, spin; uniform vec3 offset;
varying vec3 facing; varying vec2 rim; varying vec4 over;
void main() {
  gl_Position = camera * vec4(spin * place + offset, 1.0);
  facing = turn * spin * normal; rim = edge; over = ink;
}`;
const FRAGMENT = `
precision mediump float;
uniform vec3 colour;
varying vec3 facing; varying vec2 rim; varying vec4 over;
void main() {
  vec3 n = normalize(facing);
  float light = 0.62 + 0.30 * max(dot(n, normalize(vec3(-0.35, 0.8, 0.55))), 0.0)
    + 0.16 * max(dot(n, normalize(vec3(0.8, 0.1, 0.5))), 0.0);
  float dark = rim.y * (1.0 - smoothstep(0.028, 0.05, rim.x)) * 0.72
    + (1.0 - rim.y) * (1.0 - smoothstep(0.004, 0.02, rim.x)) * 0.16;
  gl_FragColor = vec4(mix(colour, over.rgb, over.a) * light * (1.0 - dark), 1.0);
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
    const fingers = new Map();
    const apart = () => { const [a, b] = fingers.values(); return Math.hypot(a[0] - b[0], a[1] - b[1]); };
    canvas.addEventListener("pointerdown", event => {
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      canvas.setPointerCapture?.(event.pointerId);
    });
    for (const end of ["pointerup", "pointercancel"])
      canvas.addEventListener(end, event => fingers.delete(event.pointerId));
    canvas.addEventListener("pointermove", event => {
      const last = fingers.get(event.pointerId), now = [event.clientX, event.clientY];
      if (!last || !event.buttons) return;
      const before = fingers.size === 2 && apart();
      fingers.set(event.pointerId, now);
      if (before) this.enlarge(apart() / before);
      else if (fingers.size === 1) this.turn((now[0] - last[0]) * 0.008, (now[1] - last[1]) * 0.008);
    });
    canvas.addEventListener("wheel", event => {
      event.preventDefault();
      this.enlarge(Math.exp(-event.deltaY * 0.001));
    }, { passive: false });
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  /** Scale the view by a factor, within bounds. */
  enlarge(factor) {
    this.zoom = within(this.zoom * (factor || 1), 0.4, 4);
    this.draw();
  }

  /** Rotate the view by angles in radians. */
  turn(yaw, pitch) {
    this.yaw += yaw;
    this.pitch = within(this.pitch + pitch, -1.57, 1.57);
    this.draw();
  }

  /** Show a solution's story, with its `lattice`; keep the current step if the story is long enough. */
  show(story) {
    cancelAnimationFrame(this.running);
    for (const piece of this.pieces) this.gl?.deleteBuffer(piece.buffer);
    this.frames = story.frames;
    this.cells = new Cells(story.lattice);
    this.pieces = story.pieces.map(piece => this.#piece(piece));
    // Displacements of the pieces after 0, 1, ... steps; null for one that is not there.
    this.places = [story.start, ...story.frames.map(frame => frame.places)]
      .map((each, step) => each.map((place, piece) => place && this.#placed(step, piece, place)));
    const all = this.pieces.flatMap(piece => piece.cells.flatMap(cell =>
      this.cells.faces(cell).flatMap(face => face.corners)));
    const low = [0, 1, 2].map(i => all.reduce((least, corner) => Math.min(least, corner[i]), Infinity));
    const high = [0, 1, 2].map(i => all.reduce((most, corner) => Math.max(most, corner[i]), -Infinity));
    this.centre = low.map((value, i) => (value + high[i]) / 2);
    this.radius = all.reduce((far, corner) => Math.max(far, Math.hypot(...minus(corner, this.centre))), 0);
    this.step = Math.min(this.step, this.frames.length);
  }

  // How a piece has turned after a number of steps, in world coordinates.
  #spun(step, piece) {
    return this.cells.spin(this.frames[step - 1]?.turned?.[piece] ?? UNTURNED);
  }

  // The displacement of a piece in world coordinates, which has turned about 0, 0, 0 before.
  #placed(step, piece, place) {
    if (!this.frames[step - 1]?.turned) return this.cells.place(place);
    const middle = this.cells.middleOfFirst();
    return minus(plus(this.cells.place(place), middle), apply(this.#spun(step, piece), middle));
  }

  #piece(piece) {
    const { cells } = piece;
    const mesh = this.cells.mesh(cells, piece.signs);
    const buffer = this.gl?.createBuffer();
    this.gl?.bindBuffer(this.gl.ARRAY_BUFFER, buffer);
    this.gl?.bufferData(this.gl.ARRAY_BUFFER, mesh, this.gl.STATIC_DRAW);
    const middle = middleOf(cells.map(cell => this.cells.middle(cell)));
    return { cells, buffer, corners: mesh.length / FLOATS, middle, rgb: toRgb(piece.colour) };
  }

  /** Show a piece, or hide it. */
  setHidden(index, isHidden) {
    if (isHidden) this.hidden.add(index);
    else this.hidden.delete(index);
    this.draw();
  }

  /** Go to a step at once; between two whole steps a piece is moving. */
  jump(step) {
    cancelAnimationFrame(this.running);
    this.step = within(step, 0, this.frames.length);
    this.draw();
  }

  /** Go to a step, animating the pieces. */
  goTo(step) {
    cancelAnimationFrame(this.running);
    const target = within(step, 0, this.frames.length), from = this.step;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) { this.jump(target); return; }
    const startedAt = performance.now();
    const frame = now => {
      const share = within((now - startedAt) / STEP_MS, 0, 1);
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
      const { moved, spin } = this.#poseNow(index);
      if (!moved || this.hidden.has(index)) return;
      const apart = this.explode * 1.1;
      const offset = piece.middle.map((value, i) => (value - this.centre[i]) * apart + moved[i]);
      gl.uniform3fv(uniform("offset"), offset);
      gl.uniformMatrix3fv(uniform("spin"), false, spin);
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

  // Current turn and displacement of a piece; that is null if it is not there.
  #poseNow(index) {
    const done = Math.floor(this.step), share = this.step - done, spin = this.#spun(done, index);
    const frame = this.frames[done], from = this.places[done][index];
    if (!share || !frame.turn || !frame.moved.includes(index)) return { moved: this.#placeNow(index), spin };
    const { axis, centre, quarter } = frame.turn;
    const [first, second] = [(axis + 1) % 3, (axis + 2) % 3], at = [0, 0, 0];
    [at[first], at[second]] = centre;
    const angle = quarter * share * Math.PI / 2, [c, s] = [Math.cos(angle), Math.sin(angle)];
    const rows = UNTURNED.map(row => [...row]);
    rows[first][first] = rows[second][second] = c;
    rows[first][second] = -s;
    rows[second][first] = s;
    const turn = this.cells.spin(rows), middle = plus(this.cells.place(at), this.cells.middleOfFirst());
    const columns = [0, 3, 6].flatMap(i => apply(turn, spin.slice(i, i + 3)));
    return { moved: plus(apply(turn, minus(from, middle)), middle), spin: columns };
  }

  // Current displacement of a piece from its place in the solution; null if it is not there.
  #placeNow(index) {
    const done = Math.floor(this.step), share = this.step - done;
    const from = this.places[done][index];
    if (!share) return from;
    const to = this.places[done + 1][index], way = this.cells.place(this.frames[done].way);
    const far = this.radius * 1.4;
    if (!from && !to) return null;
    if (!from) return to.map((value, i) => value - way[i] * (1 - share) * far);
    if (!to) return from.map((value, i) => value + way[i] * share * far);
    return from.map((value, i) => value + (to[i] - value) * share);
  }

  // Column-major matrices, as WebGL expects.
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
