// Two instances on one PostgreSQL without sticky sessions, and PostgreSQL going down and coming back under load.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { disableUser } from '../../src/operations/users/disable-user.ts';
import { runCommand } from '../harness/command.ts';
import { formIn, Person } from '../harness/person.ts';
import { startPostgres, type TestPostgres } from '../harness/postgres.ts';
import { proofAsked } from '../harness/proof.ts';
import {
  authorizePath,
  exchangeParameters,
  newVerifier,
  obtainCode,
  obtainTokens,
  postForm,
  refreshParameters,
  userinfo,
} from '../harness/relying-party.ts';
import { isSignedIn, newOwner, reachSecondStep } from '../harness/second-factors.ts';
import {
  freePort,
  requester,
  startTestService,
  type TestClient,
  type TestService,
  type TestUser,
} from '../harness/service.ts';
import { sweep } from '../harness/sweep.ts';
import { until } from '../harness/until.ts';

let postgres: TestPostgres;
let shared: Record<string, string>;
let one: TestService;
let two: TestService;
let client: TestClient;
let user: TestUser;

before(async () => {
  postgres = await startPostgres();
  shared = {
    DATABASE_URL: await postgres.newDatabase(),
    LATCHKEY_KEYS: randomBytes(32).toString('base64url'),
    LATCHKEY_BASE_URL: `http://localhost:${await freePort()}`,
  };
  one = await startTestService(shared);
  two = await startTestService(shared);
  client = await one.newClient();
  user = await two.newUser();
});
after(async () => {
  await one?.stop();
  await two?.stop();
  await postgres?.remove();
});

test('of 200 concurrent exchanges of one code at two instances exactly one succeeds, and its tokens work', async () => {
  const { code, verifier } = await obtainCode(one, client, user);
  const parameters = exchangeParameters(client, code, verifier);
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) => postForm(index % 2 ? one : two, '/oauth/token', parameters)),
  );
  const winners = answers.filter((answer) => answer.status === 200);
  assert.equal(winners.length, 1);
  assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([200, 400]));
  for (const service of [one, two]) {
    assert.equal((await userinfo(service, winners[0]?.body.access_token ?? '')).status, 200);
  }
});

test('proof requested by one instance can be given at the other, and counts at both', async () => {
  const owner = await two.newUser();
  const here = new Person(one);
  await here.signIn(owner);
  const there = new Person(two);
  for (const [name, value] of here.cookies) there.cookies.set(name, value);
  for (const service of [one, two]) service.clock.advance(16 * 60);
  const form = await formIn(await here.visit('/account/email'), '/account/email');
  const proof = await proofAsked(await here.submit(form, { email: 'elsewhere@example.test' }));
  const sent = await there.submit(proof, { password: owner.password });
  assert.match(await sent.text(), /elsewhere@example\.test/);
  const again = await here.submit(form, { email: 'third@example.test' });
  assert.match(await again.text(), /third@example\.test/, 'without another proof');
});

test('a device trusted at one instance is trusted at the other, until the password changes', async () => {
  const owner = await newOwner(one);
  const { person, form } = await reachSecondStep(one, owner.user);
  await person.submit(form, { code: owner.recoveryCodes[0] ?? '', trust: 'yes' });
  const skipsCode = async (password: string) => {
    const browser = new Person(two);
    browser.cookies.set('latchkey_device', person.cookies.get('latchkey_device') ?? '');
    await browser.signIn({ ...owner.user, password });
    return isSignedIn(browser);
  };
  assert.equal(await skipsCode(owner.user.password), true);
  const change = await formIn(await person.visit('/account/security'), '/account/password');
  await person.submit(change, { new_password: 'another phrase of mine' });
  assert.equal(await skipsCode('another phrase of mine'), false);
});

test('a revocation at one instance applies at the other with the next request', async () => {
  for (let round = 0; round < 20; round++) {
    const { tokens } = await obtainTokens(one, client, user);
    assert.equal((await userinfo(two, tokens.access_token)).status, 200);
    const parameters = { token: tokens.refresh_token, client_id: client.id, client_secret: client.secret };
    await postForm(one, '/oauth/revoke', parameters);
    assert.equal((await userinfo(two, tokens.access_token)).status, 401);
    assert.equal((await postForm(two, '/oauth/token', refreshParameters(client, tokens.refresh_token))).status, 400);
  }
});

test('a sign-in can continue at any instance', async () => {
  const app = await one.newClient();
  const person = new Person(one);
  const page = await person.visit(authorizePath(app, newVerifier()));
  const form = await formIn(page, '/sign-in');
  const elsewhere = new Person(two);
  for (const [name, value] of person.cookies) elsewhere.cookies.set(name, value);
  const credentials = { email: user.email, password: user.password };
  const consent = await elsewhere.submit(form, credentials);
  for (const [name, value] of elsewhere.cookies) person.cookies.set(name, value);
  const decision = await formIn(consent, '/oauth-authorize/decision');
  const answer = await person.submit(decision, { decision: 'approve' });
  assert.equal(answer.status, 303);
});

test('failed sign-ins are counted together', async () => {
  const target = await one.newUser();
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 11; attempt++) {
    const person = new Person(attempt % 2 ? one : two);
    const form = await formIn(await person.visit('/sign-in'));
    const wrong = { email: target.email, password: 'wrong password' };
    statuses.push((await person.submit(form, wrong)).status);
  }
  assert.deepEqual(statuses, [...Array(10).fill(400), 429]);
});

test('the sweep runs in one instance', async () => {
  const rounds = await Promise.all([sweep(one, 'one'), sweep(two, 'two'), sweep(one, 'one'), sweep(two, 'two')]);
  assert.equal(rounds.filter(({ kind }) => kind === 'swept').length, 2, 'both rounds of one of them');
});

test('a person disabled at one instance is signed out of the other', async () => {
  const somebody = await one.newUser();
  const { tokens } = await obtainTokens(one, client, somebody);
  await disableUser(two.running.services, somebody.email, requester);
  assert.equal((await userinfo(one, tokens.access_token)).status, 401);
});

test("an instance whose clock is far from the database's isn't ready while others are right", async () => {
  const clock = { now: () => Date.now() - 120_000, advance: () => {} };
  const behind = await startTestService(shared, { clock, storeClock: undefined });
  try {
    const statuses = await Promise.all(
      [one, two, behind].map(async ({ url }) => (await fetch(`${url}/readyz`)).status),
    );
    assert.deepEqual(statuses, [200, 200, 503]);
    const found = await one.running.services.storage.listInstances();
    for (const [place, expected] of [0, 0, -120_000].entries()) {
      const { clockOffset } = found[place] ?? assert.fail();
      assert.ok(Math.abs((clockOffset ?? Number.NaN) - expected) <= 1000, `${clockOffset}`);
    }
  } finally {
    await behind.stop();
  }
});

test('instances refuse to serve on an older schema and say to run migrate', async () => {
  const environment = {
    DATABASE_URL: await postgres.newDatabase({ migrated: false }),
    LATCHKEY_BASE_URL: `http://localhost:${await freePort()}`,
    LATCHKEY_KEYS: randomBytes(32).toString('base64url'),
  };
  const refused = await runCommand(['serve'], environment);
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /schema version 0, but this version of Latchkey needs \d+\. Run "latchkey migrate"/);
  assert.match((await runCommand(['migrate'], environment)).stdout, /is now at version \d+/);
  assert.match((await runCommand(['migrate'], environment)).stdout, /is already at version \d+/);
  const created = await runCommand(
    ['user', 'create', '--email', 'a@example.test', '--name', 'A', '--json'],
    environment,
  );
  assert.equal(created.status, 0, created.stderr);
  assert.equal(JSON.parse((await runCommand(['user', 'list', '--json'], environment)).stdout).length, 1);
});

test('an unreachable database is reported in one sentence, without its password', async () => {
  const environment = {
    DATABASE_URL: 'postgres://latchkey:hush@localhost:1/x',
    LATCHKEY_KEYS: randomBytes(32).toString('base64url'),
  };
  for (const args of [['serve'], ['client', 'list'], ['migrate']]) {
    const result = await runCommand(args, environment);
    assert.equal(result.status, 1);
    assert.match(result.stderr, /^latchkey: the store isn't available right now/);
    assert.equal(result.stderr.includes('hush'), false);
  }
});

test('PostgreSQL restarted under load: 503 meanwhile, automatic recovery, nothing acknowledged is lost', async () => {
  const exchanged: { refreshToken: string; revoked: boolean }[] = [];
  const statuses = new Map<number, number>();
  const count = (status: number) => statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const badRetry: number[] = [];
  let working = true;
  const person = new Person(one);
  await person.authorize(authorizePath(client, newVerifier()), user);

  async function load(service: TestService): Promise<void> {
    while (working) {
      const verifier = newVerifier();
      const authorized = await person.request(authorizePath(client, verifier));
      const code = new URL(authorized.headers.get('location') ?? 'x:/').searchParams.get('code');
      count(authorized.status);
      if (authorized.status === 503 && !Number(authorized.headers.get('retry-after'))) badRetry.push(503);
      if (code === null) continue;
      const answer = await postForm(service, '/oauth/token', exchangeParameters(client, code, verifier));
      count(answer.status);
      if (answer.status !== 200) continue;
      const grant = { refreshToken: answer.body.refresh_token, revoked: false };
      exchanged.push(grant);
      if (exchanged.length % 2) continue;
      const parameters = { token: grant.refreshToken, client_id: client.id, client_secret: client.secret };
      const revocation = await postForm(service, '/oauth/revoke', parameters);
      count(revocation.status);
      grant.revoked = revocation.status === 200;
    }
  }

  const loads = [load(one), load(one), load(two), load(two)];
  await until(() => exchanged.length > 20, 'the load is on');
  await postgres.stop();
  await until(() => statuses.has(503), 'the outage is felt');
  const away = await fetch(`${one.url}/readyz`);
  assert.equal(away.status, 503);
  assert.equal((await fetch(`${one.url}/healthz`)).status, 200);
  await postgres.startAgain();
  const isReady = async ({ url }: TestService) => (await fetch(`${url}/readyz`)).status === 200;
  await until(async () => (await isReady(one)) && (await isReady(two)), 'both have recovered');
  const before = exchanged.length;
  await until(() => exchanged.length > before + 10, 'the load goes on');
  working = false;
  await Promise.all(loads);

  assert.deepEqual(badRetry, [], 'every 503 says when to try again');
  const unexpected = [...statuses.keys()].filter((status) => ![200, 302, 400, 503].includes(status));
  assert.deepEqual(unexpected, []);
  for (const { refreshToken, revoked } of exchanged) {
    const answer = await postForm(two, '/oauth/token', refreshParameters(client, refreshToken));
    // A revocation that wasn't acknowledged may have happened or not. One that was must hold.
    if (revoked) assert.equal(answer.status, 400);
    else assert.ok(answer.status === 200 || answer.status === 400);
  }
  const unrevoked = exchanged.filter((_, index) => index % 2 === 0);
  for (const { refreshToken } of unrevoked) {
    const answer = await postForm(one, '/oauth/token', refreshParameters(client, refreshToken));
    assert.equal(answer.status, 200, 'an acknowledged exchange is there');
  }
});
