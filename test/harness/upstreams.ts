// Signing in with an identity provider, as a test goes through it.

import assert from 'node:assert/strict';
import { createUpstream } from '../../src/operations/upstreams/upstreams.ts';
import type { UpstreamInput } from '../../src/protocol/resources/upstream.ts';
import type { Upstream } from '../../src/storage/storage.ts';
import type { HostileUpstream } from './hostile-upstream.ts';
import { type Form, Person, readForm } from './person.ts';
import { requester, type TestService } from './service.ts';

export { allowLoopbackUpstreams } from './discovery.ts';

export async function addUpstream(
  service: TestService,
  provider: Pick<HostileUpstream, 'issuer' | 'clientId' | 'secret'>,
  settings: Partial<UpstreamInput> = {},
): Promise<Upstream> {
  const { issuer, clientId, secret } = provider;
  const input = { name: 'company', label: 'Company', issuer, clientId, secret, trustedDomains: ['people.example'] };
  const outcome = await createUpstream(service.running.services, { ...input, ...settings }, requester);
  if (outcome.kind === 'refused') throw new Error(outcome.problems[0].says);
  return outcome.upstream;
}

/** Presses the identity provider's button on the sign-in page; where the browser is sent. */
export async function pressButton(
  person: Person,
  name = 'company',
  { path = '/sign-in', keep = false }: { path?: string; keep?: boolean } = {},
): Promise<string> {
  const page = await (await person.visit(path)).text();
  const form = readForm(page, '/sign-in');
  assert.ok(form, page);
  assert.match(page, new RegExp(`formaction="/sign-in/with/${name}"`));
  const { continue: ticket = '' } = form.fields;
  return start(person, { action: `/sign-in/with/${name}`, fields: { continue: ticket }, buttons: [] }, keep);
}

export async function start(person: Person, form: Form, keep = false): Promise<string> {
  const response = await person.submit(form, keep ? { keep: 'yes' } : {});
  assert.equal(response.status, 200);
  const refresh = response.headers.get('refresh') ?? '';
  assert.match(refresh, /^0;url=http/);
  return refresh.slice('0;url='.length);
}

/** The identity provider's response, opened in this person's browser. */
export function respond(person: Person, back: URL): Promise<Response> {
  return person.visit(back.pathname + back.search);
}

/** From the button to wherever it ends. */
export async function signInWith(
  service: TestService,
  provider: HostileUpstream,
  person = new Person(service),
  name = 'company',
): Promise<{ person: Person; response: Response }> {
  const back = provider.authorize(await pressButton(person, name));
  return { person, response: await respond(person, back) };
}

export function isSignedIn(person: Person): boolean {
  return person.cookies.has('latchkey_session');
}
