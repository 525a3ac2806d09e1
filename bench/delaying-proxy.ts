// node bench/delaying-proxy.ts PORT TARGET_PORT DELAY_MS: a TCP proxy that passes everything on DELAY_MS later, in either
// direction, in order and without a limit on how much is under way, as if the target were further away.

import { connect, createServer, type Socket } from 'node:net';

const [port = 0, targetPort = 0, delayMs = 0] = process.argv.slice(2).map(Number);

interface Delayed {
  readonly dueAt: number;
  readonly deliver: () => void;
}

/** As all wait for the same time, what comes first is due first. */
const underWay: Delayed[] = [];
const asleep = new Int32Array(new SharedArrayBuffer(4));

function delay(deliver: () => void): void {
  if (delayMs === 0) deliver();
  else if (underWay.push({ dueAt: performance.now() + delayMs, deliver }) === 1) setImmediate(proceed);
}

/**
 * A timer is only good to the millisecond. So while anything is under way, this looks for new messages and sleeps in turns, a
 * twentieth of a millisecond at a time, which leaves the processor to those who are measured.
 */
function proceed(): void {
  const now = performance.now();
  const waiting = underWay.findIndex(({ dueAt }) => dueAt > now);
  for (const { deliver } of underWay.splice(0, waiting < 0 ? underWay.length : waiting)) deliver();
  if (underWay.length === 0) return;
  Atomics.wait(asleep, 0, 0, 0.05);
  setImmediate(proceed);
}

function passOn(from: Socket, to: Socket): void {
  from.setNoDelay(true);
  from.on('data', (chunk) => delay(() => to.write(chunk)));
  from.on('end', () => delay(() => to.end()));
  from.on('error', () => to.destroy());
}

const server = createServer((near) => {
  const far = connect(targetPort, '127.0.0.1');
  passOn(near, far);
  passOn(far, near);
});
server.listen(port, '127.0.0.1', () => process.stdout.write('ready\n'));
