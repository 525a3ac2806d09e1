// What else imported people bring along: identities at providers that are set up here, and attributes.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { importRecords } from '../../../src/operations/users/import-users.ts';
import { Api, type KeyCaller, newKey } from '../../harness/api.ts';
import { newAttribute } from '../../harness/claim-subjects.ts';
import { HostileUpstream } from '../../harness/hostile-upstream.ts';
import { requester, startTestService, type TestService } from '../../harness/service.ts';
import { addUpstream, allowLoopbackUpstreams, isSignedIn, signInWith } from '../../harness/upstreams.ts';

let service: TestService;
let provider: HostileUpstream;
let api: Api;
let administrator: KeyCaller;

before(async () => {
  service = await startTestService(allowLoopbackUpstreams);
  provider = await HostileUpstream.start(() => service.clock.now());
  await addUpstream(service, provider);
  api = await Api.of(service);
  administrator = await newKey(service, 'administrator');
});
after(async () => {
  await service?.stop();
  await provider?.stop();
});

async function importing(body: object, key = administrator) {
  const { data, message, status } = await api.call('importPeople', key, { body: { from: 'csv', ...body } });
  assert.equal(status, 200, message);
  return (
    data as unknown as { results: { result: string; id: string; problems: string[]; not_taken_over: string[] }[] }
  ).results;
}

let people = 0;
const person = (values: object = {}) => ({ id: `linked${++people}`, email: `linked${people}@example.test`, ...values });
const upstream = { 'google there': 'company' };

test('an identity of Keycloak signs its owner in, at the provider that it is mapped to', async () => {
  const federated = (userId: string) => [
    { identityProvider: 'google there', userId, userName: 'ada' },
    { identityProvider: 'github', userId: '17', userName: 'ada' },
  ];
  const record = person({ emailVerified: true, federatedIdentities: federated('sub-1') });
  const [unmapped] = await importing({ from: 'keycloak', people: [record], source: 'dry', dry_run: true });
  assert.deepEqual(unmapped?.not_taken_over, ['federatedIdentities (google there)', 'federatedIdentities (github)']);
  const [done] = await importing({ from: 'keycloak', people: [record], upstream });
  assert.deepEqual(done?.not_taken_over, ['federatedIdentities (github)']);
  provider.person = { sub: 'sub-1', email: 'someone@else.example', email_verified: false };
  assert.ok(isSignedIn((await signInWith(service, provider)).person));
  const key = { issuer: provider.issuer, subject: 'sub-1' };
  assert.equal((await service.running.services.storage.findIdentity(key))?.user.id, record.id);
});

test('an identity of somebody, twice, or that can be none keeps its record out, and the others come', async () => {
  const { storage } = service.running.services;
  const given = (subject: unknown) => person({ 'identity.google there': subject, 'identity.other': 'x' });
  await importing({ people: [given('taken')], upstream });
  const records = [
    given('taken'),
    given('new'),
    given('new'),
    given('x'.repeat(256)),
    given('ü'),
    given(17),
    given(''),
  ];
  for (const dry_run of [true, false]) {
    const results = await importing({ people: records, upstream, dry_run });
    assert.deepEqual(
      results.map(({ problems }) => problems.join()),
      [
        'the identity at company belongs to another person',
        '',
        'the identity at company belongs to another person',
        ...Array(3).fill('the identity at "google there" must be 1 to 255 characters of ASCII'),
        '',
      ],
    );
    assert.deepEqual(results[1]?.not_taken_over, ['identity.other']);
  }
  const found = await storage.findIdentity({ issuer: provider.issuer, subject: 'new' });
  assert.equal(found?.user.id, records[1]?.id);
  // It isn't given to someone who is here.
  const [again] = await importing({ people: [{ ...records[6], 'identity.google there': 'late' }], upstream });
  assert.equal(again?.result, 'already_imported');
  assert.equal(await storage.findIdentity({ issuer: provider.issuer, subject: 'late' }), undefined);
  const ways = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`identity.p${index}`, `many${index}`]));
  const mapped = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`p${index}`, 'company']));
  const [many] = await importing({ people: [person(ways)], upstream: mapped });
  assert.deepEqual(many?.problems, ['has more than 10 identities']);
});

test('identities come from an administrator only, and for providers that are set up', async () => {
  const record = person({ 'identity.google there': 'mine' });
  const [refused] = await importing({ people: [record], upstream }, await newKey(service, 'write'));
  assert.deepEqual(refused?.problems, ['only an administrator can import identities']);
  const body = { from: 'csv', people: [record], upstream: { google: 'nowhere' } };
  const { status, message } = await api.call('importPeople', administrator, { body });
  assert.equal(status, 400);
  assert.match(message ?? '', /there is no identity provider "nowhere"/i);
});

test('attributes that are defined come along if their value is valid, and others only if they are to be defined', async () => {
  const { storage } = service.running.services;
  await newAttribute(service, 'department');
  const attributes = {
    department: ['Analysis'],
    team: ['One'],
    teams: ['One', 'Two'],
    'Not a name': ['x'],
    empty: [''],
  };
  const first = person({ attributes });
  const [defined] = await importing({ from: 'keycloak', people: [first], define_attributes: false });
  const left = ['attributes.team', 'attributes.teams', 'attributes.Not a name'];
  assert.deepEqual(defined?.not_taken_over.slice(0, 3), left);
  assert.deepEqual((await storage.findUser(first.id))?.attributes, { department: 'Analysis' });
  const invalid = person({ attributes: { department: ['x'.repeat(1025)] } });
  const [without] = await importing({ from: 'keycloak', people: [invalid] });
  assert.deepEqual([without?.result, without?.not_taken_over], ['imported', ['attributes.department']]);

  const second = { from: 'keycloak', people: [person({ attributes })], define_attributes: true };
  const [refused] = await importing(second, await newKey(service, 'write'));
  assert.deepEqual(refused?.problems, ['only an administrator can define attributes']);
  await importing({ ...second, dry_run: true });
  assert.equal(await storage.findAttribute('team'), undefined);
  const [all] = await importing(second);
  assert.deepEqual(all?.not_taken_over.slice(0, 2), ['attributes.teams', 'attributes.Not a name']);
  assert.deepEqual((await storage.findUser(all?.id ?? ''))?.attributes, { department: 'Analysis', team: 'One' });
  const team = await storage.findAttribute('team');
  assert.deepEqual([team?.kind, team?.editableBy], ['text', 'administrator']);
  const [own] = await importing({ people: [person({ 'attribute.room': '7' })], define_attributes: true });
  assert.deepEqual((await storage.findUser(own?.id ?? ''))?.attributes, { room: '7' });

  const names = Array.from({ length: 60 }, (_, index) => [`attribute.n${index}`, 'x'] as const);
  const [many] = await importing({ people: [person(Object.fromEntries(names))], define_attributes: true });
  assert.deepEqual(many?.problems, ['needs 60 more attributes, and there can be at most 50']);
  assert.equal(await storage.findAttribute('n0'), undefined);
  assert.equal(many?.result, 'refused');
});

test('records of authentik come with hashes beside them', async () => {
  const record = { uuid: 'ak-1', username: 'ak-ada', email: 'ak@example.test', name: 'Ada' };
  const hash = '$2y$05$abcdefghijklmnopqrstuu2c1e4vZoCxDVRU9N6VCSSmNg4cQa1Ve';
  const options = { password_hashes: { 'ak-ada': hash }, emails_verified: true };
  await importing({ from: 'authentik', people: [record], ...options });
  const user = await service.running.services.storage.findUser('ak-1');
  assert.match(user?.passwordHash ?? '', /^foreign:\$2y\$05/);
  assert.notEqual(user?.emailVerifiedAt, null);
});

test('by the command line, the same operation needs no rights', async () => {
  const options = { from: 'csv', keepIds: true, dropRefusedHashes: false, now: service.clock.now() } as const;
  const mapped = new Map([['google', { name: 'company', issuer: provider.issuer }]]);
  const batch = {
    source: 'line',
    records: [person({ 'identity.google': 'by-line', groups: 'Line' })],
    options: { ...options, upstreams: mapped },
    intoExistingGroups: false,
    dryRun: false,
  };
  const done = await importRecords(service.running.services, batch, requester);
  assert.equal(done.kind === 'done' && done.outcomes[0]?.result, 'imported');
});
