// What people and applications do while the database fails over, and every fact that the service acknowledged: codes that
// were exchanged, tokens that were refreshed and revoked, sign-ins and approvals. After the fault each of them is asked for.

import { setTimeout as pause } from 'node:timers/promises';
import { answered, Ledger } from '../test/harness/ledger.ts';
import { Person } from '../test/harness/person.ts';
import {
  authorizePath,
  newVerifier,
  obtainTokens,
  postForm,
  refreshParameters,
  type TokenBody,
  userinfo,
} from '../test/harness/relying-party.ts';
import type { TestClient, TestService, TestUser } from '../test/harness/service.ts';

/** People who exchange codes and revoke tokens all the time; the others sign in for the first time, one by one. */
const busyPeople = 6;

/** Seconds. A cluster may need a second election after the first; what it answers then is what counts. */
const patience = 60;

export interface LoadReport {
  readonly requests: number;
  readonly statuses: ReadonlyMap<string, number>;
  /** The longest time without any change that was acknowledged, in seconds. */
  readonly withoutWrites: number;
  readonly facts: string;
  /** By what they were. */
  readonly lost: ReadonlyMap<string, number>;
}

export class ClusterLoad {
  readonly #service: TestService;
  readonly #client: TestClient;
  readonly #newcomers: TestUser[];
  readonly #ledger: Ledger;
  readonly #signedIn: Person[] = [];
  readonly #tokens: TokenBody[] = [];
  readonly #revoked: string[] = [];
  readonly #lost = new Map<string, number>();
  #statuses = new Map<string, number>();
  #changes: number[] = [];
  #refreshes = 0;
  #answersForRevoked = 0;
  /** The counts at the start of this fault's load. */
  #before = { grants: 0, revocations: 0, signIns: 0, refreshes: 0, presented: 0 };
  #ended = false;
  #running: Promise<unknown> = Promise.resolve();

  constructor(service: TestService, client: TestClient, users: readonly TestUser[]) {
    this.#service = service;
    this.#client = client;
    this.#newcomers = users.slice(busyPeople);
    this.#ledger = new Ledger(service, client, users.slice(0, busyPeople));
    this.#ledger.patience = patience;
  }

  async prepare(users: readonly TestUser[]): Promise<void> {
    await this.#ledger.signIn();
    for (const user of users.slice(0, 4)) {
      this.#tokens.push((await obtainTokens(this.#service, this.#client, user)).tokens);
      const { tokens } = await obtainTokens(this.#service, this.#client, user);
      const { id, secret } = this.#client;
      const token = { token: tokens.refresh_token, client_id: id, client_secret: secret };
      const { status } = await postForm(this.#service, '/oauth/revoke', token);
      if (status !== 200) throw new Error(`revoke: ${status}`);
      this.#revoked.push(tokens.access_token);
    }
    this.#ledger.onAnswer = (status) => this.#note(status, true);
  }

  start(): void {
    this.#ended = false;
    this.#before = this.#counts;
    this.#statuses = new Map();
    this.#changes = [performance.now()];
    const ended = () => this.#ended;
    this.#running = Promise.all([
      this.#ledger.loadThrough(ended),
      this.#repeat(() => this.#signIn(), 400),
      this.#repeat(() => this.#refresh(), 50),
      this.#repeat(() => this.#presentRevoked(), 50),
    ]);
  }

  get #counts() {
    return {
      grants: this.#ledger.grants,
      revocations: this.#ledger.revocations,
      signIns: this.#signedIn.length,
      refreshes: this.#refreshes,
      presented: this.#answersForRevoked,
    };
  }

  /** How many changes have been acknowledged since the start. */
  get changes(): number {
    return this.#changes.length;
  }

  async stop(): Promise<void> {
    this.#ended = true;
    await this.#running;
  }

  /** Asks for everything that was acknowledged. Call it once the load has stopped. */
  async check(): Promise<LoadReport> {
    const changes = [...this.#changes, performance.now()];
    const gaps = changes.slice(1, -1).map((at, index) => at - (changes[index] ?? at));
    for (const line of await this.#ledger.check()) this.#lose(kindOf(line));
    for (const person of this.#signedIn) {
      const status = await this.#patiently(() => person.request(authorizePath(this.#client, newVerifier())));
      if (status !== 302) this.#lose('sign-ins or approvals');
    }
    for (const { refresh_token } of this.#tokens) {
      const refresh = refreshParameters(this.#client, refresh_token);
      const status = await this.#patiently(() => postForm(this.#service, '/oauth/token', refresh));
      if (status !== 200) this.#lose('refresh tokens');
    }
    for (const problem of this.#ledger.wrong.splice(0)) this.#lose(kindOf(problem));
    const { grants, revocations, signIns, refreshes, presented } = this.#counts;
    const before = this.#before;
    const report = {
      requests: [...this.#statuses.values()].reduce((sum, count) => sum + count, 0),
      statuses: this.#statuses,
      withoutWrites: Math.max(0, ...gaps) / 1000,
      facts:
        `${grants - before.grants} exchanges, ${revocations - before.revocations} revocations, ` +
        `${signIns - before.signIns} sign-ins with approvals, ${refreshes - before.refreshes} refreshes; ` +
        `revoked tokens presented ${presented - before.presented} times`,
      lost: new Map(this.#lost),
    };
    this.#lost.clear();
    return report;
  }

  async #patiently(request: () => Promise<{ status: number }>): Promise<number> {
    const deadline = performance.now() + patience * 1000;
    for (;;) {
      const { status } = await request();
      if (status !== 503 || performance.now() > deadline) return status;
      await pause(100);
    }
  }

  async #repeat(step: () => Promise<void>, milliseconds: number): Promise<void> {
    while (!this.#ended) {
      await step().catch(() => this.#note(0, false));
      await pause(milliseconds);
    }
  }

  /** Somebody signs in and approves for the first time, in a browser that is new. */
  async #signIn(): Promise<void> {
    const user = this.#newcomers.shift();
    if (user === undefined) return;
    const person = new Person(this.#service);
    try {
      await answered(person.authorize(authorizePath(this.#client, newVerifier()), user));
      this.#signedIn.push(person);
      this.#note(200, true);
    } catch {
      // A page of the flow was a 503. Whatever was acknowledged before, the next attempt is by the same person.
      this.#newcomers.unshift(user);
      this.#note(503, false);
    }
  }

  async #refresh(): Promise<void> {
    const tokens = this.#tokens[this.#refreshes % this.#tokens.length];
    if (tokens === undefined) return;
    const answer = await answered(
      postForm(this.#service, '/oauth/token', refreshParameters(this.#client, tokens.refresh_token)),
    );
    this.#note(answer.status, false);
    if (answer.status === 200) this.#refreshes++;
    else if (answer.status !== 503) this.#lose('refresh tokens');
  }

  /** At no moment may a token be accepted that was revoked before. */
  async #presentRevoked(): Promise<void> {
    const token = this.#revoked[this.#answersForRevoked % this.#revoked.length];
    if (token === undefined) return;
    const { status } = await answered(userinfo(this.#service, token));
    this.#note(status === 401 ? 200 : status, false);
    this.#answersForRevoked++;
    if (status === 200) this.#lose('revocations (accepted during the fault)');
  }

  #note(status: number, isChange: boolean): void {
    const name = status === 0 ? 'no response' : status < 400 ? 'ok' : String(status);
    this.#statuses.set(name, (this.#statuses.get(name) ?? 0) + 1);
    if (isChange && status < 400) this.#changes.push(performance.now());
  }

  #lose(what: string): void {
    this.#lost.set(what, (this.#lost.get(what) ?? 0) + 1);
  }
}

/** What the ledger found, as a kind of fact. */
function kindOf(line: string): string {
  if (line.startsWith('userinfo 200')) return 'revocations';
  if (line.startsWith('userinfo 401')) return 'exchanges';
  if (line.startsWith('a code could be used again')) return 'used codes that work again';
  if (line === 'exchange: 400') return 'issued codes';
  if (line === 'authorize: 200') return 'sign-ins or approvals';
  return `unexpected: ${line}`;
}
