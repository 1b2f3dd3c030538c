// The one socket of a tab, and requests to the dashboard. Requests are plain HTTP, so that they work
// while the socket is down.

const RETRY_MS = 1000;
const listeners = new Map();
const latest = new Map();
let isOpen = false;

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
  socket.onopen = () => {
    isOpen = true;
    publish('log-again', []);
    publish('connected', true);
  };
  socket.onmessage = (message) => {
    for (const { topic, value } of JSON.parse(message.data)) publish(topic, value);
  };
  socket.onclose = () => {
    if (isOpen || !latest.has('connected')) publish('connected', false);
    isOpen = false;
    setTimeout(connect, RETRY_MS);
  };
}

/** Send a request; return `{ error, answer }`, of which `error` is a sentence or ''. */
export async function ask(path, words = {}) {
  const body = words instanceof Blob ? words : JSON.stringify(words);
  try {
    const response = await fetch(`/api/${path}`, { method: 'POST', body });
    const text = await response.text();
    try {
      const answer = JSON.parse(text);
      return { error: response.ok ? '' : answer.error, answer };
    } catch {
      return { error: text, answer: null };
    }
  } catch {
    return { error: 'The dashboard does not answer. Is its command still running?', answer: null };
  }
}

/** Send a request; return the sentence that refuses it, or '' if it was carried out. */
export async function order(path, words = {}) {
  return (await ask(path, words)).error;
}

connect();
