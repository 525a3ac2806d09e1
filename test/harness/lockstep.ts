// Several services that get the same requests at the same time by one clock, with the same keys and random numbers: whatever
// they are made of, they have to answer the same bytes, record the same events and count the same.

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { inspect, isDeepStrictEqual } from 'node:util';
import { scrape } from './metrics.ts';
import { freePort, movableClock, startTestService, type TestClock, type TestService } from './service.ts';

export interface Variant {
  readonly name: string;
  readonly engine: 'embedded' | 'postgres';
  /** What the embedded store has at once, it answers in a later turn, as a database server does. */
  readonly answersLater?: boolean;
  readonly authorizesInFront?: boolean;
}

export interface Answer {
  readonly status: number;
  /** Names in lower case, sorted, without what differs from process to process. */
  readonly headers: readonly string[];
  readonly body: string;
}

interface Member {
  readonly variant: Variant;
  readonly service: TestService;
  readonly metricsPort: number;
}

/** All have this base URL, whatever port they listen on. */
const baseUrl = 'http://localhost:9';

export class Lockstep {
  readonly clock: TestClock;
  readonly #members: readonly Member[];
  readonly #seed: string;
  #step = 0;

  private constructor(clock: TestClock, members: readonly Member[], seed: string) {
    this.clock = clock;
    this.#members = members;
    this.#seed = seed;
  }

  static async start(variants: readonly Variant[], seed: string, environment: Record<string, string> = {}) {
    const clock = movableClock();
    const keys = randomBytes(32).toString('base64url');
    const members: Member[] = [];
    for (const variant of variants) {
      const metricsPort = await freePort();
      const settings = {
        ...environment,
        LATCHKEY_BASE_URL: baseUrl,
        LATCHKEY_KEYS: keys,
        LATCHKEY_METRICS_PORT: String(metricsPort),
      };
      const { authorizesInFront = true } = variant;
      const start = () => startTestService(settings, { clock, authorizesInFront });
      const service = variant.engine === 'embedded' ? await onEmbeddedStore(start) : await start();
      // Each would sweep at another moment of the history, if that takes a minute.
      Object.assign(service.running.services.storage, { takeLease: async () => false });
      if (variant.answersLater) answerLater(service);
      members.push({ variant, service, metricsPort });
    }
    return new Lockstep(clock, members, seed);
  }

  /** Does the same with each of the services, which must lead to the same. */
  async each<Result>(what: string, work: (service: TestService) => Promise<Result>): Promise<Result> {
    const step = ++this.#step;
    const results: Result[] = [];
    for (const { service } of this.#members) {
      const { services } = service.running;
      Object.assign(services, { random: seededBytes(`${this.#seed} ${step}`) });
      results.push(await work(service));
    }
    const [first] = results as [Result, ...Result[]];
    for (const [index, result] of results.entries()) {
      if (isDeepStrictEqual(result, first)) continue;
      const name = this.#members[index]?.variant.name;
      assert.fail(`${name}, seed ${this.#seed}, step ${step}: ${what}\n${differenceOf(result, first)}`);
    }
    return first;
  }

  /** Sends these bytes to each over a connection of its own; `text` is Latin-1. */
  send(text: string): Promise<Answer> {
    return this.each(JSON.stringify(text), async (service) => readAnswer(await exchangeBytes(service, text)));
  }

  /** What each has recorded so far, which must be the same. */
  compareEvents(): Promise<unknown> {
    return this.each('events', async (service) => {
      const events = await service.events();
      return events.map(({ id: _id, requestId, ...event }) => ({ ...event, requestId: countOf(requestId) }));
    });
  }

  /** What each has logged about requests and outages, but for how long they took. */
  compareLogs(): Promise<unknown> {
    return this.each('log', async (service) =>
      service
        .log()
        .split('\n')
        .filter((line) => /"(reqId|err)":/.test(line))
        .map((line) => {
          const { time: _time, pid: _pid, hostname: _hostname, ms: _ms, reqId, ...entry } = JSON.parse(line);
          return { ...entry, reqId: countOf(reqId) };
        }),
    );
  }

  /** The counters, without those of the process and its store, and how many requests were timed. */
  async compareMetrics(): Promise<void> {
    const ports = new Map(this.#members.map(({ service, metricsPort }) => [service, metricsPort]));
    await this.each('metrics', async (service) => {
      const { values } = await scrape(ports.get(service) ?? 0);
      const comparable = /^latchkey_(?!storage|build|process|event_loop|memory|gc|uptime|password)\w+_(total|count)\b/;
      return [...values].filter(([series, value]) => value > 0 && comparable.test(series));
    });
  }

  async stop(): Promise<void> {
    for (const { service } of this.#members) await service.stop();
  }
}

/** The harness starts services on the engine that the tests run on. */
async function onEmbeddedStore<Result>(work: () => Promise<Result>): Promise<Result> {
  const engine = process.env.TEST_ENGINE;
  delete process.env.TEST_ENGINE;
  try {
    return await work();
  } finally {
    if (engine !== undefined) process.env.TEST_ENGINE = engine;
  }
}

function answerLater(service: TestService): void {
  const storage = service.running.services.storage as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const [name, operation] of Object.entries(storage)) {
    storage[name] = (...args) => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      try {
        const result = operation(...args);
        setImmediate(() => resolve(result));
      } catch (error) {
        setImmediate(() => reject(error));
      }
      return promise;
    };
  }
}

/** Bytes that follow from the seed. */
export function seededBytes(seed: string): (size: number) => Uint8Array {
  let count = 0;
  return (size) => {
    const blocks = Array.from({ length: Math.ceil(size / 32) }, () =>
      createHash('sha256').update(`${seed} ${count++}`).digest(),
    );
    return Buffer.concat(blocks).subarray(0, size);
  };
}

/** The lines of each that the other doesn't have: pages are long. */
function differenceOf(...results: readonly unknown[]): string {
  const [own = [], others = []] = results.map((result) =>
    inspect(result, { depth: 9, maxArrayLength: null }).split('\n'),
  );
  const without = (lines: readonly string[], known: readonly string[]) =>
    lines.filter((line) => !known.includes(line)).slice(0, 20);
  return ['answered:', ...without(own, others), 'instead of:', ...without(others, own)].join('\n');
}

/** Request ids start with a random word for the process; the count after it is the same for all. */
function countOf(requestId: string | undefined): string | undefined {
  return requestId?.replace(/^[A-Za-z0-9]{1,8}-/, '');
}

async function exchangeBytes({ url }: TestService, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {}).setEncoding('latin1');
  socket.write(text, 'latin1');
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  return answer;
}

function readAnswer(text: string): Answer {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  let body = text.slice(end + 4);
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    const [name, value] = [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)];
    if (name === 'date') return name;
    if (name !== 'x-request-id') return `${name}: ${value}`;
    // Error pages show it.
    body = body.replaceAll(value, countOf(value) ?? '');
    return `${name}: ${countOf(value)}`;
  });
  // What a form carries is sealed with a nonce of the system's.
  body = body.replaceAll(/(type="hidden"[^>]* value=")([^"]{60,})/g, (_all, start, value) => start + value.length);
  return { status: Number(statusLine.split(' ')[1]), headers: headers.sort(), body };
}
