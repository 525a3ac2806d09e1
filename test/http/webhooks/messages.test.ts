// Every type of message that the documentation describes, caused from outside, delivered to a real receiver, and held
// against its schema; and the programs of docs/webhooks.md.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { messageSchema } from '../../../src/http/api/webhooks/message-operations.ts';
import { askForAccess, expireRequests } from '../../../src/operations/access-requests/ask.ts';
import { revokeApiKey } from '../../../src/operations/api-keys/api-keys.ts';
import { updateGroup } from '../../../src/operations/groups/groups.ts';
import { workOnReviews } from '../../../src/operations/reviews/review-work.ts';
import { createScimToken, revokeScimToken } from '../../../src/operations/scim/scim-tokens.ts';
import { findUpstream } from '../../../src/operations/upstreams/upstreams.ts';
import { disableUser } from '../../../src/operations/users/disable-user.ts';
import { unlinkIdentity } from '../../../src/operations/users/identities.ts';
import { longestRequest } from '../../../src/protocol/account/access-requests.ts';
import { exampleOf, isWebhookType, type WebhookType, webhookTypes } from '../../../src/protocol/webhooks/types.ts';
import { noteBreach } from '../../harness/account.ts';
import { Api, newKey, withSession } from '../../harness/api.ts';
import { newWaiting } from '../../harness/approval.ts';
import { cleanEnvironment, outputMatching, root } from '../../harness/command.ts';
import { allowLoopbackUpstreams, newLinkedUser, startDiscovery } from '../../harness/discovery.ts';
import { Person, readForm } from '../../harness/person.ts';
import {
  authorizePath,
  decodeJwt,
  exchangeParameters,
  newVerifier,
  obtainTokens,
  postForm,
} from '../../harness/relying-party.ts';
import { freePort, requester, startTestService, type TestService } from '../../harness/service.ts';
import { sweep } from '../../harness/sweep.ts';
import { until } from '../../harness/until.ts';
import { allowLoopback, newWebhook, type Receiver, startReceiver } from '../../harness/webhooks.ts';

let service: TestService;
let receiver: Receiver;
let folder: string;
before(async () => {
  service = await startTestService({ ...allowLoopback, ...allowLoopbackUpstreams });
  receiver = await startReceiver();
  folder = mkdtempSync(join(tmpdir(), 'latchkey-webhooks-'));
});
after(async () => {
  await service.stop();
  await receiver.stop();
  rmSync(folder, { recursive: true, force: true });
});

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ajv = new Ajv2020({ strict: false, formats: { 'date-time': time } });

/** Later versions may add members. In these tests, a member that the schema doesn't have is a bug. */
function schemaOf(type: WebhookType): object {
  const { properties, ...rest } = structuredClone(messageSchema(type)) as unknown as { properties: { data: object } };
  const data = { ...properties.data, additionalProperties: false };
  return { ...rest, properties: { ...properties, data }, additionalProperties: false };
}

function assertValid(type: WebhookType, message: unknown): void {
  const validate = ajv.compile(schemaOf(type));
  assert.ok(validate(message), `${type}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(message)}`);
}

type Call = (operation: string, params?: Record<string, string>, body?: object) => Promise<unknown>;

/** Everything about identity providers and the identities that people have there. */
async function causeUpstreamMessages(call: Call): Promise<void> {
  const { services } = service.running;
  const provider = await startDiscovery();
  const upstream = { name: 'company' };
  const credentials = { client_id: 'ours', client_secret: 'hidden' };
  await call('createUpstream', {}, { ...upstream, ...credentials, issuer: provider.issuer });
  await call('updateUpstream', upstream, { label: 'Company' });
  provider.announced.token_endpoint = `${provider.issuer}/moved`;
  await call('refreshUpstreamEndpoints', upstream, {});
  await provider.stop();
  const found = await findUpstream(services, upstream.name);
  assert.ok(found.kind === 'done');
  const user = await newLinkedUser(service, found.upstream);
  const password = services.journal.event({ kind: 'user_password_set', userId: user.id }, requester);
  await services.storage.setPasswordHash(user.id, 'hash', services.clock.now(), password);
  const [identity] = await services.storage.listIdentities(user.id);
  assert.ok(identity);
  const owner = (await services.storage.findUser(user.id)) ?? assert.fail();
  assert.equal((await unlinkIdentity(services, owner, identity, requester)).kind, 'unlinked');
  await call('disableUpstream', upstream);
  await call('enableUpstream', upstream);
  await call('deleteUpstream', upstream);
}

/** Access of somebody to the service, and of somebody to an application. */
async function causeEnds(): Promise<void> {
  const { storage, journal, clock } = service.running.services;
  const [leaving, guest, client] = [await service.newUser(), await service.newUser(), await service.newClient()];
  const edited = journal.event({ kind: 'user_edited', userId: leaving.id }, requester);
  const allowed = journal.event({ kind: 'access_allowed', userId: guest.id, clientId: client.id }, requester);
  const [now, expiresAt] = [clock.now(), clock.now() + 1000];
  const nobody = { people: [], groups: [] };
  const allow = { ...nobody, people: [{ id: guest.id, event: allowed, expiresAt }] };
  assert.ok(await storage.changeUserEnd(leaving.id, expiresAt, now, edited));
  assert.ok(await storage.changeAccess(client.id, { allow, disallow: nobody }, now));
  service.clock.advance(1);
  await sweep(service, 'test');
}

/** A review of who can use an application, from creating it to deleting it. */
async function causeReview(api: Api, call: Call): Promise<void> {
  const { services } = service.running;
  const client = await service.newClient({ access: 'listed' });
  const people = [(await service.newUser()).id];
  await call('allowAccess', { client_id: client.id }, { people });
  const body = { name: 'Access in 2027', due_at: '30d', applications: [client.id] };
  const review = { id: String(((await call('createReview', {}, body)) as { id: string }).id) };
  await call('updateReview', review, { due_at: '60d' });
  const caller = await withSession(service, await service.newUser({ admin: true }));
  const items = async () => (await api.call('listReviewItems', caller, { params: review })).data.items;
  await until(async () => {
    await workOnReviews(services, 'test');
    return (await services.storage.findAccessReview(review.id))?.status === 'open';
  }, 'the review is open');
  const decided = { ids: (await items()).map(({ id }) => id ?? ''), decision: 'remove' };
  assert.ok((await api.call('decideReviewItems', caller, { params: review, body: decided })).success);
  assert.ok((await api.call('closeReview', caller, { params: review })).success);
  await call('deleteReview', review);
}

/** People who ask for access: one is allowed, one declined, and one waited for too long. */
async function causeAccessRequests(call: Call): Promise<void> {
  const { services } = service.running;
  const { storage, journal, clock } = services;
  const client = await service.newClient({ access: 'listed', accessRequests: 'on' });
  for (const decision of ['allowAccessRequest', 'declineAccessRequest']) {
    const user = await service.newUser();
    assert.ok(await askForAccess(services, user, client.id, 'For the report', requester));
    const request = await storage.findLatestRequest(user.id, client.id);
    await call(decision, { id: request?.id ?? '' }, {});
  }
  const { id: userId } = await service.newUser();
  const askedAt = clock.now() - longestRequest;
  const undecided = { decidedAt: null, decidedByKind: null, decidedById: null, expiresAt: null };
  const request = {
    id: 'old',
    clientId: client.id,
    userId,
    status: 'open',
    note: null,
    askedAt,
    ...undecided,
  } as const;
  const event = journal.event({ kind: 'access_requested', userId, clientId: client.id }, requester);
  await storage.askForAccess(request, { declinedBefore: 0, since: 0, most: 5 }, event);
  await expireRequests(services);
}

/** Does everything that webhooks report. */
async function causeEverything(webhookId: string): Promise<void> {
  const { services } = service.running;
  const api = await Api.of(service);
  const key = await newKey(service, 'administrator');
  const call = async (operation: string, params: Record<string, string> = {}, body?: object) => {
    const answer = await api.call(operation, key, { params, ...(body !== undefined && { body }) });
    assert.ok(answer.success, `${operation}: ${answer.message}`);
    return answer.data;
  };
  await call('testWebhook', { id: webhookId });
  const other = { id: (await call('createWebhook', {}, { url: 'https://hooks.example.com/' })).id };
  await call('updateWebhook', other, { description: 'Audit', types: ['user.created'] });
  await call('rotateWebhookSecret', other, {});
  await call('retireWebhookSecret', other);
  await call('disableWebhook', other);
  await call('enableWebhook', other);
  await call('deleteWebhook', other);
  await revokeApiKey(services, (await newKey(service, 'administrator')).id, requester);
  const made = await createScimToken(services, { source: 'entra', name: 'A' }, requester);
  assert.ok(made.kind === 'done');
  await revokeScimToken(services, made.token.id, requester);
  await call('revokeSignUpLink', { id: (await call('createSignUpLink', {}, {})).id });
  // Retiring keys needs a key file with several of them, which keys.test.ts has.
  services.journal.note({ kind: 'service_keys_retired', detail: { keys: 1 } }, requester);
  await call('updateSettings', {}, { session_hours: 11 });

  await causeUpstreamMessages(call);
  await causeReview(api, call);
  await causeAccessRequests(call);

  const redirect_uris = ['https://shop.example/callback'];
  const app = { client_id: (await call('createApplication', {}, { name: 'Shop', redirect_uris })).client_id };
  await call('updateApplication', app, { redirect_uris: ['https://shop.example/cb'], public: false });
  await call('rotateApplicationSecret', app);
  await call('retireApplicationSecret', app);
  const person = { id: (await call('createPerson', {}, { email: 'eve@example.test', name: 'Eve' })).id };
  await call('importPeople', {}, { from: 'csv', people: [{ id: 'old|1', email: 'mallory@example.test' }] });
  await call('createAttribute', {}, { name: 'team', label: 'Team', kind: 'text' });
  await call('updateAttribute', { name: 'team' }, { label: 'The team' });
  await call('deleteAttribute', { name: 'team' });
  const group = { id: (await call('createGroup', {}, { name: 'Sales' })).id };
  await call('addToGroup', group, { people: [person.id] });
  await call('allowAccess', app, { people: [person.id], groups: ['Sales'] });
  await call('disallowAccess', app, { people: [person.id], groups: ['Sales'] });
  await call('updateApplication', app, { owners: { people: [person.id] } });
  await call('updateApplication', app, { owners: { people: [] } });
  await call('removeFromGroup', group, { people: [person.id] });
  await call('renameGroup', group, { name: 'Selling' });
  for (const isProtected of [true, false]) {
    await updateGroup(services, group.id ?? '', { protected: isProtected }, requester);
  }
  await call('deleteGroup', group);
  await call('revokeApplication', app);
  await call('restoreApplication', app);
  await call('deleteApplication', app);
  await call('updatePerson', person, { name: 'Eve Moneypenny' });
  await call('approvePerson', { id: (await newWaiting(service)).id });
  await call('disablePerson', person);
  await call('enablePerson', person);
  await call('deletePerson', person);

  await causeEnds();

  const client = await service.newClient({ name: 'Calendar' });
  const user = await service.newUser({ name: 'Ada Lovelace', email: 'ada.lovelace@example.test' });
  await new Person(service).signIn({ ...user, password: 'not the password' });
  const verifier = newVerifier();
  const someone = new Person(service);
  await someone.signIn(user);
  const consent = readForm(await (await someone.visit(authorizePath(client, verifier))).text());
  assert.ok(consent);
  await someone.submit(consent, { decision: 'cancel' });
  await someone.visit(authorizePath(client, verifier, { redirect_uri: 'https://evil.example/' }));
  const code = exchangeParameters(client, 'lk_code_unknown', verifier);
  await postForm(service, '/oauth/token', code);
  await postForm(service, '/oauth/token', { ...code, client_secret: 'wrong' });
  await noteBreach(service, user.email);
  await obtainTokens(service, client, user);
  const own = await withSession(service, user);
  assert.ok((await api.call('removeMyApplication', own, { params: { client_id: client.id } })).success);
}

test('every type is delivered as in its schema, without private data', async () => {
  const { webhook, secret } = await newWebhook(service, { url: receiver.url });
  await causeEverything(webhook.id);
  await service.running.services.journal.flush();
  const missing = () => {
    const seen = receiver.received.map(({ body }) => JSON.parse(body).type);
    return webhookTypes.filter((type) => !seen.includes(type));
  };
  const nothingIsMissing = async () => {
    await service.running.services.webhooks.sendDue();
    return missing().length === 0;
  };
  await until(nothingIsMissing, () => `every type arrives; missing: ${missing().join(', ')}`);
  for (const { headers, body } of receiver.received) {
    const message = new StandardWebhook(secret).verify(body, headers as Record<string, string>) as { type: string };
    assert.ok(isWebhookType(message.type), message.type);
    assertValid(message.type, message);
  }
  const everything = receiver.received.map(({ body }) => body).join('\n');
  assert.doesNotMatch(everything, /@example|Lovelace|Moneypenny|lk_[a-z]+_|whsec_|eyJ|shop\.example|evil\.example/);
});

test('every example matches its schema', () => {
  for (const type of webhookTypes) {
    assertValid(type, { type, timestamp: '2026-03-14T09:26:53.589Z', data: exampleOf(type) });
  }
});

test('the OpenAPI document describes every type', async () => {
  const { document } = await Api.of(service);
  const { webhooks } = document as unknown as { webhooks: Record<string, { post: { requestBody: object } }> };
  assert.deepEqual(Object.keys(webhooks), webhookTypes);
  assert.match(JSON.stringify(webhooks['grant.ended']?.post.requestBody), /"lost_access"/);
});

/** A program from the document, in a file of its own. */
function program(name: string): string {
  const text = readFileSync(join(root, 'docs/webhooks.md'), 'utf8');
  const [, code = assert.fail(name)] = new RegExp(`file=${name}\\n([\\s\\S]*?)\`\`\``).exec(text) ?? [];
  writeFileSync(join(folder, name), code);
  return join(folder, name);
}

test('the program in the documentation ends exactly the affected sessions', async () => {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const port = await freePort();
  const { services } = service.running;
  const client = await service.newClient();
  const [ada, bob] = [await service.newUser(), await service.newUser()];
  const url = `http://127.0.0.1:${port}/latchkey`;
  const { webhook, secret } = await newWebhook(service, { url, clientId: client.id });
  const [first, second, other] = [
    await obtainTokens(service, client, ada),
    await obtainTokens(service, client, ada),
    await obtainTokens(service, client, bob),
  ];
  const claims = [first, second, other].map(({ tokens }) => decodeJwt(tokens.id_token));
  // The sessions that a real application has made, and a line whenever one of them is gone.
  writeFileSync(
    join(folder, 'app.mjs'),
    `import { newSession, sessions } from ${JSON.stringify(program('webhooks.mjs'))};
${JSON.stringify(claims)}.forEach((each, index) => newSession('session' + index, each));
let shown = '';
setInterval(() => {
  const now = [...sessions.keys()].join(',');
  if (now !== shown) console.log('sessions: ' + (shown = now));
}, 10);
console.log('listening');
`,
  );
  const environment = cleanEnvironment({ WEBHOOK_SECRET: secret, PORT: String(port) });
  const app = spawn(process.execPath, [join(folder, 'app.mjs')], { env: environment });
  try {
    await outputMatching(app, /sessions: session0,session1,session2\n/);
    const forged = await fetch(url, {
      method: 'POST',
      body: '{"type":"grant.ended","data":{"grant_id":null,"sub":null}}',
    });
    assert.equal(forged.status, 401);
    // Awaited before there's anything to see, so that nothing is missed.
    const withoutOne = outputMatching(app, /sessions: session1,session2\n/);
    await postForm(service, '/oauth/revoke', {
      client_id: client.id,
      client_secret: client.secret,
      token: first.tokens.refresh_token ?? '',
    });
    await services.webhooks.sendDue();
    await withoutOne;
    const withoutBoth = outputMatching(app, /sessions: session2\n/);
    await disableUser(services, ada.id, requester);
    await services.webhooks.sendDue();
    await withoutBoth;
    const [api, key] = [await Api.of(service), await newKey(service, 'administrator')];
    const { data } = await api.call('listWebhookDeliveries', key, { params: { id: webhook.id } });
    assert.equal(data.items.length, 2);
    for (const { id: delivery_id } of data.items) {
      const found = await api.call('getWebhookDelivery', key, { params: { id: webhook.id, delivery_id } });
      assert.equal(found.status, 200, found.message);
    }
  } finally {
    app.kill();
  }
});

test('the Python function in the documentation accepts signed messages only', (context) => {
  if (spawnSync('python3', ['--version']).status !== 0) return context.skip('there is no Python');
  program('verify.py');
  const secret = `whsec_${Buffer.from('a secret of thirty-two bytes or so').toString('base64')}`;
  const at = new Date();
  const body = JSON.stringify({ type: 'webhook.test' });
  const signature = new StandardWebhook(secret).sign('msg_1', at, body);
  const stale = new Date(at.getTime() - 301_000);
  const cases = [
    [{ at, signature, body }, true],
    [{ at, signature: `v1,${'A'.repeat(43)}= ${signature}`, body }, true],
    [{ at, signature, body: `${body} ` }, false],
    [{ at: stale, signature: new StandardWebhook(secret).sign('msg_1', stale, body), body }, false],
    [{ at, signature: 'v1,x', body }, false],
  ] as const;
  const given = cases.map(([message]) => ({
    headers: {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(message.at.getTime() / 1000)),
      'webhook-signature': message.signature,
    },
    body: message.body,
  }));
  const script = `import json, sys, verify
print(json.dumps([verify.is_genuine(sys.argv[1], each["headers"], each["body"].encode()) for each in json.load(sys.stdin)]))`;
  const { stdout, stderr } = spawnSync('python3', ['-c', script, secret], {
    cwd: folder,
    input: JSON.stringify(given),
    encoding: 'utf8',
  });
  assert.equal(stderr, '');
  assert.deepEqual(
    JSON.parse(stdout),
    cases.map(([, genuine]) => genuine),
  );
});
