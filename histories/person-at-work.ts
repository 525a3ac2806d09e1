// Everything that one person, their application and an administrator can ask for, recorded. What they know, such as codes,
// tokens and sessions, they know from responses.

import type { Random } from '../faults/random.ts';
import type { Tally } from '../faults/tally.ts';
import { formIn, Person, readForm } from '../test/harness/person.ts';
import {
  authorizePath,
  exchangeParameters,
  newVerifier,
  refreshParameters,
  type TokenBody,
} from '../test/harness/relying-party.ts';
import type { TestService, TestUser } from '../test/harness/service.ts';
import type { Operation, Outcome } from './operation.ts';
import { type Reading, Recorder, type Reply, replyTo, type Target } from './recorder.ts';

export interface KnownSession {
  readonly number: number;
  readonly cookies: ReadonlyMap<string, string>;
  readonly formToken: string;
}

export interface KnownGrant {
  readonly number: number;
  readonly code: string;
  readonly verifier: string;
  refreshToken: string | undefined;
  readonly accessTokens: { readonly number: number; readonly text: string }[];
}

export class PersonAtWork {
  readonly #user: TestUser;
  readonly #target: Target;
  readonly #recorder: Recorder;
  readonly #unexpected: Tally;
  /** So that sign-ins that are refused count for this person's network alone. */
  readonly #address: string;
  #numbers = 0;
  /** Those that aren't known to have ended. */
  readonly sessions: KnownSession[] = [];
  readonly everySession: KnownSession[] = [];
  readonly grants: KnownGrant[] = [];

  constructor(user: TestUser, address: string, target: Target, random: Random, unexpected: Tally) {
    this.#user = user;
    this.#address = address;
    this.#target = target;
    this.#unexpected = unexpected;
    this.#recorder = new Recorder(target, random, unexpected);
  }

  get operations(): readonly Operation[] {
    return this.#recorder.operations;
  }

  async signIn(): Promise<boolean> {
    const number = ++this.#numbers;
    let browser: Person | undefined;
    const send = async (url: string) => {
      browser = this.#browserAt(url);
      const form = await formIn(await browser.visit('/sign-in'), '/sign-in');
      const { email, password } = this.#user;
      return replyTo(browser.submit(form, { email, password }, { 'X-Forwarded-For': this.#address }));
    };
    const { found } = await this.#recorder.record<string>({ kind: 'sign-in', session: number }, send, ({ text }) => {
      const formToken = readForm(text, '/sign-out')?.fields.form_token;
      if (formToken !== undefined) return { outcome: 'done', found: formToken };
      return readForm(text, '/sign-in') && { outcome: 'refused' };
    });
    if (found !== undefined && browser !== undefined) {
      const session = { number, cookies: browser.cookies, formToken: found };
      this.sessions.push(session);
      this.everySession.push(session);
    }
    return found !== undefined;
  }

  async signOut(session: KnownSession): Promise<void> {
    await this.#recorder.record(
      { kind: 'sign-out', session: session.number },
      this.#form(session, '/sign-out', {}),
      ({ headers }) => (headers.get('location') === '/signed-out' ? { outcome: 'done' } : undefined),
    );
    this.forget(session);
  }

  forget(session: KnownSession): void {
    if (this.sessions.includes(session)) this.sessions.splice(this.sessions.indexOf(session), 1);
  }

  async authorize(session: KnownSession): Promise<void> {
    const outcome = await this.authorizeSilently(session);
    if (outcome === 'refused') await this.#approve(session);
  }

  /** Nobody is asked anything: the application gets a code, or the reason. */
  async authorizeSilently(session: KnownSession): Promise<Outcome> {
    const verifier = newVerifier();
    const path = authorizePath(this.#target.client, verifier, { prompt: 'none' });
    const { outcome } = await this.#issue('authorize', session, verifier, this.#page(session, path), ({ headers }) => {
      const error = returned(headers)?.get('error');
      if (error === 'login_required') return { outcome: 'signed-out' };
      return error === 'consent_required' ? { outcome: 'refused' } : undefined;
    });
    if (outcome === 'signed-out') this.forget(session);
    return outcome;
  }

  async #approve(session: KnownSession): Promise<void> {
    const verifier = newVerifier();
    let consent: string | undefined;
    const path = authorizePath(this.#target.client, verifier);
    const { outcome } = await this.#issue('authorize', session, verifier, this.#page(session, path), ({ text }) => {
      if (readForm(text, '/sign-in')) return { outcome: 'signed-out' };
      consent = text;
      return readForm(text, '/oauth-authorize/decision') && { outcome: 'refused' };
    });
    const form = outcome === 'refused' ? readForm(consent ?? '', '/oauth-authorize/decision') : undefined;
    if (form === undefined) return;
    const decision = this.#form(session, form.action, { ...form.fields, decision: 'approve' });
    await this.#issue('approve', session, verifier, decision, ({ text, headers }) =>
      readForm(text, '/sign-in') || headers.get('location')?.startsWith('/sign-in')
        ? { outcome: 'signed-out' }
        : undefined,
    );
  }

  /** A request that issues a code, or says why not. */
  async #issue(
    kind: 'authorize' | 'approve',
    session: KnownSession,
    verifier: string,
    send: (url: string) => Promise<Reply>,
    refusal: (reply: Reply) => Reading<string>,
  ) {
    const number = ++this.#numbers;
    const action = { kind, session: session.number, grant: number } as const;
    const recorded = await this.#recorder.record<string>(action, send, (reply) => {
      const code = returned(reply.headers)?.get('code');
      return code ? { outcome: 'done', found: code } : refusal(reply);
    });
    const code = recorded.found;
    if (code !== undefined) this.grants.push({ number, code, verifier, refreshToken: undefined, accessTokens: [] });
    return recorded;
  }

  async exchange(grant: KnownGrant): Promise<void> {
    await this.#tokens('exchange', grant, exchangeParameters(this.#target.client, grant.code, grant.verifier));
  }

  async refresh(grant: KnownGrant): Promise<void> {
    await this.#tokens('refresh', grant, refreshParameters(this.#target.client, grant.refreshToken ?? ''));
  }

  async #tokens(kind: 'exchange' | 'refresh', grant: KnownGrant, parameters: Record<string, string>): Promise<void> {
    const action = { kind, grant: grant.number } as const;
    const post = this.#post('/oauth/token', parameters);
    const { found } = await this.#recorder.record<TokenBody>(action, post, ({ status, text }) => {
      const body = JSON.parse(text) as TokenBody;
      if (status === 200) return { outcome: 'done', found: body };
      return body.error_code === 'OAUTH_INVALID_GRANT' ? { outcome: 'refused' } : undefined;
    });
    if (found === undefined) return;
    grant.refreshToken = found.refresh_token;
    grant.accessTokens.push({ number: ++this.#numbers, text: found.access_token });
  }

  async userinfo(grant: KnownGrant, token: KnownGrant['accessTokens'][number]): Promise<void> {
    const action = { kind: 'userinfo', grant: grant.number, token: token.number } as const;
    const headers = { Authorization: `Bearer ${token.text}` };
    const get = (url: string) => replyTo(fetch(`${url}/oauth/userinfo`, { headers }));
    await this.#recorder.record(action, get, ({ status, text }) => {
      if (status === 401) return { outcome: 'refused' };
      if (status !== 200) return undefined;
      const { sub } = JSON.parse(text) as { sub: string };
      if (sub !== this.#user.id) this.#unexpected.broken('claims of someone else', () => text);
      return { outcome: 'done' };
    });
  }

  async revoke(grant: KnownGrant): Promise<void> {
    await this.#revoke({ kind: 'revoke', grant: grant.number }, grant.refreshToken ?? '');
  }

  async revokeToken(grant: KnownGrant, token: KnownGrant['accessTokens'][number]): Promise<void> {
    await this.#revoke({ kind: 'revoke-token', grant: grant.number, token: token.number }, token.text);
  }

  async #revoke(
    action: { kind: 'revoke'; grant: number } | { kind: 'revoke-token'; grant: number; token: number },
    token: string,
  ): Promise<void> {
    const { id, secret } = this.#target.client;
    const post = this.#post('/oauth/revoke', { token, client_id: id, client_secret: secret });
    await this.#recorder.record(action, post, ({ status }) => (status === 200 ? { outcome: 'done' } : undefined));
  }

  async removeAccess(session: KnownSession): Promise<void> {
    const action = { kind: 'remove-access', session: session.number } as const;
    const send = this.#form(session, '/account/apps', { remove: this.#target.client.id });
    const { outcome } = await this.#recorder.record(action, send, ({ headers }) => {
      const location = headers.get('location') ?? '';
      if (location.startsWith('/sign-in')) return { outcome: 'signed-out' };
      if (location === '/account/apps?removed=yes') return { outcome: 'done' };
      return location === '/account/apps?removed=no' ? { outcome: 'refused' } : undefined;
    });
    if (outcome === 'signed-out') this.forget(session);
  }

  async disable(): Promise<void> {
    await this.#administer('disable');
  }

  /** Whether the person can sign in now, as far as one knows. */
  async enable(): Promise<boolean> {
    const outcome = await this.#administer('enable');
    return outcome === 'done' || outcome === 'refused';
  }

  async #administer(kind: 'disable' | 'enable') {
    const init = { method: 'POST', headers: { Authorization: `Bearer ${this.#target.apiKey}` } };
    const send = (url: string) => replyTo(fetch(`${url}/api/people/${this.#user.id}/${kind}`, init));
    const { outcome } = await this.#recorder.record({ kind }, send, ({ status }) => {
      if (status === 200) return { outcome: 'done' };
      return status === 409 ? { outcome: 'refused' } : undefined;
    });
    return outcome;
  }

  #browserAt(url: string, cookies: ReadonlyMap<string, string> = new Map()): Person {
    const browser = new Person({ url, baseUrl: this.#target.baseUrl } as TestService);
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    return browser;
  }

  #page(session: KnownSession, path: string) {
    return (url: string) => replyTo(this.#browserAt(url, session.cookies).request(path));
  }

  #form(session: KnownSession, path: string, fields: Record<string, string>) {
    const body = () => new URLSearchParams({ form_token: session.formToken, ...fields });
    const headers = { Origin: this.#target.baseUrl };
    return (url: string) =>
      replyTo(this.#browserAt(url, session.cookies).request(path, { method: 'POST', body: body(), headers }));
  }

  #post(path: string, parameters: Record<string, string>) {
    return (url: string) => replyTo(fetch(url + path, { method: 'POST', body: new URLSearchParams(parameters) }));
  }
}

/** The parameters with which the browser returns to the application. */
function returned(headers: Headers): URLSearchParams | undefined {
  return URL.parse(headers.get('location') ?? '')?.searchParams;
}
