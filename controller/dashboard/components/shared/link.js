// The one socket of a tab, and requests to the dashboard. Requests are plain HTTP, so that they work
// while the socket is down.

const RETRY_MS = 1000;
const TICK_MS = 250;
const MOST_TICKS = 10; // without a message; the dashboard sends one every half second
const CODE_WANTED = 401; // this device may only watch
const GONE = 'The dashboard does not answer. Is its command still running?';
const listeners = new Map();
const latest = new Map();
let ticks = 0; // since the last message; a tab that slept has not counted them

/** Call `listener` with each value of a topic, at once if there is one. */
export function on(topic, listener) {
  if (!listeners.has(topic)) listeners.set(topic, []);
  listeners.get(topic).push(listener);
  if (latest.has(topic)) call(listener, latest.get(topic));
}

/** Call a listener; one that fails keeps no other from its value, and the page says that it failed. */
function call(listener, value) {
  try {
    listener(value);
  } catch (error) {
    console.error(error);
    if (latest.get('broken') === undefined) publish('broken', error.message);
  }
}

function publish(topic, value) {
  latest.set(topic, value);
  for (const listener of listeners.get(topic) ?? []) call(listener, value);
}

function connect() {
  const socket = new WebSocket(`ws://${location.host}/events`);
  let timer = null;
  socket.onopen = () => {
    ticks = 0;
    timer = setInterval(countTick, TICK_MS);
    publish('log-again', []);
    setLink('open');
  };
  socket.onmessage = (message) => {
    ticks = 0;
    setLink('open');
    for (const { topic, value } of JSON.parse(message.data)) publish(topic, value);
  };
  socket.onclose = async () => {
    clearInterval(timer);
    if (latest.get('link') !== 'restarted') setLink('closed');
    setTimeout(connect, RETRY_MS);
    if (await isRestarted()) setLink('restarted');
  };
}

/** Publish the state of the link: open, silent (frozen), closed, or restarted with another secret. */
function setLink(state) {
  if (latest.get('link') !== state) publish('link', state);
}

function countTick() {
  ticks += 1;
  if (ticks === MOST_TICKS) setLink('silent');
}

/** Return whether there is a dashboard that does not know this page any more. */
async function isRestarted() {
  try {
    return (await fetch(location.pathname, { method: 'HEAD' })).status === 403;
  } catch {
    return false;
  }
}

/** Return the sentence of an answer that refuses something. */
function sentenceOf(text) {
  try {
    return JSON.parse(text).error;
  } catch {
    return text;
  }
}

/** Get a file; return `{ error, response }`, of which `error` is a sentence or ''. */
export async function get(address) {
  try {
    const response = await fetch(address);
    return { error: response.ok ? '' : sentenceOf(await response.text()), response };
  } catch {
    return { error: GONE, response: null };
  }
}

/** Send a request; return `{ error, answer }`, of which `error` is a sentence or ''. */
export async function ask(path, words = {}) {
  const body = words instanceof Blob ? words : JSON.stringify(words);
  try {
    const response = await fetch(`/api/${path}`, { method: 'POST', body });
    const text = await response.text();
    if (response.status === CODE_WANTED) publish('code-wanted', path);
    if (!response.ok) return { error: sentenceOf(text), answer: null };
    return { error: '', answer: JSON.parse(text) };
  } catch {
    return { error: GONE, answer: null };
  }
}

/** Send a request; return the sentence that refuses it, or '' if it was carried out. */
export async function order(path, words = {}) {
  return (await ask(path, words)).error;
}

connect();
