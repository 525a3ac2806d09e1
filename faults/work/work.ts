// What goes on beside people who use applications, piece by piece: each kind of work remembers what the service has
// acknowledged, and finds out afterwards whether it still knows.

import { setTimeout as pause } from 'node:timers/promises';
import type { Refused } from '../../src/operations/admin/outcome.ts';
import type { HostileUpstream } from '../../test/harness/hostile-upstream.ts';
import { formIn, Person, readForm } from '../../test/harness/person.ts';
import {
  authorizePath,
  exchangeParameters,
  newVerifier,
  postForm,
  type TokenBody,
} from '../../test/harness/relying-party.ts';
import type { TestClient, TestService } from '../../test/harness/service.ts';
import { until } from '../../test/harness/until.ts';

export interface Work {
  /** One piece of it, again and again under load. What depends on more than a response is waited for only until it has ended. */
  once(ended: () => boolean): Promise<void>;
  /** What the service has forgotten, or done twice, of what it has acknowledged since the last check; with `all`, ever. */
  check(all: boolean): Promise<readonly string[]>;
  /** What should have arrived elsewhere by now, and hasn't. */
  finish?(): Promise<readonly string[]>;
  /** How much of it was checked. */
  readonly checks: Readonly<Record<string, number>>;
}

/** A response that says to come back later, as is right while something is broken. */
export class ComeBackLater extends Error {}

/** A list that grows, and which of it is yet to be looked at. */
export class Growing<Item> {
  readonly items: readonly Item[];
  #seen = 0;

  constructor(items: readonly Item[]) {
    this.items = items;
  }

  take(all = false): readonly Item[] {
    const taken = this.items.slice(all ? 0 : this.#seen);
    this.#seen = this.items.length;
    return taken;
  }
}

export const upstreamName = 'company';

/** A service with an API key, and an identity provider that people can sign in with. */
export class Site {
  readonly service: TestService;
  readonly #apiKey: string;
  readonly #provider: HostileUpstream;
  /** How long the slowest response of the API took, in milliseconds. */
  slowest = 0;
  #account: 'being created' | 'created' | undefined;

  constructor(service: TestService, apiKey: string, provider: HostileUpstream) {
    this.service = service;
    this.#apiKey = apiKey;
    this.#provider = provider;
  }

  async api(method: string, path: string, status: number, body?: object): Promise<Record<string, unknown>> {
    const headers = { Authorization: `Bearer ${this.#apiKey}`, 'Content-Type': 'application/json' };
    const sending = fetch(this.service.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const started = performance.now();
    const response = await answered(sending);
    const text = await response.text();
    this.slowest = Math.max(this.slowest, performance.now() - started);
    if (response.status !== status) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`);
    return JSON.parse(text).data;
  }

  /**
   * A new browser, signed in with the identity provider. The first time creates the account; another browser that signs in at that
   * moment would be told that the email address is taken.
   */
  async signIn(): Promise<Person> {
    if (this.#account === 'being created') throw new ComeBackLater('the account is being created');
    if (this.#account === undefined) this.#account = 'being created';
    try {
      const person = await this.#signIn();
      this.#account = 'created';
      return person;
    } finally {
      if (this.#account === 'being created') this.#account = undefined;
    }
  }

  async #signIn(): Promise<Person> {
    const person = new Person(this.service);
    const form = readForm(await page(person.visit('/sign-in')), '/sign-in');
    const action = `/sign-in/with/${upstreamName}`;
    const ticket = { continue: form?.fields.continue ?? '' };
    const sent = await answered(person.submit({ action, fields: ticket, buttons: [] }, {}));
    await sent.arrayBuffer();
    const target = /^0;url=(.+)$/.exec(sent.headers.get('refresh') ?? '')?.[1];
    if (target === undefined) throw new Error(`an identity provider's button: ${sent.status}`);
    const back = this.#provider.authorize(target);
    await page(person.visit(back.pathname + back.search));
    if (!isSignedIn(person)) throw new Error('no session after a sign-in with an identity provider');
    return person;
  }

  /** Somebody who is signed in approves an application that they haven't used before. */
  async connect(person: Person, client: TestClient): Promise<TokenBody> {
    const verifier = newVerifier();
    const consent = await formIn(
      await answered(person.visit(authorizePath(client, verifier))),
      '/oauth-authorize/decision',
    );
    const approved = await answered(person.submit(consent, { decision: 'approve' }));
    const code = URL.parse(approved.headers.get('location') ?? '')?.searchParams.get('code') ?? '';
    const exchange = exchangeParameters(client, code, verifier);
    const { status, body } = await postForm(this.service, '/oauth/token', exchange);
    if (status === 503) throw new ComeBackLater(`status ${status}`);
    if (status !== 200) throw new Error(`an exchange: ${status} ${body.error_description}`);
    return body;
  }
}

export function isSignedIn({ cookies }: Person): boolean {
  return cookies.has('latchkey_session');
}

export function done<Made extends object>(outcome: ({ kind: 'done' } & Made) | Refused): Made {
  if (outcome.kind === 'refused') throw new Error(outcome.problems[0].says);
  return outcome;
}

/** The sessions among these that are gone. */
export async function lostSessions(people: readonly Person[], what: string): Promise<string[]> {
  const lost: string[] = [];
  for (const person of people) {
    const response = await person.request('/account');
    await response.arrayBuffer();
    if (response.status !== 200) lost.push(`a session of ${what}: ${response.status}`);
  }
  return lost;
}

export async function page(sending: Promise<Response>): Promise<string> {
  const response = await answered(sending);
  const body = await response.text();
  const title = /<title>([^<]*)/.exec(body)?.[1] ?? '';
  if (response.status !== 200) throw new Error(`a page: ${response.status} ${title} ${response.url}`);
  return body;
}

export async function answered(sending: Promise<Response>): Promise<Response> {
  const response = await sending;
  if (response.status !== 503 && response.status !== 429) return response;
  await response.arrayBuffer();
  throw new ComeBackLater(`status ${response.status}`);
}

/** Runs it again and again. What is in flight when the service goes away is not acknowledged. */
export async function repeat(work: Work, ended: () => boolean, done: () => void, wrong: (line: string) => void) {
  while (!ended()) {
    try {
      await work.once(ended);
      done();
    } catch (error) {
      if (!(error instanceof ComeBackLater || error instanceof TypeError)) wrong(String(error));
      await pause(100);
    }
  }
}

/** What's still missing after so many seconds, as a line with an example. */
export async function missingAfter(seconds: number, missing: () => readonly string[]): Promise<readonly string[]> {
  await until(() => missing().length === 0, 'nothing is missing', seconds).catch(() => {});
  const never = missing();
  return never.length === 0 ? [] : [`${never.length} never arrived, such as ${never[0]}`];
}
