// What goes on besides people who use applications while something is broken: accounts are created and imported, webhooks
// report it, people sign in with an identity provider, and keys are rotated. Remembers what the service has acknowledged, and
// finds out afterwards whether it still knows, and whether the endpoint has heard of it.

import { setTimeout as pause } from 'node:timers/promises';
import { composeServices } from '../src/cli/compose.ts';
import { keysEvery } from '../src/cli/service/background.ts';
import { createApiKey } from '../src/operations/api-keys/api-keys.ts';
import { createUpstream } from '../src/operations/upstreams/upstreams.ts';
import { createWebhook } from '../src/operations/webhooks/endpoints.ts';
import { readConfig } from '../src/platform/config.ts';
import { keyId } from '../src/platform/keys.ts';
import { runCommand } from '../test/harness/command.ts';
import { allowLoopbackUpstreams } from '../test/harness/discovery.ts';
import { HostileUpstream } from '../test/harness/hostile-upstream.ts';
import type { WorkBeside } from '../test/harness/killed-under-load.ts';
import type { Ledger } from '../test/harness/ledger.ts';
import { Person, readForm } from '../test/harness/person.ts';
import type { Served } from '../test/harness/served.ts';
import { requester } from '../test/harness/service.ts';
import { until } from '../test/harness/until.ts';
import { allowLoopback, type Receiver, startReceiver } from '../test/harness/webhooks.ts';
import { keysIn } from './embedded-store.ts';

/** What a service needs to take part. */
export const otherWorkSettings = { ...allowLoopback, ...allowLoopbackUpstreams };

const batchSize = 10;
/** The keys are rotated in the first of so many rounds. */
const rotateEvery = 10;
/** Seconds. A process that was killed keeps an endpoint for ten, and what failed then is retried. */
const deliveryAllowed = 90;
/** Seconds. A process that was killed counts as running for thirty, and a new key waits for it. */
const keyUseAllowed = 60;
const upstreamName = 'company';

interface Batch {
  readonly people: readonly { readonly id: string; readonly email: string }[];
  acknowledged: boolean;
}

interface Parts {
  readonly served: Served;
  readonly apiKey: string;
  readonly receiver: Receiver;
  readonly provider: HostileUpstream;
}

/** A response that says to come back later, as is right while something is broken. */
class ComeBackLater extends Error {}

export class OtherWork implements WorkBeside {
  readonly #parts: Parts;
  readonly #rotates: boolean;
  #keys: readonly string[];
  #rounds = 0;
  #number = 0;
  /** The kinds of work of which nothing was acknowledged in this round. */
  readonly #idle = new Set<() => Promise<void>>();
  #rotations = 0;
  #checked = { people: 0, batches: 0, sessions: 0 };
  /** The IDs of accounts that were created one by one. */
  readonly #people: string[] = [];
  readonly #batches: Batch[] = [];
  readonly #sessions: Person[] = [];
  readonly #wrong: string[] = [];
  #delivered = 0;

  private constructor(parts: Parts, rotates: boolean) {
    this.#parts = parts;
    this.#rotates = rotates;
    this.#keys = keysIn(parts.served.environment.LATCHKEY_DATA_DIR ?? '');
  }

  /** Before the service starts. Without `rotates`, the keys are rotated only when `rotateKeys` is called. */
  static async prepare(served: Served, { rotates = true } = {}): Promise<OtherWork> {
    const receiver = await startReceiver();
    const provider = await HostileUpstream.start(() => Date.now());
    const { services, close } = await composeServices(readConfig(served.environment));
    try {
      const { issuer, clientId, secret } = provider;
      const upstream = { name: upstreamName, label: 'Company', issuer, clientId, secret };
      const trusting = { trustedDomains: ['people.example'], createsAccounts: true };
      const made = [
        await createUpstream(services, { ...upstream, ...trusting }, requester),
        await createWebhook(services, { url: receiver.url, types: ['user.created', 'users.imported'] }, requester),
      ];
      for (const outcome of made) if (outcome.kind === 'refused') throw new Error(outcome.problem);
      const key = await createApiKey(services, { name: 'Key', permission: 'write', days: undefined }, requester);
      if (key.kind === 'refused') throw new Error(key.problem);
      return new OtherWork({ served, apiKey: key.secret, receiver, provider }, rotates);
    } finally {
      await close();
    }
  }

  async stop(): Promise<void> {
    await this.#parts.receiver.stop();
    await this.#parts.provider.stop();
  }

  /** How much of everything was checked. */
  get checks(): Readonly<Record<string, number>> {
    return {
      'accounts created': this.#people.length,
      'people imported': this.#batches.filter(({ acknowledged }) => acknowledged).length * batchSize,
      'webhook messages': this.#delivered,
      'sign-ins with an identity provider': this.#sessions.length,
      'key rotations': this.#rotations,
    };
  }

  async load(ended: () => boolean): Promise<void> {
    const rotation = this.#rotates && this.#rounds++ % rotateEvery === 0 ? this.rotateKeys() : undefined;
    const works = [() => this.#create(), () => this.#import(), () => this.#signIn()];
    this.#idle.clear();
    for (const work of works) this.#idle.add(work);
    await Promise.all([rotation, ...works.map((work) => this.#repeat(work, ended))]);
  }

  isUnderWay(): boolean {
    return this.#idle.size === 0;
  }

  /** Once the command has ended, there is one more key, and the others are what they were. */
  async rotateKeys(): Promise<void> {
    const { environment } = this.#parts.served;
    const { status, stderr } = await runCommand(['keys', 'rotate'], environment);
    const now = keysIn(environment.LATCHKEY_DATA_DIR ?? '');
    if (status !== 0) this.#wrong.push(`keys rotate: ${stderr.trim()}`);
    else if (now.slice(1).join() !== this.#keys.join()) this.#wrong.push('keys rotate changed the old keys');
    else this.#rotations++;
    this.#keys = now;
  }

  /** What the service has forgotten of what it acknowledged since the last check. */
  async check(): Promise<string[]> {
    const { people, batches, sessions } = this.#checked;
    const lost = [
      ...(await this.#missingPeople(people)),
      ...(await this.#brokenBatches(batches)),
      ...(await this.#lostSessions(sessions)),
      ...this.#wrong.splice(0),
    ];
    this.#checked = {
      people: this.#people.length,
      batches: this.#batches.length,
      sessions: this.#sessions.length,
    };
    if (keysIn(this.#parts.served.environment.LATCHKEY_DATA_DIR ?? '').join() !== this.#keys.join()) {
      lost.push('the key file has changed');
    }
    return lost;
  }

  /**
   * Everything once more, from before and after the newest key came into use, and whether the endpoint has heard of every
   * account and of every batch.
   */
  async finish(ledger: Ledger): Promise<string[]> {
    const lost: string[] = [];
    const note = (error: Error) => lost.push(error.message);
    await until(() => this.#isNewestKeyUsed(), 'the newest key is in use', keyUseAllowed).catch(note);
    const { grants } = ledger;
    await ledger.load(() => ledger.grants > grants);
    await this.#signIn().catch(note);
    this.#checked = { people: 0, batches: 0, sessions: 0 };
    lost.push(...(await ledger.checkTokens()), ...(await this.check()));
    const unheard = () => {
      const messages = this.#parts.receiver.received.map(({ body }) => JSON.parse(body));
      const created = new Set(messages.map(({ data }) => data.sub));
      const batches = new Set(messages.filter(({ type }) => type === 'users.imported').map(({ data }) => data.source));
      const missing = this.#people.filter((id) => !created.has(id)).map((id) => `a message about ${id}`);
      this.#delivered = created.size + batches.size;
      return [...missing, ...this.#batchNames().filter((name) => !batches.has(name))];
    };
    await until(() => unheard().length === 0, 'all messages', deliveryAllowed).catch(() => {});
    return [...lost, ...unheard().map((message) => `never delivered: ${message}`)];
  }

  /** By all processes: they look every few seconds. */
  async #isNewestKeyUsed(): Promise<boolean> {
    const { services, close } = await composeServices(readConfig(this.#parts.served.environment));
    try {
      const records = await services.storage.listServiceKeys();
      const newest = records.find(({ id }) => id === keyId(this.#keys[0] ?? ''));
      return newest !== undefined && newest.firstUsedAt + keysEvery < Date.now();
    } finally {
      await close();
    }
  }

  #batchNames(): string[] {
    return this.#batches.flatMap(({ acknowledged }, index) => (acknowledged ? [`batch-${index}`] : []));
  }

  async #repeat(work: () => Promise<void>, ended: () => boolean): Promise<void> {
    while (!ended()) {
      try {
        await work();
        this.#idle.delete(work);
      } catch (error) {
        // What is in flight when the service goes away is not acknowledged.
        if (!(error instanceof ComeBackLater || error instanceof TypeError)) this.#wrong.push(String(error));
        await pause(100);
      }
    }
  }

  async #create(): Promise<void> {
    const email = `created${++this.#number}@people.example`;
    const { id } = await this.#api('POST', '/api/people', 201, { email, name: 'Ada' });
    this.#people.push(String(id));
  }

  async #import(): Promise<void> {
    const number = this.#batches.length;
    const people = Array.from({ length: batchSize }, (_, index) => ({
      id: `imported-${number}-${index}`,
      email: `imported-${number}-${index}@people.example`,
    }));
    const batch: Batch = { people, acknowledged: false };
    this.#batches.push(batch);
    const { imported } = await this.#sendBatch(batch, number);
    if (imported !== batchSize) throw new Error(`${imported} of a batch were imported`);
    batch.acknowledged = true;
    await pause(50);
  }

  #sendBatch({ people }: Batch, number: number): Promise<Record<string, unknown>> {
    return this.#api('POST', '/api/people/import', 200, { from: 'csv', source: `batch-${number}`, people });
  }

  async #signIn(): Promise<void> {
    const { provider, served } = this.#parts;
    const person = new Person(served.service);
    const form = readForm(await this.#page(person.visit('/sign-in')), '/sign-in');
    const action = `/sign-in/with/${upstreamName}`;
    const ticket = { continue: form?.fields.continue ?? '' };
    const sent = await answered(person.submit({ action, fields: ticket, buttons: [] }, {}));
    await sent.arrayBuffer();
    const target = /^0;url=(.+)$/.exec(sent.headers.get('refresh') ?? '')?.[1];
    if (target === undefined) throw new Error(`an identity provider's button: ${sent.status}`);
    const back = provider.authorize(target);
    await this.#page(person.visit(back.pathname + back.search));
    if (!person.cookies.has('latchkey_session'))
      throw new Error('no session after a sign-in with an identity provider');
    this.#sessions.push(person);
    await pause(50);
  }

  async #page(sending: Promise<Response>): Promise<string> {
    const response = await answered(sending);
    const body = await response.text();
    if (response.status !== 200) throw new Error(`a page: ${response.status}`);
    return body;
  }

  async #api(method: string, path: string, status: number, body?: object): Promise<Record<string, unknown>> {
    const { served, apiKey } = this.#parts;
    const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
    const sending = fetch(served.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const response = await answered(sending);
    const text = await response.text();
    if (response.status !== status) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`);
    return JSON.parse(text).data;
  }

  async #missingPeople(from: number): Promise<string[]> {
    const lost: string[] = [];
    for (const id of this.#people.slice(from)) {
      await this.#api('GET', `/api/people/${id}`, 200).catch((error) => lost.push(`an account: ${error}`));
    }
    return lost;
  }

  /** Of a batch that wasn't acknowledged, all or none are there. Sending it again imports the rest. */
  async #brokenBatches(from: number): Promise<string[]> {
    const broken: string[] = [];
    for (const [index, batch] of this.#batches.slice(from).entries()) {
      const { already_imported: known } = await this.#sendBatch(batch, from + index);
      const isRight = known === batchSize || (!batch.acknowledged && known === 0);
      if (!isRight) broken.push(`${known} people of a batch that was${batch.acknowledged ? '' : "n't"} acknowledged`);
      batch.acknowledged = true;
    }
    return broken;
  }

  async #lostSessions(from: number): Promise<string[]> {
    const lost: string[] = [];
    for (const person of this.#sessions.slice(from)) {
      const response = await person.request('/account');
      await response.arrayBuffer();
      if (response.status !== 200) lost.push(`a session of an identity provider: ${response.status}`);
    }
    return lost;
  }
}

async function answered(sending: Promise<Response>): Promise<Response> {
  const response = await sending;
  if (response.status !== 503 && response.status !== 429) return response;
  await response.arrayBuffer();
  throw new ComeBackLater(`status ${response.status}`);
}
