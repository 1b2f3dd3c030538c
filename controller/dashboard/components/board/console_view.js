// The console: what was said on the line, with what happened between. It follows the newest until
// a person scrolls up.

import { byId, element, say } from '/assets/elements.js';
import { on, order } from '/assets/link.js';

const MOST_LINES = 1000;
const NEAR_THE_END = 24;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Letters as text: control characters by their Unicode pictures. */
function legible(letters) {
  return [...letters].map((letter) => {
    const code = letter.charCodeAt(0);
    if (code < 32) return String.fromCharCode(0x2400 + code);
    return code === 127 ? '␡' : letter;
  }).join('');
}

function digits(letters) {
  return [...letters].map((letter) => letter.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')).join(' ');
}

/** A line of the console: its start, kind, and its letters without the line's end. */
class Line {
  constructor(at, kind) {
    this.at = at;
    this.kind = kind;
    this.letters = '';
    this.isOpen = kind === 'in';
    this.isBroken = false;
    this.element = element('p', { className: kind }, element('time', { textContent: `+${at.toFixed(3)}` }), element('span'));
  }

  draw(isHex) {
    this.element.lastChild.textContent = (this.kind === 'out' ? '> ' : '') + this.text(isHex);
  }

  text(isHex) {
    const said = this.kind === 'in' || this.kind === 'out';
    if (said && isHex) return digits(this.letters);
    return said ? legible(this.letters.replace(/[\r\n]+$/, '')) : this.letters;
  }
}

export class ConsoleView {
  constructor() {
    this.seen = 0;
    this.wanted = 0;
    this.isFetching = false;
    this.lines = [];
    this.follows = true;
    this.parent = byId('lines');
    this.parent.onscroll = () => {
      const { scrollHeight, scrollTop, clientHeight } = this.parent;
      this.setFollow(scrollHeight - scrollTop - clientHeight < NEAR_THE_END);
    };
    byId('follow').onclick = () => { this.setFollow(!this.follows); this.scroll(); };
    for (const id of ['stamps', 'hex']) {
      byId(id).onclick = () => {
        byId(id).ariaPressed = String(byId(id).ariaPressed !== 'true');
        this.draw();
      };
    }
    byId('copy').onclick = () => this.copy();
    byId('save').onclick = () => this.save();
    byId('send').onsubmit = (event) => { event.preventDefault(); this.send(); };
    on('board-console', (count) => this.fetch(count));
  }

  /** Allow sending, or say why not. */
  allow(view) {
    const isBusy = ['connecting', 'running', 'stopping'].includes(view.phase);
    const can = Boolean(view.address) && !isBusy && !view.is_lost;
    for (const id of ['text', 'send-it']) byId(id).disabled = !can;
    byId('text').placeholder = can ? 'a line to the program' : isBusy ? 'The line is in use' : 'No board yet';
  }

  async send() {
    const error = await order('board/send', { text: byId('text').value, end: byId('end').value });
    say(byId('send-error'), error);
    if (!error) byId('text').value = '';
  }

  async fetch(count) {
    if (count < this.seen) this.restart(); // the dashboard was restarted
    this.wanted = count;
    if (this.isFetching) return;
    this.isFetching = true;
    try {
      while (this.seen < this.wanted) {
        const response = await fetch(`/files/board/console-${this.seen}.json`);
        if (!response.ok) break;
        const entries = await response.json();
        if (!entries.length) break;
        this.add(entries);
      }
    } catch {
      // the bar over the page says that the dashboard does not answer
    } finally {
      this.isFetching = false;
    }
  }

  restart() {
    this.seen = 0;
    this.lines = [];
    this.parent.replaceChildren();
  }

  add(entries) {
    const changed = new Set();
    for (const { n, at_s: at, kind, text } of entries) {
      this.seen = n;
      if (kind === 'in') this.receive(at, text, changed);
      else this.append(new Line(at, kind), changed).letters = text;
    }
    for (const line of changed) line.draw(this.isHex);
    for (const line of this.lines.splice(0, this.lines.length - MOST_LINES)) line.element.remove();
    this.scroll();
  }

  /** Take bytes: a line ends with LF, CR, or both. */
  receive(at, text, changed) {
    let line = this.lines.at(-1);
    for (const letter of text) {
      const code = letter.charCodeAt(0);
      const endsBefore = line?.isOpen && line.isBroken && code !== LINE_FEED;
      if (!line?.isOpen || endsBefore) line = this.append(new Line(at, 'in'), changed);
      line.letters += letter;
      changed.add(line);
      if (code === CARRIAGE_RETURN) line.isBroken = true;
      if (code === LINE_FEED) line.isOpen = false;
    }
  }

  append(line, changed) {
    this.lines.push(line);
    this.parent.append(line.element);
    changed.add(line);
    return line;
  }

  get isHex() {
    return byId('hex').ariaPressed === 'true';
  }

  draw() {
    this.parent.classList.toggle('bare', byId('stamps').ariaPressed !== 'true');
    for (const line of this.lines) line.draw(this.isHex);
    this.scroll();
  }

  scroll() {
    if (this.follows) this.parent.scrollTop = this.parent.scrollHeight;
  }

  setFollow(follows) {
    this.follows = follows;
    byId('follow').ariaPressed = String(follows);
  }

  get text() {
    const lines = this.lines.map((line) => `${line.element.firstChild.textContent}\t${line.element.lastChild.textContent}\n`);
    return lines.join('');
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.text);
      say(byId('copy-note'), 'copied');
    } catch {
      say(byId('copy-note'), 'The browser does not let the page copy; save it instead.');
    }
  }

  save() {
    const link = element('a', { href: URL.createObjectURL(new Blob([this.text], { type: 'text/plain' })), download: 'console.txt' });
    link.click();
    URL.revokeObjectURL(link.href);
    say(byId('copy-note'), 'saved');
  }
}
