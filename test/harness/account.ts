// Users who are signed in, with everything an account can have, and pictures to upload.

import { crc32, deflateSync } from 'node:zlib';
import { sealSecret } from '../../src/operations/second-factors/authenticator-secret.ts';
import { newAuthenticatorSecret } from '../../src/operations/second-factors/second-factors.ts';
import { digestOf } from '../../src/protocol/digest.ts';
import { newId, newSecret } from '../../src/protocol/identifiers.ts';
import { keptLink } from './links.ts';
import { formIn, Person } from './person.ts';
import { obtainCode, obtainTokens, postForm, refreshParameters, userinfo } from './relying-party.ts';
import { requester, type TestClient, type TestService, type TestUser } from './service.ts';

export async function signedIn(service: TestService, user: TestUser, boxes: { keep?: 'yes' } = {}): Promise<Person> {
  const person = new Person(service);
  await person.signIn(user, boxes);
  return person;
}

/** Leaves the review that comes first after a recovery. */
export async function finishReview(person: Person): Promise<void> {
  await person.submit(await formIn(await person.visit('/account/review'), '/account/review'), { review: 'done' });
}

/** The token that protects the forms of this session. */
export async function formTokenOf(person: Person): Promise<string> {
  return (await formIn(await person.visit('/account/profile'), '/account/profile')).fields.form_token ?? '';
}

/** The claims that the client reads now, with a new access token. */
export async function claimsFor(
  service: TestService,
  client: TestClient,
  { refresh_token }: { refresh_token: string },
): Promise<Record<string, unknown>> {
  const { body } = await postForm(service, '/oauth/token', refreshParameters(client, refresh_token));
  return (await userinfo(service, body.access_token)).body;
}

/** A chunk of a PNG file: length, type, data, checksum. */
export const chunk = (type: string, data: Buffer) => {
  const typed = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, sum]);
};
/** One pixel, of this shade of red. */
export const redPixel = (shade: number) =>
  Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0])),
    chunk('IDAT', deflateSync(Buffer.from([0, shade, 0, 0]))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
export const png = redPixel(255);
/** The same with a location between the header and the pixels, as a camera writes it. */
export const placedPng = Buffer.concat([
  png.subarray(0, 33),
  chunk('tEXt', Buffer.from('Place\0Berlin')),
  png.subarray(33),
]);

export async function upload(
  person: Person,
  fields: Record<string, string | Buffer>,
  headers: Record<string, string> = {},
): Promise<Response> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') body.set(name, value);
    else body.set(name, new Blob([new Uint8Array(value)], { type: 'image/png' }), 'me.png');
  }
  return person.request('/account/picture', { method: 'POST', body, headers });
}

/** A user with everything an account can have: sessions, tokens, a picture, second factors, pending links. */
export async function newCompleteUser(service: TestService, client: TestClient) {
  const user = await service.newUser();
  const { storage, random, clock, journal } = service.running.services;
  const { tokens, person } = await obtainTokens(service, client, user);
  const { code, verifier } = await obtainCode(service, client, user, {}, person);
  const other = await signedIn(service, user);
  const now = clock.now();
  await upload(person, { form_token: await formTokenOf(person), picture: png });
  const secret = newAuthenticatorSecret(service.running.services);
  const authenticator = { sealedSecret: sealSecret(service.running.services, user.id, secret), lastStep: 1 };
  const codes = [newSecret('', random), newSecret('', random)].map(digestOf);
  const event = () => journal.event({ kind: 'authenticator_added', userId: user.id }, requester);
  // The session in which factors are added stays proven.
  const own = digestOf(person.cookies.get('latchkey_session') ?? '');
  await storage.enableAuthenticator(user.id, authenticator, codes, now, event(), undefined, own);
  const passkey = {
    id: newId(random),
    userId: user.id,
    publicKey: newSecret('', random),
    counter: 0,
    transports: ['internal'],
    name: 'My phone',
    createdAt: now,
    lastUsedAt: null,
  };
  await storage.addPasskey(passkey, undefined, event(), undefined, own);
  const link = await keptLink(service, 'change_email', user.id, 'wanted@example.test');
  await keptLink(service, 'reset_password', user.id, user.email);
  const fields = { form_token: await formTokenOf(person), name: 'My phone' };
  const options = await person.submit({ action: '/account/passkeys/options', fields, buttons: [] }, {});
  const { challenge } = (await options.json()) as { challenge: string };
  return { user, person, other, tokens, code, verifier, secret, passkey, challenge, link };
}

export type CompleteUser = Awaited<ReturnType<typeof newCompleteUser>>;

/** As if the person had just signed in with a breached password. */
export async function noteBreach(service: TestService, email: string): Promise<void> {
  const { storage, journal, clock } = service.running.services;
  const user = await storage.findUserByEmail(email);
  if (user === undefined) throw new Error(`nobody has the email address ${email}`);
  const event = journal.event({ kind: 'password_found_in_breach', userId: user.id }, requester);
  await storage.noteBreach(user.id, user.sessionGeneration, clock.now(), event);
}
