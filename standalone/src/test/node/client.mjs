// A client of the Agents API made of @ipld/dag-cbor, @noble/curves and ws alone: it signs, creates, subscribes, asks,
// streams, loses its connection and resumes, and compares what it saw with what is stored.
//
// Usage: node client.mjs http://127.0.0.1:3051
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import * as cbor from '@ipld/dag-cbor';
import { ed25519 } from '@noble/curves/ed25519.js';
import WebSocket from 'ws';

const base = process.argv[2];
const wsUrl = base.replace(/^http/, 'ws') + '/agents/ws';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
function base58btc(bytes) {
  let number = 0n;
  for (const byte of bytes) number = (number << 8n) | BigInt(byte);
  let text = '';
  for (; number > 0n; number /= 58n) text = ALPHABET[Number(number % 58n)] + text;
  for (const byte of bytes) {
    if (byte !== 0) break;
    text = '1' + text;
  }
  return 'z' + text;
}

const secret = randomBytes(32);
const principal = new Uint8Array([0xed, 0x01, ...ed25519.getPublicKey(secret)]);
const account = base58btc(principal);

function envelope(action) {
  const unsigned = {
    type: 'AgentsAction',
    signer: principal,
    account: principal,
    sig: new Uint8Array(64),
    action: { ...action, ts: Date.now() },
  };
  return cbor.encode({ ...unsigned, sig: ed25519.sign(cbor.encode(unsigned), secret) });
}

async function call(action) {
  const response = await fetch(base + '/agents/api/message', {
    method: 'POST',
    headers: { 'content-type': 'application/cbor' },
    body: envelope(action),
  });
  // The strict decoder of @ipld/dag-cbor refuses whatever is not canonical.
  const answer = cbor.decode(new Uint8Array(await response.arrayBuffer()));
  assert.equal(response.status, 200, `${action._}: ${JSON.stringify(answer)}`);
  assert.equal(answer._, action._ + 'Response');
  return answer;
}

/** A socket that keeps every frame and lets one wait for the first that fits. */
class Socket {
  static async open() {
    const socket = new Socket();
    socket.frames = [];
    socket.waiting = [];
    socket.ws = new WebSocket(wsUrl);
    socket.ws.on('message', (data, binary) => {
      assert.equal(binary, false, 'frames are text');
      socket.frames.push(JSON.parse(data.toString()));
      socket.wake();
    });
    socket.ws.on('close', () => socket.wake());
    await new Promise((resolve, reject) => socket.ws.once('open', resolve).once('error', reject));
    await socket.until((frame) => frame._ === 'connected');
    return socket;
  }

  wake() {
    for (const check of this.waiting.splice(0)) check();
  }

  async until(fits, millis = 20000) {
    const end = Date.now() + millis;
    for (;;) {
      const found = this.frames.find(fits);
      if (found) return found;
      assert.ok(Date.now() < end, 'waited too long; last frames: ' + JSON.stringify(this.frames.slice(-3)).slice(0, 600));
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, end - Date.now());
        this.waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  subscribe(key, afterSeq) {
    // A member without a value is left out, never undefined.
    this.ws.send(envelope(afterSeq === undefined ? { _: 'Subscribe', key } : { _: 'Subscribe', key, afterSeq }));
    return this.until((frame) => (frame._ === 'subscribed' || frame._ === 'error') && frame.key === key);
  }

  appends() {
    return this.frames.filter((frame) => frame._ === 'append').map((frame) => frame.event);
  }

  deltas(partialId) {
    return this.frames
      .filter((frame) => frame._ === 'appendPartial' && frame.partialId === partialId)
      .map((frame) => frame.patch.textDelta ?? '')
      .join('');
  }
}

const { agentId } = await call({ _: 'CreateAgent', definition: { name: 'Node', systemPrompt: 'Echo.', modelProvider: 'demo', model: 'demo' } });
const { sessionId } = await call({ _: 'CreateSession', agentId, title: 'from node' });
const key = 'sessions/' + sessionId;

const first = await Socket.open();
const subscribed = await first.subscribe(key);
assert.equal(subscribed._, 'subscribed');
assert.equal(subscribed.accountId, account);
await first.until((frame) => frame._ === 'change' && frame.key === key && frame.value.status === 'idle');

// A turn: what was streamed is what is stored.
const text = 'one two three four five six seven eight';
const { assistantEventId } = await call({ _: 'MessageSession', sessionId, content: [{ type: 'text', text }], clientMessageId: 'c-1' });
const answer = await first.until((frame) => frame._ === 'append' && frame.event.id === assistantEventId);
const partials = [...new Set(first.frames.filter((f) => f._ === 'appendPartial').map((f) => f.partialId))];
const streamed = partials.map((id) => first.deltas(id)).join('');
assert.equal(streamed, answer.event.event.content);
assert.equal(first.appends()[0].event.clientMessageId, 'c-1');

// 100 KB both ways: up in the message, down in the answer.
const large = 'é'.repeat(50 * 1024);
const echoed = await call({ _: 'MessageSession', sessionId, content: [{ type: 'text', text: large }] });
const largeAnswer = await first.until((frame) => frame._ === 'append' && frame.event.id === echoed.assistantEventId);
assert.ok(largeAnswer.event.event.content.includes(large));
const stored = await call({ _: 'GetSession', sessionId });
assert.deepEqual(
  stored.events.map((event) => event.seq),
  stored.events.map((_, index) => index + 1),
);

// A stream that is cut by a reset, and resumed from the last seq.
const before = Math.max(...first.appends().map((event) => event.seq));
const turn = call({ _: 'MessageSession', sessionId, content: [{ type: 'text', text: '/stream 60 20 10' }] });
await first.until((frame) => frame._ === 'append' && frame.event.seq === before + 1);
await first.until((frame) => frame._ === 'appendPartial' && frame.patch.textDelta);
first.ws.terminate();
const seen = first.appends();
const second = await Socket.open();
const resumed = await second.subscribe(key, Math.max(...seen.map((event) => event.seq)));
assert.equal(resumed._, 'subscribed');
const { assistantEventId: lastId } = await turn;
await second.until((frame) => frame._ === 'append' && frame.event.id === lastId);
await second.until((frame) => frame._ === 'change' && frame.value.status === 'idle');
const all = [...seen, ...second.appends()];
assert.deepEqual(
  all.map((event) => event.seq),
  all.map((_, index) => index + 1),
  'no gap and no repeat over the cut',
);
const final = await call({ _: 'GetSession', sessionId });
assert.deepEqual(all, final.events);

// A refusal leaves the socket usable.
second.ws.send(new Uint8Array([0xff]));
await second.until((frame) => frame._ === 'error');
assert.equal((await second.subscribe('account/' + account))._, 'subscribed');
second.ws.close();
console.log('ok: ' + all.length + ' events, ' + streamed.length + ' characters streamed');
