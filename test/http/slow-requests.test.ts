// A client that takes too long to send its request gets 408 when its time is over, and the connection is closed.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../harness/service.ts';

/** Milliseconds; 30 seconds in a real service. */
const requestTimeout = 300;

let service: TestService;
before(async () => {
  service = await startTestService({}, { requestTimeout });
});
after(() => service.stop());

const form = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100';
const beginnings = [
  ['headers that never end', 'GET /sign-in HTTP/1.1\r\nHost: x\r\nX-Slow:'],
  [
    'a body that never ends, at the token endpoint',
    `POST /oauth/token HTTP/1.1\r\nHost: x\r\n${form}\r\n\r\ngrant_type=`,
  ],
  ['a body that never ends, for a page', `POST /sign-in HTTP/1.1\r\nHost: x\r\n${form}\r\n\r\nemail=`],
] as const;

for (const [name, beginning] of beginnings) {
  test(`${name}: 408 on time`, async () => {
    const started = performance.now();
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    let response = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      response += chunk;
    });
    // A byte now and then does not buy more time.
    const drip = setInterval(() => socket.write('x'), requestTimeout / 5);
    const closed = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve));
    socket.write(beginning);
    await closed;
    clearInterval(drip);
    const took = performance.now() - started;
    assert.equal(response, 'HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    // Far less than the double time that Node's own check would take.
    assert.ok(took >= requestTimeout * 0.9 && took < 10_000, `${took} ms`);
  });
}
