// latchkey events: which ones are listed, how they're explained, and how they're exported.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { eventsDownload } from '../../src/http/downloads/lists.ts';
import { HOUR } from '../../src/protocol/durations.ts';
import type { EventFacts, EventRecord } from '../../src/protocol/event.ts';
import { firstIdAt, newTimeOrderedId } from '../../src/protocol/identifiers.ts';
import { cleanEnvironment, finished, outputMatching, root, runCommand, startCommand } from '../harness/command.ts';
import { firstUntilRelease, releaseTest } from '../harness/lane.ts';
import { startTestService, type TestClient, type TestService, type TestUser } from '../harness/service.ts';
import { openTerminal, quoted, runOnTerminal } from '../harness/terminal.ts';
import { until } from '../harness/until.ts';

const now = Date.now();
const hostile = 'a\u001b[2J\u009b2J\r\n2026-01-01T00:00:00.000Z  forged\u202e';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

let service: TestService;
let ada: TestUser;
let photos: TestClient;
let mail: TestClient;
let environment: Record<string, string>;
let sequence = 0;

/** An event of so many hours ago, which is found by the reference that it's given. */
function eventOf(reference: string, hoursAgo: number, facts: EventFacts): EventRecord {
  const at = now - hoursAgo * HOUR;
  const id = newTimeOrderedId(at, (size) => Buffer.alloc(size, ++sequence));
  return { ...facts, id, at, address: '203.0.113.7', requestId: reference };
}

before(async () => {
  service = await startTestService();
  ada = await service.newUser({ email: 'ada@example.test' });
  [photos, mail] = [await service.newClient({ name: 'Photos' }), await service.newClient({ name: 'Mail' })];
  const { storage } = service.running.services;
  const profile = { name: 'Ada', givenName: null, familyName: null, locale: null, preferredUsername: 'Ada.L' };
  const changed = eventOf('profile', 100, { kind: 'profile_changed', userId: ada.id });
  await storage.changeProfile(ada.id, profile, now, changed);
  const about = { userId: ada.id, clientId: photos.id };
  const refused = { reason: 'unknown_client', requested_client: hostile };
  await storage.appendEvents([
    { ...eventOf('week', 7 * 24, { kind: 'signed_in', ...about, detail: { method: 'password' } }), traceId },
    eventOf('wrong', 3, { kind: 'sign_in_failed', ...about, detail: { reason: 'wrong_password' } }),
    eventOf('mail', 2.5, { kind: 'sign_in_failed', clientId: mail.id, detail: { reason: 'unknown_person' } }),
    eventOf('in', 1.5, { kind: 'signed_in', ...about, detail: { method: 'password' } }),
    eventOf('hostile', 1, { kind: 'authorization_refused', detail: refused }),
    eventOf('gone', 0.5, { kind: 'signed_out', userId: '0000000000000000000000gone', clientId: photos.id }),
  ]);
  environment = { LATCHKEY_BASE_URL: service.url, LATCHKEY_DATA_DIR: service.dataDir };
});
after(() => service.stop());

const events = (...args: string[]) => runCommand(['events', ...args], environment);

async function linesOf(...args: string[]) {
  const { status, stdout, stderr } = await events(...args);
  assert.equal(status, 0, stderr);
  return stdout.trimEnd().split('\n');
}

const filters: [string[], string[]][] = [
  [
    ['--kind', 'sign_in_failed'],
    ['wrong', 'mail'],
  ],
  [
    ['--kind', 'sign_in_failed', '--kind', 'signed_out'],
    ['wrong', 'mail', 'gone'],
  ],
  [['--failures'], ['wrong', 'mail', 'hostile']],
  [['--failures', '--kind', 'authorization_refused', '--kind', 'signed_in'], ['hostile']],
  [
    ['--user', 'ADA@example.test', '--kind', 'signed_in'],
    ['week', 'in'],
  ],
  [
    ['--user', 'ada.l', '--since', '4h'],
    ['wrong', 'in'],
  ],
  [['--user', '0000000000000000000000gone'], ['gone']],
  [
    ['--client', 'photos', '--since', '2h'],
    ['in', 'gone'],
  ],
  [['--client', 'mail', '--failures'], ['mail']],
  [['--since', new Date(now - 2 * HOUR).toISOString(), '--limit', '2', '--client', 'Photos'], ['gone']],
];

for (const [args, references] of filters) {
  test(`events ${args.join(' ').replace(/\d{4}-\S+/, 'a time')}`, async () => {
    const listed = JSON.parse((await events(...args, '--json')).stdout);
    const found = listed.map((event: { request_id: string }) => event.request_id);
    // Those of the set-up are called "test".
    assert.deepEqual(
      found.filter((reference: string) => reference !== 'test'),
      references,
    );
  });
}

test('an invalid filter fails with one sentence', async () => {
  for (const [status, pattern, ...args] of [
    [2, /unknown kind of event "sign_in_faild"\. Did you mean "sign_in_failed"\?/, '--kind', 'sign_in_faild'],
    [2, /--since must be a time, such as 90m, 2h, /, '--since', 'yesterday'],
    [
      1,
      /there is no person with the email address, username or ID "nobody@example\.test"\.$/,
      '--user',
      'nobody@example.test',
    ],
    [1, /there is no person with the email address, username or ID "nobody"\.$/, '--user', 'nobody'],
    [1, /there is no application "nothing"\.$/, '--client', 'nothing'],
    [2, /--format must be one of: jsonl, ocsf/, 'export', '--format', 'csv'],
    [2, /--after must be the id of an event/, 'export', '--after', 'x'],
  ] as const) {
    const result = await events(...args);
    assert.deepEqual([result.status, result.stdout], [status, ''], args.join(' '));
    assert.match(result.stderr.trimEnd(), pattern);
  }
});

test("lines for programs keep their fields and end with the console's explanation", async () => {
  const [wrong = '', refused = ''] = await linesOf(
    '--failures',
    '--kind',
    'sign_in_failed',
    '--kind',
    'authorization_refused',
  ).then((lines) => [lines[0], lines[2]]);
  const about = `user=${ada.id} client=${photos.id} reason=wrong_password from=203.0.113.7 request=wrong`;
  const time = new Date(now - 3 * HOUR).toISOString();
  assert.equal(wrong, `${time}  sign_in_failed            ${about} explanation=The password was incorrect.`);
  assert.match(refused, / explanation=No application has this client ID\. .*forged/, 'in the same line');
  assert.doesNotMatch(refused, /[\u0000-\u001f\u007f-\u009f\u202e]/);
  const [event] = JSON.parse((await events('--kind', 'sign_in_failed', '--client', photos.id, '--json')).stdout);
  assert.equal(event.explanation, 'The password was incorrect.');
  assert.equal(JSON.parse((await events('--kind', 'signed_out', '--json')).stdout)[0].explanation, null);
});

test("a terminal gets the console's text with names, and no control sequences", async () => {
  const args = ['events', '--failures', '--since', '4h'];
  const colored = await runOnTerminal(args, { environment });
  const wide = { columns: 300, environment: { ...environment, NO_COLOR: '1', TZ: 'UTC' } };
  const plain = await runOnTerminal(args, wide);
  assert.match(colored.shown, /\u001b\[31mSign-in failed/);
  const [first, why, details] = plain.shown.split('\n');
  const time = new Date(now - 3 * HOUR).toISOString().replace('T', ' ').slice(0, 19);
  assert.equal(first, `${time} UTC  Sign-in failed                 ada@example.test · Photos · 203.0.113.7`);
  assert.equal(why, '    The password was incorrect.');
  assert.equal(details, '    Reference: wrong');
  assert.match(plain.shown, /^ {4}No application has this client ID\. .*\\u001b\[2J\\u009b2J\\u000d\\u000a2026-01-01/m);
  assert.doesNotMatch(plain.shown, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});

test("a request's trace ID is in every output", async () => {
  const args = ['--user', ada.id, '--kind', 'signed_in', '--since', '8d'];
  assert.match((await linesOf(...args))[0] ?? '', new RegExp(` request=week trace=${traceId}$`));
  const { shown } = await runOnTerminal(['events', ...args], { columns: 100, environment });
  assert.match(shown, new RegExp(`Reference: week · Trace ID: ${traceId}`));
  const [ocsf] = await linesOf('export', ...args, '--format', 'ocsf');
  assert.deepEqual(JSON.parse(ocsf ?? '').unmapped, { method: 'password', trace_id: traceId });
});

test('a narrow terminal wraps between words, and an empty list is one sentence', async () => {
  const settings = { columns: 40, environment: { ...environment, NO_COLOR: '1' } };
  const { shown } = await runOnTerminal(['events', '--kind', 'authorization_refused'], settings);
  assert.match(shown, /^ {4}No application has this client ID\.\n {4}Check its settings for a typo\.\n {4}Requested/m);
  const none = await runOnTerminal(['events', '--kind', 'mail_given_up'], settings);
  assert.deepEqual([none.status, none.shown], [0, 'No matching events.\n']);
  assert.deepEqual(await events('--kind', 'mail_given_up'), { status: 0, stdout: '', stderr: '' });
});

test('--follow prints new events that match the filter', async () => {
  const follower = startCommand(['events', '--follow', '--json', '--failures', '--limit', '0'], environment);
  try {
    const { storage } = service.running.services;
    const seen = outputMatching(follower, /followed/);
    // The follower starts at a moment that isn't known here, so events happen until it shows one.
    let count = 0;
    const timer = setInterval(() => {
      const at = Date.now();
      const base = { at, address: '', requestId: 'followed' } as const;
      const id = (kind: number) => newTimeOrderedId(at, (size) => Buffer.alloc(size, kind + count));
      const failure = { ...base, id: id(1), kind: 'mail_delayed', detail: { reason: 'ETIMEDOUT' } } as const;
      void storage.appendEvents([{ ...base, id: id(100), kind: 'signed_in' }, failure]);
      count++;
    }, 100);
    const lines = (await seen.finally(() => clearInterval(timer))).trim().split('\n');
    for (const line of lines) assert.equal(JSON.parse(line).kind, 'mail_delayed');
    follower.kill('SIGINT');
    assert.equal((await finished(follower)).status, 0);
  } finally {
    follower.kill('SIGKILL');
  }
});

test("a JSON Lines export has the download's fields, and OCSF has the explanation as message", async () => {
  const filter = ['--failures', '--since', '4h', '--kind', 'sign_in_failed', '--kind', 'authorization_refused'];
  const lines = await linesOf('export', ...filter);
  const ocsf = await linesOf('export', ...filter, '--format', 'ocsf');
  const exported = lines.map((line) => JSON.parse(line));
  assert.deepEqual(Object.keys(exported[0]), eventsDownload.columns);
  const { kind, event, person_email: email, application_name: name, explanation } = exported[0];
  const expected = ['sign_in_failed', 'Sign-in failed', 'ada@example.test', 'Photos', 'The password was incorrect.'];
  assert.deepEqual([kind, event, email, name, explanation], expected);
  assert.equal(exported[2].detail.requested_client, hostile, 'the same text');
  for (const line of [...lines, ...ocsf]) assert.doesNotMatch(line, /[\u0000-\u001f\u007f-\u009f\u202e]/);
  const mapped = ocsf.map((line) => JSON.parse(line));
  assert.deepEqual(
    mapped.map(({ class_uid: uid, message }) => [uid, message.slice(0, 42)]),
    [
      [3002, 'Sign-in failed: The password was incorrect'],
      [3002, 'Sign-in failed: No account has this email '],
      [6003, 'Authorization refused: No application has '],
    ],
  );
  assert.deepEqual(
    mapped.map(({ metadata }) => metadata.uid),
    exported.map(({ id }) => id),
  );
});

const many = 20_000;

releaseTest(
  'an export of many events needs little memory, is steady while others are written, and can be continued',
  async () => {
    // Not so long ago that the service deletes them.
    const start = now - 30 * 24 * HOUR;
    const until = new Date(start + many).toISOString();
    const database = new DatabaseSync(join(service.dataDir, 'latchkey.db'), { timeout: 10_000 });
    const insert = database.prepare(`INSERT INTO events (id, at, kind, user_id, client_id, address, request_id, detail)
    VALUES (?, ?, 'signed_in', ?, ?, '', 'r', ?)`);
    const detail = JSON.stringify({ method: 'password', device: 'x'.repeat(2000) });
    const ids = Array.from({ length: many }, (_, index) => firstIdAt(start + index));
    const append = (id: string, at: number) => insert.run(id, at, ada.id, photos.id, detail);
    database.exec('BEGIN');
    for (const [index, id] of ids.entries()) append(id, start + index);
    database.exec('COMMIT');

    // They don't fit into this heap together.
    const child = startCommand(['events', 'export', '--until', until], {
      ...environment,
      NODE_OPTIONS: '--max-old-space-size=48',
    });
    const ended = once(child, 'close');
    assert.ok(child.stdout);
    const exported: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      exported.push(JSON.parse(line).id);
      // Both before and after where the export ends; what is before where it is, it has passed.
      if (exported.length === 1000) for (const at of [start - 1, now]) append(firstIdAt(at), at);
    }
    assert.deepEqual(await ended, [0, null]);
    assert.deepEqual(exported, ids);
    database.close();

    const rest = await linesOf('export', '--after', ids.at(-3) ?? '', '--until', until);
    assert.deepEqual(
      rest.map((line) => JSON.parse(line).id),
      ids.slice(-2),
    );
  },
);

releaseTest('an export into a file shows on a terminal how far it is, although no timer gets its turn', async () => {
  const folder = service.dataDir;
  const pidOf = () => Number(readFileSync(join(folder, 'pid'), 'utf8'));
  const command = `echo $$ > ${folder}/pid; exec ./latchkey events export > ${folder}/exported`;
  // A shell in between, because the terminal would stop with its own child.
  const terminal = openTerminal(`sh -c ${quoted(`sh -c ${quoted(command)}; exit $?`)}`, { environment });
  const size = () => statSync(join(folder, 'exported'), { throwIfNoEntry: false })?.size ?? 0;
  await until(() => size() > 0, 'the export begins');
  process.kill(pidOf(), 'SIGSTOP');
  const stoppedAt = performance.now();
  await until(() => performance.now() > stoppedAt + 1100, 'progress is worth showing');
  process.kill(pidOf(), 'SIGCONT');
  assert.equal(await terminal.ended, 0);
  assert.match(terminal.shown(), /\rExporting {2}[█░]+ {2}\d+% {2}\d+ \S+ (\d+ \S+ )?left/);
  assert.match(terminal.shown(), /Exported 20,\d{3} events\./);
});

test('a full disk fails with one sentence and an exit status', () => {
  const options = { cwd: root, env: cleanEnvironment(environment), encoding: 'utf8' } as const;
  for (const command of firstUntilRelease(['events export', 'events', 'export', 'apply --export'])) {
    const { status, stderr } = spawnSync('sh', ['-c', `./latchkey ${command} > /dev/full`], options);
    assert.deepEqual([status, stderr.split('\n').length], [1, 2], `${command}: ${stderr}`);
    assert.match(stderr, /^latchkey: can't write to standard output: ENOSPC/);
  }
});
