// People who lack access to an application, and ask for it on the page that says so.

import assert from 'node:assert/strict';
import { type Form, Person, readForm } from './person.ts';
import { authorizePath, newVerifier } from './relying-party.ts';
import { requester, type TestClient, type TestService, type TestUser } from './service.ts';

export const askPath = '/oauth-authorize/access-request';

/** An application that nobody can use yet, and everyone can ask for. */
export function askableClient(service: TestService, options: Parameters<TestService['newClient']>[0] = {}) {
  return service.newClient({ access: 'listed', accessRequests: 'on', ...options });
}

export async function ownersAre(service: TestService, client: TestClient, people: readonly TestUser[]): Promise<void> {
  const { storage, journal, clock } = service.running.services;
  const event = () => journal.event({ kind: 'client_updated', clientId: client.id }, requester);
  const added = people.map(({ id }) => ({ kind: 'person' as const, id, event: event() }));
  assert.equal(await storage.changeOwners(client.id, { added, removed: [] }, clock.now()), true);
}

export async function signedInPerson(service: TestService, user: TestUser): Promise<Person> {
  const person = new Person(service);
  await person.signIn(user);
  return person;
}

/** The page that says that they have no access. */
export async function noAccessPage(person: Person, client: TestClient): Promise<string> {
  const response = await person.visit(authorizePath(client, newVerifier()));
  assert.equal(response.status, 403);
  return response.text();
}

export async function askForm(person: Person, client: TestClient): Promise<Form> {
  const form = readForm(await noAccessPage(person, client), askPath);
  assert.ok(form, 'no form to ask with');
  return form;
}

export interface Asked {
  readonly id: string;
  readonly user: TestUser;
  readonly person: Person;
  readonly client: TestClient;
  /** The page afterwards. */
  readonly page: string;
}

/** Somebody asks for an application. */
export async function ask(
  service: TestService,
  { user, client, note = '' }: { user?: TestUser; client?: TestClient; note?: string } = {},
): Promise<Asked> {
  const asker = user ?? (await service.newUser());
  const wanted = client ?? (await askableClient(service));
  const person = await signedInPerson(service, asker);
  const answer = await person.submit(await askForm(person, wanted), { note });
  assert.equal(answer.status, 403);
  const page = await answer.text();
  const request = await service.running.services.storage.findLatestRequest(asker.id, wanted.id);
  assert.ok(request?.status === 'open', page);
  return { id: request.id, user: asker, person, client: wanted, page };
}
