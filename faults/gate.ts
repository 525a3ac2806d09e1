// kill -9 of a gate and of Latchkey under load, restarts, two gates that share their sessions, and thousands of connections at
// once: nobody gets in who shouldn't, and nobody is signed out who shouldn't be.

import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { outputMatching, runCommand, startCommand } from '../test/harness/command.ts';
import { forwarded, GateVisitor, gateOn, navigation, type ReachableGate } from '../test/harness/gate.ts';
import { populate, Served } from '../test/harness/served.ts';
import { freePort, type TestUser } from '../test/harness/service.ts';
import { until } from '../test/harness/until.ts';
import { type Experiment, type Findings, inFolder, times } from './experiment.ts';
import { Tally } from './tally.ts';

export const killedGate: Experiment = {
  name: 'gate',
  title: 'The gate: `kill -9` of gates and of Latchkey, and 5,000 connections',
  run: ({ scale, say }) => inFolder((folder) => breakGates(folder, times(60, scale), say)),
};

const host = 'wiki.example';
/** Who stays signed in, and who signs out and in again. */
const [residents, movers] = [6, 3];
const connections = 5000;
const recheckSeconds = 1;

/** A process that listens on the same port after each start. */
class GateProcess {
  readonly port: number;
  readonly gate: ReachableGate;
  readonly #file: string;
  #child: ReturnType<typeof startCommand> | undefined;
  /** Changes when it goes away, and when it's back. */
  state = 0;
  isUp = false;

  constructor(file: string, port: number) {
    this.#file = file;
    this.port = port;
    this.gate = gateOn(port, host);
  }

  async start(): Promise<void> {
    const child = startCommand(['gate', 'serve', '--config', this.#file, '--listen', `127.0.0.1:${this.port}`], {});
    this.#child = child;
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    await outputMatching(child, /The gate is running at/);
    this.state++;
    this.isUp = true;
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    this.state++;
    this.isUp = false;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }
}

async function breakGates(folder: string, rounds: number, say: (progress: string) => void): Promise<Findings> {
  const served = await Served.at({ LATCHKEY_DATA_DIR: join(folder, 'data') });
  const { users } = await populate(served.environment, residents + movers);
  const file = await writeConfig(folder, served);
  const gates = [new GateProcess(file, await freePort()), new GateProcess(file, await freePort())] as const;
  const tally = new Tally();
  const counts = { checks: 0, signOuts: 0, signIns: 0, refused: 0 };
  let isOver = false;

  /** Asks one of the gates, and says what's wrong with its answer. An answer that a kill has prevented says nothing. */
  async function check(visitor: GateVisitor, process: GateProcess, user: TestUser | undefined): Promise<void> {
    const { state } = process;
    visitor.gate = process.gate;
    try {
      const { status, headers } = await visitor.check('/page');
      tally.answered(status);
      if (user === undefined) {
        counts.refused++;
        if (status !== 302) tally.broken(`${status} for someone who isn't signed in`, () => JSON.stringify(headers));
        return;
      }
      counts.checks++;
      if (status !== 200) tally.broken(`${status} for someone who is signed in`, () => JSON.stringify(headers));
      else if (headers['remote-user'] !== user.id) tally.broken('the identity of somebody else', () => user.id);
    } catch (error) {
      if (process.isUp && process.state === state) tally.broken('no response', () => String(error));
    }
  }

  async function signIn(visitor: GateVisitor, user: TestUser): Promise<void> {
    await until(
      async () => {
        visitor.gate = oneOf(gates).gate;
        return visitor.signIn(user).then(
          () => true,
          // Latchkey or the gate may be down; a session that was made nonetheless is as good as none.
          () => visitor.session !== undefined,
        );
      },
      'somebody can sign in',
      120,
    );
    counts.signIns++;
  }

  const staying = new Map<TestUser, GateVisitor>();
  async function stay(user: TestUser): Promise<void> {
    const visitor = new GateVisitor(gates[0].gate, served.service);
    await signIn(visitor, user);
    staying.set(user, visitor);
    while (!isOver) await check(visitor, oneOf(gates), user);
  }

  async function move(user: TestUser): Promise<void> {
    while (!isOver) {
      const visitor = new GateVisitor(gates[0].gate, served.service);
      await signIn(visitor, user);
      for (let asked = 0; asked < 10; asked++) await check(visitor, oneOf(gates), user);
      const copied = new Map(visitor.cookies);
      const signedOut = async () => {
        visitor.gate = oneOf(gates).gate;
        return visitor.signOut().then(
          ({ status }) => status === 303 || status === 200,
          () => false,
        );
      };
      await until(signedOut, 'somebody can sign out', 120);
      counts.signOuts++;
      for (const [name, value] of copied) visitor.cookies.set(name, value);
      for (let asked = 0; asked < 10; asked++) await check(visitor, oneOf(gates), undefined);
    }
  }

  async function intrude(): Promise<void> {
    const visitor = new GateVisitor(gates[0].gate, served.service);
    while (!isOver) {
      visitor.cookies.set('__Host-latchkey_gate', randomBytes(32).toString('base64url'));
      await check(visitor, oneOf(gates), undefined);
      await pause(5);
    }
  }

  try {
    await served.start();
    await Promise.all(gates.map((gate) => gate.start()));
    const work = Promise.all([...users.slice(0, residents).map(stay), ...users.slice(residents).map(move), intrude()]);
    await until(() => counts.signOuts > 0 && counts.signIns >= users.length, 'the load is under way', 120);
    for (let round = 1; round <= rounds; round++) {
      await Promise.race([work, pause(300 + Math.random() * 900)]);
      await oneOf([() => killGate(oneOf(gates)), () => killGate(oneOf(gates), 'SIGTERM'), killLatchkey, killAll])();
      if (round % 10 === 0) say(`${round} of ${rounds}`);
    }
    await pause(1500);
    isOver = true;
    await work;
    await leave();
    const crowd = await crowded(gates[0].port, served, users.at(-1), tally);
    return {
      done: `${rounds} kills and restarts at random moments, ${connections.toLocaleString('en')} connections at once`,
      checks: {
        checks: counts.checks,
        'sign-outs': counts.signOuts,
        'refused strangers': counts.refused,
        connections: crowd,
      },
      remarks: [`${counts.signIns.toLocaleString('en')} sign-ins`],
      broken: tally.lines(),
    };
  } finally {
    isOver = true;
    for (const gate of gates) await gate.end('SIGTERM');
    await served.end('SIGTERM');
  }

  /** Half of those who stayed are disabled, and out with the next check. */
  async function leave(): Promise<void> {
    const leaving = users.slice(0, residents / 2);
    for (const { email } of leaving) await runCommand(['user', 'disable', email], served.environment);
    await pause(recheckSeconds * 1000);
    for (const [user, visitor] of staying) {
      for (const gate of gates) await check(visitor, gate, leaving.includes(user) ? undefined : user);
    }
  }

  async function killGate(gate: GateProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    await gate.end(signal);
    await gate.start();
  }

  async function killLatchkey(): Promise<void> {
    await served.end('SIGKILL');
    await pause(Math.random() * 2000);
    await served.start();
  }

  /** A gate that starts while Latchkey is away knows only what's in the file. */
  async function killAll(): Promise<void> {
    await Promise.all([served.end('SIGKILL'), ...gates.map((gate) => gate.end('SIGKILL'))]);
    await Promise.all(gates.map((gate) => gate.start()));
    await pause(Math.random() * 1000);
    await served.start();
  }
}

async function writeConfig(folder: string, { url, environment }: Served): Promise<string> {
  const redirectUri = `https://${host}/gate/callback`;
  const args = ['client', 'create', '--name', 'Wiki', '--redirect-uri', redirectUri, '--json'];
  const { stdout, stderr } = await runCommand(args, environment);
  if (stdout === '') throw new Error(stderr);
  const { client_id, client_secret } = JSON.parse(stdout) as Record<string, string>;
  writeFileSync(join(folder, 'secret'), client_secret ?? '', { mode: 0o600 });
  const file = join(folder, 'gate.json');
  const config = {
    issuer: url,
    data_dir: 'gate',
    key_file: 'key',
    recheck_seconds: recheckSeconds,
    grace_seconds: 60,
    applications: [{ host, client_id, client_secret: { file: 'secret' } }],
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

/** All of them are open before the first one asks. Every second one is signed in. Returns how many were answered. */
async function crowded(port: number, served: Served, user: TestUser | undefined, tally: Tally): Promise<number> {
  if (user === undefined) throw new Error('nobody is there');
  const visitor = new GateVisitor(gateOn(port, host), served.service);
  await visitor.signIn(user);
  const sockets: Socket[] = [];
  while (sockets.length < connections) {
    const some = Array.from({ length: 250 }, () => connected(port));
    sockets.push(...(await Promise.all(some)));
  }
  const request = (headers: Record<string, string>) =>
    ['GET /gate/check HTTP/1.1', 'Host: gate', ...Object.entries(headers).map((pair) => pair.join(': ')), '', ''].join(
      '\r\n',
    );
  const stranger = request({ ...forwarded(host, '/'), ...navigation });
  const known = request({ ...forwarded(host, '/'), ...navigation, Cookie: visitor.cookie ?? '' });
  try {
    const statuses = await Promise.all(
      sockets.map((socket, index) => statusOf(socket, index % 2 === 0 ? known : stranger)),
    );
    for (const [index, status] of statuses.entries()) {
      const expected = index % 2 === 0 ? 200 : 302;
      if (status !== expected)
        tally.broken(`${status} instead of ${expected} on one of many connections`, () => String(index));
    }
    return statuses.length;
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
  });
}

/** NaN without a response in time. */
function statusOf(socket: Socket, request: string): Promise<number> {
  return new Promise((resolve) => {
    socket.setTimeout(60_000, () => resolve(Number.NaN));
    socket.once('error', () => resolve(Number.NaN));
    socket.once('close', () => resolve(Number.NaN));
    socket.once('data', (chunk) => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(String(chunk))?.[1])));
    socket.write(request);
  });
}

function oneOf<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item;
}
