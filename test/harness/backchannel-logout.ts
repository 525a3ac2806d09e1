// Applications that get logout tokens, and what they have received.

import { decodeJwt as payloadOf } from 'jose';
import type { ClientInput } from '../../src/protocol/resources/client.ts';
import { Person } from './person.ts';
import {
  decodeJwt,
  exchangeParameters,
  obtainCode,
  postForm,
  refreshParameters,
  type TokenBody,
} from './relying-party.ts';
import type { TestClient, TestService, TestUser } from './service.ts';
import { until } from './until.ts';
import type { Received, Receiver } from './webhooks.ts';

export interface LoggedIn {
  readonly person: Person;
  readonly tokens: TokenBody;
  readonly sid: string;
}

/** Signs in to an application, in a new browser unless one is given. */
export async function logIn(
  service: TestService,
  client: TestClient,
  user: TestUser,
  person = new Person(service),
  changes: Record<string, string | undefined> = {},
): Promise<LoggedIn> {
  const { code, verifier } = await obtainCode(service, client, user, changes, person);
  const { status, body } = await postForm(service, '/oauth/token', exchangeParameters(client, code, verifier));
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { person, tokens: body, sid: sidIn(body) };
}

export function sidIn({ id_token }: Pick<TokenBody, 'id_token'>): string {
  return String(decodeJwt(id_token).sid);
}

export async function refreshed(service: TestService, client: TestClient, { tokens }: LoggedIn): Promise<TokenBody> {
  const { status, body } = await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}

/** An application whose secret has been presented, so that it's ready to be told. */
export async function newLogoutClient(
  service: TestService,
  receiver: Receiver,
  options: Partial<ClientInput> = {},
): Promise<TestClient> {
  const client = await service.newClient({ backchannelLogoutUri: receiver.url, ...options });
  await present(service, client);
  return client;
}

/** Presents the secret, with a code that doesn't exist. */
export async function present(service: TestService, client: TestClient, secret = client.secret): Promise<void> {
  await postForm(service, '/oauth/token', { ...exchangeParameters({ ...client, secret }, 'no code', 'x'.repeat(43)) });
}

export function tokenIn({ body }: Received): string {
  return new URLSearchParams(body).get('logout_token') ?? '';
}

/** The tokens that an application has received, oldest first. */
export function logoutTokens(receiver: Receiver, client: TestClient): string[] {
  return receiver.received.map(tokenIn).filter((token) => token !== '' && payloadOf(token).aud === client.id);
}

/** The `sid` of each, once nothing waits any more. */
export async function toldOf(service: TestService, receiver: Receiver, client: TestClient): Promise<string[]> {
  await until(async () => {
    await service.running.services.webhooks.sendDue();
    return (await messagesFor(service, client)).every(({ state }) => state !== 'waiting');
  }, 'nothing waits');
  return logoutTokens(receiver, client).map((token) => String(payloadOf(token).sid));
}

/** Newest first. */
export function messagesFor(service: TestService, client: Pick<TestClient, 'id'>) {
  return service.running.services.storage.listLogouts(client.id, 100);
}
