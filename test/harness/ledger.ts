// Remembers what a service has acknowledged, to find out after a fault whether it still knows.

import { setTimeout as pause } from 'node:timers/promises';
import { lifetimes } from '../../src/protocol/oauth/grant.ts';
import { Person } from './person.ts';
import {
  authorizePath,
  exchangeParameters,
  newVerifier,
  postForm,
  refreshParameters,
  userinfo,
} from './relying-party.ts';
import type { TestClient, TestService, TestUser } from './service.ts';

interface Grant {
  readonly code: string;
  readonly verifier: string;
  readonly refreshToken: string;
  readonly accessToken: string;
  /** The time of the request: the exchange is not older than this. */
  readonly exchangedAt: number;
  /** A revocation that was requested but not acknowledged may have happened or not. */
  revocation: 'none' | 'asked' | 'acknowledged';
}

interface Load {
  readonly ended: () => boolean;
  /** Whether it goes on after a request that failed. */
  readonly through: boolean;
}

export class Ledger {
  readonly #service: TestService;
  readonly #client: TestClient;
  readonly #people: readonly (readonly [Person, TestUser])[];
  readonly #grants: Grant[] = [];
  #checked = 0;
  /** Responses that a fault doesn't excuse, such as a refusal of what is right. */
  readonly wrong: string[] = [];
  /** Requests that got no answer, or one that says to come back later. */
  failed = 0;
  /** How long the slowest response took, in milliseconds. */
  slowest = 0;
  /** For so many seconds, what `check` asks is asked again while the answer is "come back later". */
  patience = 0;
  /** Hears of every response under load. */
  onAnswer: (status: number) => void = () => {};

  constructor(service: TestService, client: TestClient, users: readonly TestUser[]) {
    this.#service = service;
    this.#client = client;
    this.#people = users.map((user) => [new Person(service), user] as const);
  }

  get grants(): number {
    return this.#grants.length;
  }

  get revocations(): number {
    return this.#grants.filter(({ revocation }) => revocation === 'acknowledged').length;
  }

  /** Everybody signs in and approves the application, so that from then on a request for a code is answered with one. */
  async signIn(): Promise<void> {
    for (const [person, user] of this.#people) {
      await person.authorize(authorizePath(this.#client, newVerifier()), user);
    }
  }

  /** Exchanges and revokes, one connection for each person, until a request fails or it is told to end. */
  async load(ended = () => false): Promise<void> {
    await Promise.all(this.#people.map(([person]) => this.#loadBy(person, { ended, through: false })));
  }

  /**
   * The same through a fault of the store, during which the service itself has to answer: what it says to repeat is
   * repeated, as an application would, until it is told to end.
   */
  async loadThrough(ended: () => boolean): Promise<void> {
    await Promise.all(this.#people.map(([person]) => this.#loadBy(person, { ended, through: true })));
  }

  async #loadBy(person: Person, load: Load): Promise<void> {
    while (!load.ended()) {
      try {
        if (!(await this.#oneRound(person, load)) && !load.through) return;
      } catch (error) {
        // What is in flight when the service goes away is not acknowledged.
        this.failed++;
        if (!load.through) return;
        this.wrong.push(`no response: ${error}`);
      }
    }
  }

  async #oneRound(person: Person, load: Load): Promise<boolean> {
    const verifier = newVerifier();
    const authorized = await this.#send(load, async () => {
      const response = await person.request(authorizePath(this.#client, verifier));
      await response.arrayBuffer();
      return response;
    });
    const location = authorized.headers.get('location');
    const code = URL.parse(location ?? '')?.searchParams.get('code') ?? undefined;
    if (code === undefined) return this.#isExcused('authorize', authorized.status);

    let mayBeDone = false;
    const exchangedAt = Date.now();
    const exchanged = await this.#send(
      load,
      () => postForm(this.#service, '/oauth/token', exchangeParameters(this.#client, code, verifier)),
      ({ body }) => {
        mayBeDone ||= body.error_description.includes('may have taken effect');
      },
    );
    // After an answer that promised that nothing was changed, the code is good.
    if (mayBeDone && exchanged.body.error_code === 'OAUTH_INVALID_GRANT') return true;
    if (exchanged.status !== 200) return this.#isExcused('exchange', exchanged.status);
    const grant: Grant = {
      code,
      verifier,
      refreshToken: exchanged.body.refresh_token,
      accessToken: exchanged.body.access_token,
      exchangedAt,
      revocation: 'none',
    };
    this.#grants.push(grant);
    if (this.#grants.length % 3 !== 0) return true;
    grant.revocation = 'asked';
    const revocation = {
      token: grant.refreshToken,
      client_id: this.#client.id,
      client_secret: this.#client.secret,
    };
    const revoked = await this.#send(load, () => postForm(this.#service, '/oauth/revoke', revocation));
    if (revoked.status !== 200) return this.#isExcused('revoke', revoked.status);
    grant.revocation = 'acknowledged';
    return true;
  }

  async #send<Answer extends { status: number; headers: Headers }>(
    { ended, through }: Load,
    request: () => Promise<Answer>,
    onRepeat = (_refused: Answer) => {},
  ): Promise<Answer> {
    for (;;) {
      const started = performance.now();
      const answer = await answered(request());
      this.slowest = Math.max(this.slowest, performance.now() - started);
      this.onAnswer(answer.status);
      if (answer.status === 503 && !answer.headers.has('retry-after')) this.wrong.push('a 503 without Retry-After');
      if (answer.status !== 503 || !through || ended()) return answer;
      this.failed++;
      onRepeat(answer);
      await pause(100);
    }
  }

  /** "Come back later" is a right answer when something is broken; everything else is not. */
  #isExcused(what: string, status: number): false {
    if (status === 503) this.failed++;
    else this.wrong.push(`${what}: ${status}`);
    return false;
  }

  /**
   * What the service has forgotten of what it acknowledged, and which codes it would take twice, among the grants since
   * the last check: a lost write would be one of them. `all` checks every grant again.
   */
  async check(all = false): Promise<string[]> {
    const lost: string[] = [];
    for (const grant of this.#grants.slice(all ? 0 : this.#checked)) {
      // The token first, because a late replay of the code ends the grant.
      lost.push(...(await this.#checkToken(grant)));
      const parameters = exchangeParameters(this.#client, grant.code, grant.verifier);
      const { body } = await this.#patiently(() => postForm(this.#service, '/oauth/token', parameters));
      const replay = body.error_code;
      if (replay !== 'OAUTH_INVALID_GRANT') lost.push(`a code could be used again: ${replay}`);
      // On a busy machine the start has taken so long that this was no retry: it may have ended the grant.
      const isLate = Date.now() - grant.exchangedAt > lifetimes.replayGrace;
      if (isLate && grant.revocation === 'none') grant.revocation = 'asked';
    }
    this.#checked = this.#grants.length;
    return lost;
  }

  /** What the service has forgotten, as above, but without a replay of the codes: it can be repeated, however late. */
  async checkTokens(): Promise<string[]> {
    const lost: string[] = [];
    for (const grant of this.#grants) lost.push(...(await this.#checkToken(grant)));
    return lost;
  }

  async #checkToken({ accessToken, revocation }: Grant): Promise<string[]> {
    const { status } = await this.#patiently(() => userinfo(this.#service, accessToken));
    const expected = revocation === 'none' ? 200 : 401;
    return revocation === 'asked' || status === expected ? [] : [`userinfo ${status} instead of ${expected}`];
  }

  async #patiently<Answer extends { status: number }>(request: () => Promise<Answer>): Promise<Answer> {
    const deadline = performance.now() + this.patience * 1000;
    for (;;) {
      const answer = await request();
      if (answer.status !== 503 || performance.now() > deadline) return answer;
      await pause(100);
    }
  }

  /** Sessions and approvals that are gone: somebody who had both is asked again. */
  async checkPeople(): Promise<string[]> {
    const lost: string[] = [];
    for (const [person] of this.#people) {
      const { status } = await person.request(authorizePath(this.#client, newVerifier()));
      if (status !== 302) lost.push(`a session or an approval: ${status}`);
    }
    return lost;
  }

  /** The newest grant that was not revoked can be refreshed. */
  async checkRefresh(): Promise<string[]> {
    const grant = this.#grants.findLast(({ revocation }) => revocation === 'none');
    if (grant === undefined) return [];
    const parameters = refreshParameters(this.#client, grant.refreshToken);
    const { status } = await postForm(this.#service, '/oauth/token', parameters);
    return status === 200 ? [] : [`refresh ${status}`];
  }
}

/** Longer than the service takes for anything, in milliseconds. */
const limit = 30_000;

/** Rejects when there is no response for too long: a request that hangs would hang the test. */
export async function answered<Answer>(sending: Promise<Answer>): Promise<Answer> {
  const timer = new AbortController();
  const late = pause(limit, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`none within ${limit / 1000} s`);
  });
  try {
    return await Promise.race([sending, late]);
  } finally {
    timer.abort();
    late.catch(() => {});
  }
}
