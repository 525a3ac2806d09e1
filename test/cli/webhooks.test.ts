// latchkey webhook: endpoints from the command line, and in the file of latchkey apply.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runCommand } from '../harness/command.ts';
import { obtainTokens } from '../harness/relying-party.ts';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
  // What waits stays as it is.
  await service.running.services.webhooks.close();
});
after(() => service.stop());

async function run(args: readonly string[], input?: string) {
  return runCommand([...args], { LATCHKEY_DATA_DIR: service.dataDir }, input);
}

async function webhook(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await run(['webhook', ...args]);
  assert.equal(status, 0, stderr);
  return stdout;
}

const json = async (...args: string[]) => JSON.parse(await webhook(...args, '--json'));

test('a webhook is created, changed, tested, rotated, disabled, enabled and deleted', async () => {
  assert.match(await webhook('list'), /^No webhooks yet/);
  const url = 'https://hooks.example.com/latchkey';
  const made = await json('create', url, '--type', 'user.disabled', '--type', 'grant.ended', '--description', 'Audit');
  assert.match(made.secret, /^whsec_/);
  assert.deepEqual([made.url, made.types, made.client_id], [url, ['user.disabled', 'grant.ended'], null]);
  assert.match(await webhook('list'), new RegExp(`${made.id} +active +0 +never +${url}`));
  assert.doesNotMatch(await webhook('show', made.id), /whsec_/);

  assert.equal((await json('update', made.id, '--all-types')).types, null);
  const tested = await json('test', made.id);
  assert.deepEqual([tested.type, tested.state, tested.data.webhook_id], ['webhook.test', 'waiting', made.id]);
  assert.match(await webhook('deliveries', made.id), new RegExp(`${tested.id} +waiting +0 .*webhook\\.test`));
  assert.deepEqual(await json('deliveries', made.id, '--state', 'given_up'), []);
  const again = await run(['webhook', 'resend', made.id, tested.id]);
  assert.deepEqual([again.status, again.stderr], [1, 'latchkey: the message is waiting to be sent already.\n']);

  const rotated = await json('rotate-secret', made.id, '--hours', '2');
  assert.notEqual(rotated.secret, made.secret);
  const [current, previous] = (await json('show', made.id)).secrets;
  assert.deepEqual([current.expires_at, previous.expires_at], [null, rotated.previous_expires_at]);
  assert.equal((await json('retire-secret', made.id)).secrets.length, 1);
  assert.equal((await json('disable', made.id)).disabled_reason, 'administrator');
  assert.equal((await json('enable', made.id)).disabled_at, null);
  assert.equal(await webhook('delete', made.id), `Deleted the webhook to ${url}.\n`);
  assert.deepEqual(await json('list'), []);
});

test('impossible requests fail with one sentence that says what to do', async () => {
  const { id } = await json('create', 'https://hooks.example.com/');
  const cases: [string[], number, RegExp][] = [
    [['create', 'https://192.168.0.1/'], 1, /isn't a public IP address; LATCHKEY_WEBHOOK_NETWORKS can allow/],
    [['create', 'https://hooks.example/', '--type', 'user.disable'], 1, /there is no event type "user\.disable"/],
    [['update', id], 2, /nothing to change: give --url/],
    [['update', id, '--type', 'user.created', '--all-types'], 2, /--type and --all-types can't be combined/],
    [['rotate-secret', id, '--hours', 'a day'], 2, /--hours must be a whole number/],
    [['deliveries', id, '--count', '0'], 2, /--count must be a number from 1 to 1000/],
    [['show', 'unknown'], 1, /there is no endpoint with the ID "unknown"/],
  ];
  for (const [args, status, message] of cases) {
    const result = await run(['webhook', ...args]);
    assert.equal(result.status, status, args.join(' '));
    assert.match(result.stderr, message);
    assert.equal(result.stderr.trim().split('\n').length, 1, result.stderr);
  }
  await webhook('delete', id);
});

test('a file creates, changes, disables and prunes webhooks, and prints a secret once', async () => {
  const apply = async (file: object, ...options: string[]) => {
    const result = await run(['apply', '-f', '-', ...options], JSON.stringify(file));
    return { ...result, text: result.stdout + result.stderr };
  };
  const shop = { client_id: 'shop', name: 'Shop', redirect_uris: ['https://shop.example/cb'] };
  const audit = { id: 'audit', url: 'https://hooks.example.com/a', types: ['user.deleted'] };
  const own = { id: 'shop-hook', url: 'https://shop.example/hook', client_id: 'shop' };
  const dry = await apply({ applications: [shop], webhooks: [audit, own] }, '--dry-run');
  assert.match(
    dry.stdout,
    /\+ webhook audit\n {4}\+ url: https:\/\/hooks\.example\.com\/a\n {4}\+ types: user\.deleted/,
  );
  assert.match(dry.stdout, /3 to create/);
  const made = await apply({ applications: [shop], webhooks: [audit, own] });
  assert.match(made.stdout, /webhook {2}audit\n {2}secret {3}whsec_\S+\n/);
  assert.match(made.stdout, /3 created/);
  assert.match((await apply({ webhooks: [audit, own] })).stdout, /^0 created, 0 changed, 0 deleted, 2 unchanged\.\n$/);

  const changed = await apply({ webhooks: [{ ...audit, types: null, description: 'Log', disabled: true }] });
  assert.match(changed.stdout, /~ webhook audit/);
  assert.match(changed.stdout, /types: user\.deleted → all/);
  assert.match(changed.stdout, /kept \(--prune deletes them\): webhook shop-hook/);
  assert.equal((await json('show', 'audit')).disabled_reason, 'administrator');
  // A file doesn't enable what somebody has disabled.
  assert.match((await apply({ webhooks: [{ ...audit, types: null }] })).stdout, /1 unchanged/);

  const unheardOf = { ...audit, id: 'unknown', types: ['nothing'] };
  const malformed = [{ url: 'https://a.example' }, audit, audit, { ...own, secret: 'whsec_x' }, unheardOf];
  const read = await apply({ webhooks: malformed });
  assert.equal(read.status, 1);
  assert.match(read.text, /webhooks\[0\]: "id" is missing/);
  assert.match(read.text, /webhooks\[2\] \("audit"\): the id appears twice/);
  assert.match(read.text, /webhooks\[3\] \("shop-hook"\): "secret" is not among the keys/);
  assert.match(read.text, /webhooks\[4\] \("unknown"\): there is no event type "nothing"/);
  const impossible = [
    { ...audit, url: 'https://127.0.0.1/' },
    { ...own, client_id: null },
    { ...own, id: 'x', client_id: 'nobody' },
  ];
  const { status, text } = await apply({ webhooks: impossible });
  assert.equal(status, 1);
  assert.match(text, /webhook "audit": .*isn't a public IP address/);
  assert.match(text, /webhook "shop-hook": its client_id can't change/);
  assert.match(text, /webhook "x": there is no application "nobody"/);
  assert.match(text, /Nothing was changed/);
  const pruned = await apply({ applications: [], webhooks: [] }, '--prune');
  assert.match(pruned.stdout, /- webhook audit \(https:.*\)\n- webhook shop-hook \(https:.*\)\n/);
  assert.match(pruned.stdout, /0 created, 0 changed, 3 deleted/);
  assert.deepEqual(await json('list'), []);
});

test("a deleted application's endpoint isn't exported, so the file can be applied", async () => {
  const shop = { client_id: 'shop', name: 'Shop', redirect_uris: ['https://shop.example/cb'] };
  const own = { id: 'shop-hook', url: 'https://shop.example/hook', client_id: 'shop' };
  const file = JSON.stringify({ applications: [shop], webhooks: [own] });
  assert.equal((await run(['apply', '-f', '-'], file)).status, 0);
  assert.equal((await run(['client', 'delete', 'shop'])).status, 0);
  const { client_id: client, client_deleted_at: deletedAt } = await json('show', 'shop-hook');
  assert.equal(client, null, 'it goes once it has heard of that');
  assert.ok(Math.abs(Date.parse(deletedAt) - Date.now()) < 60_000, deletedAt);
  assert.match((await run(['webhook', 'show', 'shop-hook'])).stdout, /^application +deleted /m);
  assert.match((await run(['webhook', 'list'])).stdout, /^shop-hook .* \(deleted\) +https:/m);
  const taken = JSON.stringify({ webhooks: [{ ...own, client_id: null, types: null }] });
  assert.match((await run(['apply', '-f', '-'], taken)).stderr, /webhook "shop-hook": its client_id can't change/);
  assert.notEqual((await run(['webhook', 'update', 'shop-hook', '--type', 'user.created'])).status, 0);
  const exported = await run(['apply', '--export']);
  assert.deepEqual(JSON.parse(exported.stdout).webhooks, []);
  assert.equal((await run(['apply', '-f', '-'], exported.stdout)).status, 0);
  await webhook('delete', 'shop-hook');
});

test('an application deleted by a file gets grant.ended before its endpoint is removed', async () => {
  const client = await service.newClient();
  const { id } = await json('create', 'https://shop.example/hook', '--application', client.id);
  await obtainTokens(service, client, await service.newUser());
  const pruned = await run(['apply', '-f', '-', '--prune'], JSON.stringify({ applications: [], webhooks: [] }));
  assert.equal(pruned.status, 0, pruned.stderr);
  const [message] = await json('deliveries', id);
  assert.deepEqual([message.type, message.data.reason, message.state], ['grant.ended', 'deletion', 'waiting']);
  const again = await run(['apply', '-f', '-', '--prune'], JSON.stringify({ applications: [], webhooks: [] }));
  assert.equal(again.stdout, '0 created, 0 changed, 0 deleted, 0 unchanged.\n');
  await webhook('delete', id);
});

test('an endpoint is shown as failing after three failures in a row, as in the console', async () => {
  const { storage, clock } = service.running.services;
  const { id } = await json('create', 'https://hooks.example.com/', '--type', 'user.created');
  const { id: message } = await json('test', id);
  const attempt = { at: clock.now(), duration: 1, status: 500, response: '', error: null };
  const postponed = { kind: 'postponed', until: clock.now(), restUntil: clock.now() } as const;
  const statuses: (string | undefined)[] = [];
  for (const attempts of [0, 1, 2]) {
    const claim = { holder: 'test', until: clock.now() };
    await storage.recordAttempt({ endpointId: id, id: message, attempts }, attempt, postponed, claim);
    statuses.push(/^status +(\S+)/m.exec(await webhook('show', id))?.[1]);
  }
  assert.deepEqual(statuses, ['active', 'active', 'failing']);
  await webhook('delete', id);
});
