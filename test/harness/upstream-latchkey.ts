// Another Latchkey as the identity provider that people sign in with, and one browser that goes back and forth between the two.

import assert from 'node:assert/strict';
import { createUpstream } from '../../src/operations/upstreams/upstreams.ts';
import type { UpstreamInput } from '../../src/protocol/resources/upstream.ts';
import { type Form, Person, readForm } from './person.ts';
import { freePort, requester, startTestService, type TestService, type TestUser } from './service.ts';

export { allowLoopbackUpstreams } from './discovery.ts';

export interface Provider {
  readonly service: TestService;
  readonly name: string;
}

/** Starts another service, and makes it an upstream of this one. */
export async function startProvider(service: TestService, input: Partial<UpstreamInput> = {}): Promise<Provider> {
  // Under another host: browsers send the cookies of a host to all of its ports.
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const started = await startTestService({ LATCHKEY_BASE_URL: url, LATCHKEY_PORT: String(port) });
  const provider = { ...started, url };
  const name = input.name ?? 'company';
  const client = await provider.newClient({ redirectUris: [`${service.url}/sign-in/with/${name}/callback`] });
  const created = await createUpstream(
    service.running.services,
    {
      name,
      issuer: provider.url,
      clientId: client.id,
      secret: client.secret,
      algorithm: 'HS256',
      label: 'Company',
      trustedDomains: ['*'],
      createsAccounts: true,
      ...input,
    },
    requester,
  );
  assert.equal(created.kind, 'done', JSON.stringify(created));
  return { service: provider, name };
}

/** Every page of the first service is kept, to be looked through. */
export class Traveller {
  readonly #service: TestService;
  readonly #provider: Provider;
  readonly here: Person;
  readonly there: Person;
  readonly pages: string[] = [];

  constructor(service: TestService, provider: Provider) {
    this.#service = service;
    this.#provider = provider;
    this.here = new Person(service);
    this.there = new Person(provider.service);
  }

  async visit(path: string): Promise<string> {
    return this.#note(await this.here.visit(path));
  }

  async submit(form: Form, values: Record<string, string> = {}): Promise<Response> {
    return this.here.submit(form, values);
  }

  /** Where a response sends the browser at the identity provider: by a redirect, or by a page that refreshes itself. */
  static awayFrom(response: Response): URL {
    const refresh = response.headers.get('refresh')?.replace(/^0;url=/, '');
    return new URL(response.headers.get('location') ?? refresh ?? 'about:blank');
  }

  /** Signs in at the identity provider, if it asks, and comes back to the page in the end. */
  async signInThere(response: Response, user: TestUser): Promise<Response> {
    const { pathname, search, origin: at } = Traveller.awayFrom(response);
    assert.equal(at, this.#provider.service.url, await response.clone().text());
    const back = await this.there.authorize(pathname + search, user);
    assert.equal(back.origin, this.#service.url);
    return this.here.visit(back.pathname + back.search);
  }

  async #note(response: Response): Promise<string> {
    const page = await response.text();
    this.pages.push(page);
    return page;
  }
}

export function formOn(page: string, action: string): Form {
  const form = readForm(page, action);
  assert.ok(form, `no form ${action} on: ${page}`);
  return form;
}
