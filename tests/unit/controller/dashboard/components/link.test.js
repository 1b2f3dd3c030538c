// The socket of a page and its requests, with stand-ins for what a browser has.

import assert from 'node:assert/strict';
import { test } from 'node:test';

const sockets = [];
globalThis.location = { host: 'here' };
globalThis.WebSocket = class {
  constructor(address) {
    this.address = address;
    sockets.push(this);
  }
};
console.error = () => {};
const { ask, on, order } = await import('/assets/link.js');
const [socket] = sockets;
const send = (...topics) => socket.onmessage({ data: JSON.stringify(topics.map(([topic, value]) => ({ topic, value }))) });

test('a listener gets the latest value at once, and every later one', () => {
  const values = [];
  send(['robot', 1], ['robot', 2]);
  on('robot', (value) => values.push(value));
  send(['robot', 3]);
  assert.deepEqual(values, [2, 3]);
});

test('a listener that throws keeps no other from its value, and is reported once', () => {
  const values = [];
  const reports = [];
  on('broken', (why) => reports.push(why));
  on('plan', () => { throw new Error('no such phase'); });
  on('plan', (value) => values.push(value));
  send(['plan', 1], ['plan', 2]);
  on('plan', () => { throw new Error('at once'); });
  assert.deepEqual(values, [1, 2]);
  assert.deepEqual(reports, ['no such phase']);
});

test('a refused request gives its sentence, as does a server that is gone', async () => {
  globalThis.fetch = async () => new Response('{"error": "The robot is busy."}', { status: 409 });
  assert.equal(await order('robot/scan'), 'The robot is busy.');
  globalThis.fetch = async () => new Response('A request may have 65536 bytes.', { status: 413 });
  assert.deepEqual(await ask('board/open'), { error: 'A request may have 65536 bytes.', answer: null });
  globalThis.fetch = async () => { throw new TypeError('refused'); };
  assert.match(await order('stop'), /does not answer/);
});
