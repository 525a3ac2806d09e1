// What the rehearsal does with the new version on the copy: signs its person in to its application, uses and ends what they get, and
// reads every list.

import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { apiOperations } from '../../../http/api/all-operations.ts';
import { type Answer, Browser, formIn, requestTo } from './browser.ts';
import type { WayIn } from './way-in.ts';

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

export class Walk {
  readonly #port: number;
  readonly #wayIn: WayIn;
  readonly #browser: Browser;
  readonly #verifier = randomBytes(32).toString('base64url');
  #code = '';
  #tokens: Tokens = { access_token: '', refresh_token: '' };

  constructor(port: number, origin: string, wayIn: WayIn) {
    this.#port = port;
    this.#wayIn = wayIn;
    this.#browser = new Browser(port, origin);
  }

  async signIn(): Promise<void> {
    // Not to the identity provider that people may be sent to.
    const page = await this.#browser.visit('/sign-in?password');
    const { action, fields } = formIn(page, '/sign-in/passkey');
    const offered = await this.#browser.visit(`${action}/options`, fields);
    requireStatus('the challenge', offered, 200);
    const { options, challenge } = JSON.parse(offered.text);
    const answer = this.#wayIn.answerTo(options.challenge);
    await this.#browser.visit(action, { ...fields, answer, challenge });
    requireStatus('the account page', await this.#browser.visit('/account'), 200);
    if (!(await this.#isSignedIn())) throw new Error('the passkey was refused');
  }

  async #isSignedIn(): Promise<boolean> {
    return (await this.#browser.visit('/api/overview')).status === 200;
  }

  async authorize(): Promise<void> {
    const { clientId, redirectUri } = this.#wayIn;
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: 'openid profile email',
      state: 'rehearsal',
      code_challenge: createHash('sha256').update(this.#verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    let answer = await this.#browser.visit(`/oauth-authorize?${query}`);
    if (answer.status === 200) {
      const { action, fields } = formIn(answer, '/oauth-authorize/decision');
      answer = await this.#browser.visit(action, { ...fields, decision: 'approve' });
    }
    const code = URL.parse(answer.location ?? '')?.searchParams.get('code');
    if (code == null) throw new Error(`the application got no code (${answer.status})`);
    this.#code = code;
  }

  async exchange(): Promise<void> {
    const { redirectUri } = this.#wayIn;
    this.#tokens = await this.#token({
      grant_type: 'authorization_code',
      code: this.#code,
      redirect_uri: redirectUri,
      code_verifier: this.#verifier,
    });
  }

  async refresh(): Promise<void> {
    this.#tokens = await this.#token({
      grant_type: 'refresh_token',
      refresh_token: this.#tokens.refresh_token,
    });
  }

  async #token(fields: Readonly<Record<string, string>>): Promise<Tokens> {
    const { clientId, clientSecret } = this.#wayIn;
    const body = { ...fields, client_id: clientId, client_secret: clientSecret };
    const answer = await requestTo(this.#port, '/oauth/token', {}, body);
    requireStatus('the token endpoint', answer, 200);
    return JSON.parse(answer.text);
  }

  async userinfo(): Promise<void> {
    const answer = await this.#userinfo();
    requireStatus('userinfo', answer, 200);
    if (JSON.parse(answer.text).sub !== this.#wayIn.userId) throw new Error('userinfo is about someone else');
  }

  #userinfo() {
    return requestTo(this.#port, '/oauth/userinfo', { Authorization: `Bearer ${this.#tokens.access_token}` });
  }

  async revoke(): Promise<void> {
    const { clientId, clientSecret } = this.#wayIn;
    const body = { token: this.#tokens.refresh_token, client_id: clientId, client_secret: clientSecret };
    requireStatus('the revocation', await requestTo(this.#port, '/oauth/revoke', {}, body), 200);
    requireStatus('userinfo after the revocation', await this.#userinfo(), 401);
  }

  async signOut(): Promise<void> {
    const { action, fields } = formIn(await this.#browser.visit('/sign-out'), '/sign-out');
    await this.#browser.visit(action, fields);
    if (await this.#isSignedIn()) throw new Error('the session goes on after signing out');
  }

  /** Every list of the API to its end, the beginning of every download, and what belongs to some of what is listed. */
  async readLists(): Promise<void> {
    for (const operation of readings.filter(({ path }) => !path.includes('{'))) {
      await this.#readList(operation, operation.path);
    }
  }

  /** The one before, which wasn't read to its end, may be under way for a moment. */
  async #download(path: string): Promise<Answer> {
    for (let tries = 0; ; tries++) {
      const answer = await this.#browser.download(path);
      if (answer.status !== 429 || tries === 100) return answer;
      await wait(100);
    }
  }

  async #readList(operation: Reading, path: string): Promise<void> {
    if (operation.download !== undefined) {
      requireStatus(path, await this.#download(path), 200);
      return;
    }
    const within = readings.filter((other) => isWithin(other.path, operation.path));
    const paging = operation.query?.properties?.cursor !== undefined;
    const limit = operation.query?.properties?.limit === undefined ? '' : 'limit=200&';
    for (let cursor: string | null = ''; cursor !== null; ) {
      const place: string = !paging
        ? path
        : `${path}?${limit}${cursor === '' ? '' : `cursor=${encodeURIComponent(cursor)}`}`;
      const page = await this.#browser.visit(place);
      requireStatus(path, page, 200);
      const { items, next_cursor } = JSON.parse(page.text).data;
      for (const item of cursor === '' && Array.isArray(items) ? items.slice(0, looksInto) : []) {
        for (const other of within) {
          const rest = other.path.slice(operation.path.length);
          const named = rest.replace(/\{(\w+)\}/, (_, name) => encodeURIComponent(item[name] ?? item.id));
          await this.#readList(other, `${path}${named}`);
        }
      }
      cursor = paging ? (next_cursor ?? null) : null;
    }
  }
}

/** What needs nothing but a path. */
const readings = apiOperations.filter(({ method, query }) => method === 'GET' && !query?.required?.length);
type Reading = (typeof readings)[number];

/** Of each list, from its beginning: a large one would take a request for each. */
const looksInto = 5;

/** `/api/groups/{id}/people` is within `/api/groups`. */
function isWithin(path: string, list: string): boolean {
  return path.startsWith(`${list}/{`) && path.slice(list.length).split('{').length === 2;
}

function requireStatus(
  what: string,
  { status, text }: { readonly status: number; readonly text: string },
  wanted: number,
) {
  if (status === wanted) return;
  const beginning = text.startsWith('{') ? `: ${text.slice(0, 300)}` : '';
  throw new Error(`${what} answered ${status} instead of ${wanted}${beginning}`);
}
