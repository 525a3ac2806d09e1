// People and applications who use everything that the service offers, for as long as they are let. Every response has to
// be the one that is right.

import { answered } from '../test/harness/ledger.ts';
import { formIn, Person } from '../test/harness/person.ts';
import {
  authorizePath,
  exchangeParameters,
  newVerifier,
  postForm,
  refreshParameters,
  userinfo,
} from '../test/harness/relying-party.ts';
import type { TestClient, TestService, TestUser } from '../test/harness/service.ts';

export interface Timing {
  /** On the clock of `performance.now()`. */
  readonly at: number;
  readonly milliseconds: number;
}

export const connections = 8;
/** A round with a new browser, whose password has to be checked, is much slower than the others. */
const roundsForEachSignIn = 20;

export class MixedLoad {
  readonly #service: TestService;
  readonly #client: TestClient;
  readonly #people: readonly (readonly [Person, TestUser])[];
  readonly timings: Timing[] = [];
  readonly wrong: string[] = [];
  #rounds = 0;

  constructor(service: TestService, client: TestClient, users: readonly TestUser[]) {
    this.#service = service;
    this.#client = client;
    this.#people = users.map((user) => [new Person(service), user] as const);
  }

  async signIn(): Promise<void> {
    for (const [person, user] of this.#people) {
      await person.authorize(authorizePath(this.#client, newVerifier()), user);
    }
  }

  async run(ended: () => boolean): Promise<void> {
    const connection = async () => {
      while (!ended()) {
        await this.#round().catch((error: Error) => this.wrong.push(`no response: ${error.cause ?? error}`));
      }
    };
    await Promise.all(Array.from({ length: connections }, connection));
  }

  async #round(): Promise<void> {
    const number = this.#rounds++;
    const [person, user] = this.#people[number % this.#people.length] as readonly [Person, TestUser];
    const service = this.#service;
    const client = this.#client;
    const verifier = newVerifier();
    await this.#page('sign-in page', 200, new Person(service).visit('/sign-in'));
    const authorized = await this.#page('authorize', 302, person.request(authorizePath(client, verifier)));
    const code = URL.parse(authorized.headers.get('location') ?? '')?.searchParams.get('code') ?? '';
    const exchange = exchangeParameters(client, code, verifier);
    const { body: first } = await this.#expect('exchange', 200, postForm(service, '/oauth/token', exchange));
    await this.#expect('code used again', 400, postForm(service, '/oauth/token', exchange));
    await this.#expect('userinfo', 200, userinfo(service, first.access_token));
    const refresh = refreshParameters(client, first.refresh_token);
    const { body: next } = await this.#expect('refresh', 200, postForm(service, '/oauth/token', refresh));
    await this.#expect('userinfo after a refresh', 200, userinfo(service, next.access_token));
    await this.#page('account', 200, person.visit('/account'));
    await this.#page('connected apps', 200, person.visit('/account/apps'));
    // The others stay, so that the store grows as it does in real life.
    if (number % 2 === 0) {
      const token = { token: first.refresh_token, client_id: client.id, client_secret: client.secret };
      await this.#expect('revoke', 200, postForm(service, '/oauth/revoke', token));
      await this.#expect('userinfo after a revocation', 401, userinfo(service, next.access_token));
    }
    if (number % roundsForEachSignIn === 0) {
      const browser = new Person(service);
      const account = await this.#page('sign in', 200, browser.signIn(user));
      await this.#page('sign out', 200, browser.submit(await formIn(account, '/sign-out'), {}));
    }
  }

  /** With its body, which would occupy the connection if nobody read it. */
  #page(what: string, status: number, sending: Promise<Response>): Promise<Response> {
    const whole = async () => {
      const response = await sending;
      const body = await response.text();
      return new Response(body === '' ? null : body, { status: response.status, headers: response.headers });
    };
    return this.#expect(what, status, whole());
  }

  async #expect<Answer extends { status: number }>(
    what: string,
    status: number,
    sending: Promise<Answer>,
  ): Promise<Answer> {
    const started = performance.now();
    const answer = await answered(sending);
    const at = performance.now();
    this.timings.push({ at, milliseconds: at - started });
    if (answer.status !== status) this.wrong.push(`${what}: ${answer.status} instead of ${status}`);
    return answer;
  }
}
