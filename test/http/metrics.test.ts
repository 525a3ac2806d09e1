// Metrics: whatever people and applications do moves the series that is about it.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { disableUser } from '../../src/operations/users/disable-user.ts';
import { ownVersion } from '../../src/platform/version.ts';
import { startMailServer } from '../harness/mail-server.ts';
import { type Scrape, scrape } from '../harness/metrics.ts';
import { formIn, Person } from '../harness/person.ts';
import {
  exchangeParameters,
  obtainCode,
  obtainTokens,
  postForm,
  refreshParameters,
  userinfo,
} from '../harness/relying-party.ts';
import { alignToStep, codeOf, newOwner, reachSecondStep, tryCode, wrongCode } from '../harness/second-factors.ts';
import {
  freePort,
  requester,
  startTestService,
  type TestClient,
  type TestService,
  type TestUser,
} from '../harness/service.ts';
import { askToReset } from '../harness/sign-up.ts';
import { until } from '../harness/until.ts';

const isPostgres = process.env.TEST_ENGINE === 'postgres';

let service: TestService;
let port: number;
let mailServer: Awaited<ReturnType<typeof startMailServer>>;
let client: TestClient;
let user: TestUser;

before(async () => {
  port = await freePort();
  mailServer = await startMailServer();
  service = await startTestService({
    LATCHKEY_METRICS_PORT: String(port),
    LATCHKEY_SMTP_URL: mailServer.url,
    LATCHKEY_MAIL_FROM: 'latchkey@example.test',
  });
  client = await service.newClient();
  user = await service.newUser();
});
after(async () => {
  await service.stop();
  await mailServer.stop();
});

/** How much each of the series went up while something was done. */
async function rises(series: readonly string[], work: () => Promise<unknown>): Promise<number[]> {
  const before = await scrape(port);
  await work();
  const after = await scrape(port);
  return series.map((each) => after.of(each) - before.of(each));
}

const signIns = (result: string, reason: string) => `latchkey_sign_ins_total{result="${result}",reason="${reason}"}`;
const requests = (route: string, method: string, status: number) =>
  `latchkey_http_requests_total{route="${route}",method="${method}",status="${status}"}`;
const refused = (grantType: string, reason: string) =>
  `latchkey_token_requests_refused_total{grant_type="${grantType}",reason="${reason}"}`;
const revoked = (cause: string) => `latchkey_revocations_total{cause="${cause}"}`;
const secondStep = (result: string) => `latchkey_second_steps_total{result="${result}"}`;
const throttled = (limit: string) => `latchkey_throttled_total{limit="${limit}"}`;

const exchange = async (changes: Record<string, string> = {}) => {
  const { code, verifier } = await obtainCode(service, client, user);
  return postForm(service, '/oauth/token', { ...exchangeParameters(client, code, verifier), ...changes });
};

describe('a series goes up by one when', () => {
  const cases: [name: string, series: string[], work: () => Promise<unknown>][] = [
    [
      'somebody signs in',
      [signIns('signed_in', 'password'), requests('/sign-in/*', 'POST', 303)],
      () => new Person(service).signIn(user),
    ],
    [
      'somebody types a wrong password',
      [signIns('refused', 'wrong_password'), requests('/sign-in/*', 'POST', 400)],
      () => new Person(service).signIn({ ...user, password: 'wrong' }),
    ],
    [
      'nobody has the email address',
      [signIns('refused', 'unknown_person')],
      () => new Person(service).signIn({ ...user, email: 'nobody@example.test' }),
    ],
    [
      'a code is exchanged',
      [
        'latchkey_tokens_issued_total',
        requests('/oauth/token', 'POST', 200),
        requests('/oauth-authorize/*', 'POST', 303),
      ],
      async () => exchange(),
    ],
    ['a code is unknown', [refused('authorization_code', 'unknown')], () => exchange({ code: 'lkc_nothing' })],
    ['a secret is wrong', [refused('authorization_code', 'wrong_secret')], () => exchange({ client_secret: 'wrong' })],
    [
      'a verifier is wrong',
      [refused('authorization_code', 'verifier_mismatch')],
      () => exchange({ code_verifier: 'v'.repeat(43) }),
    ],
    [
      'a grant type is unknown',
      [refused('unknown', 'unsupported_grant_type'), requests('/oauth/token', 'POST', 400)],
      () => postForm(service, '/oauth/token', { grant_type: 'password' }),
    ],
    ['no parameter is sent', [refused('unknown', 'invalid_request')], () => postForm(service, '/oauth/token', {})],
    [
      'a secret is in the Authorization header',
      [refused('unknown', 'basic_authentication')],
      () => postForm(service, '/oauth/token', {}, { Authorization: `Basic ${btoa('a:b')}` }),
    ],
    [
      'a token is refreshed',
      ['latchkey_tokens_refreshed_total'],
      async () => {
        const { tokens } = await obtainTokens(service, client, user);
        await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
      },
    ],
    [
      'a refresh token is unknown',
      [refused('refresh_token', 'unknown')],
      () => postForm(service, '/oauth/token', refreshParameters(client, 'lkr_nothing')),
    ],
    [
      'an application revokes a refresh token',
      [revoked('refresh_token_revoked'), requests('/oauth/revoke', 'POST', 200)],
      async () => {
        const { tokens } = await obtainTokens(service, client, user);
        const credentials = { client_id: client.id, client_secret: client.secret };
        await postForm(service, '/oauth/revoke', { token: tokens.refresh_token, ...credentials });
      },
    ],
    [
      'a revocation names no application',
      ['latchkey_revocations_refused_total{reason="client_id_missing"}'],
      () => postForm(service, '/oauth/revoke', { token: 'x' }),
    ],
    [
      'somebody removes an application',
      [revoked('app_removed')],
      async () => {
        const { person } = await obtainTokens(service, client, user);
        await person.submit(await formIn(await person.visit('/account/apps'), '/account/apps'), { remove: client.id });
      },
    ],
    [
      'an administrator disables somebody',
      [revoked('user_disabled')],
      async () => disableUser(service.running.services, (await service.newUser()).id, requester),
    ],
    [
      'userinfo is asked without a token',
      [
        requests('/oauth/userinfo', 'GET', 401),
        'latchkey_http_request_duration_seconds_count{route="/oauth/userinfo"}',
      ],
      () => fetch(`${service.url}/oauth/userinfo`),
    ],
    [
      'there is nothing at a path',
      [requests('(none)', 'GET', 404), 'latchkey_http_request_duration_seconds_count{route="(none)"}'],
      () => fetch(`${service.url}/${crypto.randomUUID()}`),
    ],
    ['a path cannot be decoded', [requests('(none)', 'GET', 400)], () => fetch(`${service.url}/%zz`)],
    ['HEAD is sent', [requests('/healthz', 'GET', 200)], () => fetch(`${service.url}/healthz`, { method: 'HEAD' })],
    [
      'a method does not exist',
      [requests('/oauth/userinfo', 'other', 405)],
      () => fetch(`${service.url}/oauth/userinfo`, { method: 'PROPFIND' }),
    ],
  ];
  for (const [name, series, work] of cases) {
    test(name, async () => {
      assert.deepEqual(
        await rises(series, work),
        series.map(() => 1),
      );
    });
  }
});

test('second steps are counted by outcome', async () => {
  alignToStep(service);
  const owner = await newOwner(service);
  const series = ['asked', 'refused', 'code', 'throttled'].map(secondStep);
  const risen = await rises(
    [...series, signIns('signed_in', 'password_and_code'), throttled('second_step')],
    async () => {
      const step = await reachSecondStep(service, owner.user);
      await tryCode(step, wrongCode(service, owner));
      await tryCode(await reachSecondStep(service, owner.user), codeOf(service, owner));
      const another = await reachSecondStep(service, owner.user);
      for (let attempt = 0; attempt < 11; attempt++) await tryCode(another, wrongCode(service, owner, attempt));
    },
  );
  const [asked, wrong, right, tooMany, signedIn, limited] = risen as [number, number, number, number, number, number];
  assert.deepEqual([asked, right, signedIn], [3, 1, 1]);
  assert.equal(wrong + tooMany, 12);
  assert.ok(tooMany >= 1 && limited >= 1, `${tooMany} and ${limited}`);
});

test('too many wrong passwords are counted as throttled', async () => {
  const victim = await service.newUser();
  const [limited, noted] = await rises([throttled('sign_in'), signIns('refused', 'throttled')], async () => {
    for (let attempt = 0; attempt < 11; attempt++) await new Person(service).signIn({ ...victim, password: 'wrong' });
  });
  assert.deepEqual([limited, noted], [1, 1]);
});

test('emails are counted when they are queued, sent, delayed and given up', async () => {
  const rise = async (series: string, work: () => Promise<unknown>) => {
    const before = (await scrape(port)).of(series);
    await work();
    await until(async () => (await scrape(port)).of(series) > before, `${series} goes up`);
  };
  const reset = () => askToReset(service, user.email);
  await rise('latchkey_emails_queued_total', reset);
  await rise('latchkey_emails_sent_total', reset);
  mailServer.refuse({ code: 450, text: 'later' });
  await rise('latchkey_emails_failed_total{result="delayed"}', reset);
  mailServer.refuse({ code: 550, text: 'never' });
  await rise('latchkey_emails_failed_total{result="given_up"}', reset);
  mailServer.refuse(undefined);
});

test('the store, passwords, the process and the build are measured', async () => {
  const reads = 'latchkey_storage_operations_total{operation="read"}';
  const writes = 'latchkey_storage_operations_total{operation="write"}';
  const batches = 'latchkey_storage_batch_size_count{operation="write"}';
  const trips = 'latchkey_storage_trip_duration_seconds_count{operation="write"}';
  const passwords = 'latchkey_password_duration_seconds_count';
  const { tokens } = await obtainTokens(service, client, user);
  const [read] = await rises([reads], () => userinfo(service, tokens.access_token));
  assert.ok((read ?? 0) >= 1);
  const risen = await rises([reads, writes, batches, trips, passwords], () => new Person(service).signIn(user));
  for (const each of risen) assert.ok(each >= 1, String(risen));

  const now = await scrape(port);
  const connections = now.sum('latchkey_storage_connections');
  assert.ok(isPostgres ? connections >= 1 : connections === 0, String(connections));
  assert.equal(now.of('latchkey_storage_connections_max'), isPostgres ? 10 : 0);
  if (isPostgres) assert.ok(now.of('latchkey_storage_batch_size_count{operation="read"}') > 0);
  assert.equal(now.sum('latchkey_build_info', `store="${isPostgres ? 'postgresql' : 'sqlite'}"`), 1);
  assert.equal(now.sum('latchkey_build_info', `version="${ownVersion()}"`), 1);
  for (const series of ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'process_open_fds']) {
    assert.ok(now.of(series) > 0, series);
  }
  assert.ok(Math.abs(now.of('process_start_time_seconds') - Date.now() / 1000) < 3600);
  await until(
    async () => (await scrape(port)).of('latchkey_event_loop_delay_seconds_count') > 0,
    'the loop is measured',
  );
});

test('queue lengths and suppressed events are measured', async () => {
  const { journal } = service.running.services;
  const flush = journal.flush.bind(journal);
  let full: Scrape | undefined;
  // Noted and scraped in one turn of the event loop, before anything is written.
  await Promise.all([
    ...Array.from({ length: 300 }, () =>
      fetch(`${service.url}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'refresh_token' }),
      }),
    ),
    until(async () => {
      full = await scrape(port);
      return full.of('latchkey_journal_queue_length') > 0;
    }, 'events wait'),
  ]);
  await flush();
  await until(
    async () => (await scrape(port)).of('latchkey_journal_suppressed_events_total') > 0,
    'some are only counted',
  );
  assert.ok((full?.of('latchkey_journal_queue_length') ?? 0) > 0);
});

test('the console and the API, which are loaded late, are counted as themselves', async () => {
  const counted = await rises([requests('/api/*', 'GET', 401), requests('/admin/*', 'GET', 302)], async () => {
    await fetch(`${service.url}/api/people`);
    await fetch(`${service.url}/admin/people`, { redirect: 'manual' });
  });
  assert.deepEqual(counted, [1, 1]);
});

test('the request counters add up to the number of requests sent', async () => {
  const before = (await scrape(port)).sum('latchkey_http_requests_total');
  for (const path of ['/', '/sign-in', '/oauth/jwks.json', '/api/people', '/docs', '/assets/none.css', '/readyz']) {
    await fetch(service.url + path, { redirect: 'manual' });
  }
  assert.equal((await scrape(port)).sum('latchkey_http_requests_total') - before, 7);
});

test('every status in this suite has a series', async () => {
  const now = await scrape(port);
  assert.equal(now.sum('latchkey_http_requests_total', 'status="other"'), 0);
});

describe('the listener', () => {
  const ask = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${path}`, init);

  test('serves the text format, and nothing but /metrics', async () => {
    const response = await ask('/metrics');
    assert.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal((await ask('/metrics?name=x')).status, 200);
    const head = await ask('/metrics', { method: 'HEAD' });
    assert.deepEqual([head.status, await head.text()], [200, '']);
    for (const path of ['/', '/healthz', '/oauth/userinfo', '/metrics/x'])
      assert.equal((await ask(path)).status, 404, path);
    const posted = await ask('/metrics', { method: 'POST', body: 'x' });
    assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD']);
  });

  test("isn't the public port", async () => {
    assert.equal((await fetch(`${service.url}/metrics`)).status, 404);
  });

  test('exposes no people, applications or secrets', async () => {
    const { text } = await scrape(port);
    for (const secret of [user.email, user.id, client.id, client.secret]) assert.equal(text.includes(secret), false);
  });
});
