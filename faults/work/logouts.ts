// People sign out, and the application that they used is told (back-channel logout): each session that ended is told of, with a
// token that the application can verify, and no other.

import { createHmac } from 'node:crypto';
import { tokenIn } from '../../test/harness/backchannel-logout.ts';
import { decodeJwt } from '../../test/harness/relying-party.ts';
import type { TestClient } from '../../test/harness/service.ts';
import type { Received, Receiver } from '../../test/harness/webhooks.ts';
import { answered, Growing, missingAfter, type Site, type Work } from './work.ts';

/** Seconds. A process that was killed keeps an endpoint for ten, and what failed then is retried. */
const deliveryAllowed = 90;
const redirectUri = 'http://localhost:9999/callback';

export class Logouts implements Work {
  readonly #site: Site;
  readonly #url: string;
  readonly #received: Growing<Received>;
  readonly #secrets = new Map<string, string>();
  /** As `client sid`: sign-outs that were requested, and those that were acknowledged. */
  readonly #requested = new Set<string>();
  readonly #acknowledged = new Set<string>();
  readonly #wrong: string[] = [];
  readonly #told = new Set<string>();
  #number = 0;

  constructor(site: Site, { url, received }: Pick<Receiver, 'url' | 'received'>) {
    this.#site = site;
    this.#url = url;
    this.#received = new Growing(received);
  }

  get checks() {
    return { 'logout tokens': this.#acknowledged.size };
  }

  /** With an application of its own, so that the session ends right after its secret was presented for the first time. */
  async once(): Promise<void> {
    const made = await this.#site.api('POST', '/api/applications', 201, {
      name: `App ${++this.#number}`,
      redirect_uris: [redirectUri],
      backchannel_logout_uri: this.#url,
    });
    const client = { id: String(made.client_id), secret: String(made.client_secret), redirectUri } as TestClient;
    this.#secrets.set(client.id, client.secret);
    const person = await this.#site.signIn();
    const { id_token: token } = await this.#site.connect(person, client);
    const told = `${client.id} ${decodeJwt(token).sid}`;
    this.#requested.add(told);
    const response = await answered(person.request(`/oauth/logout?id_token_hint=${token}`));
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`a sign-out: ${response.status}`);
    this.#acknowledged.add(told);
  }

  async check(): Promise<readonly string[]> {
    this.#listen();
    return this.#wrong.splice(0);
  }

  async finish(seconds = deliveryAllowed): Promise<readonly string[]> {
    const untold = () => {
      this.#listen();
      return [...this.#acknowledged]
        .filter((each) => !this.#told.has(each))
        .map((each) => `a logout token for ${each}`);
    };
    return [...(await missingAfter(seconds, untold)), ...this.#wrong.splice(0)];
  }

  /** Takes note of what the application has received since the last time. */
  #listen(): void {
    for (const received of this.#received.take()) {
      const token = tokenIn(received);
      const { aud, sid } = decodeJwt(token);
      const told = `${aud} ${sid}`;
      const input = token.slice(0, token.lastIndexOf('.'));
      const signature = createHmac('sha256', this.#secrets.get(String(aud)) ?? '')
        .update(input)
        .digest('base64url');
      if (token !== `${input}.${signature}`) this.#wrong.push(`a logout token with a wrong signature: ${token}`);
      else if (!this.#requested.has(told)) this.#wrong.push('a logout token for a session that goes on');
      else this.#told.add(told);
    }
  }
}
