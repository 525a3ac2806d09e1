// The first administrator of an empty store: the URL that is printed, and what opening it does.

import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { outputMatching, runCommand, startCommand } from '../harness/command.ts';
import { isReleaseLane, releaseTest } from '../harness/lane.ts';
import { formIn, Person } from '../harness/person.ts';
import { freePort, startTestService, type TestService } from '../harness/service.ts';

let folder: string;
const started: ChildProcess[] = [];
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-set-up-'));
});
after(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

type Environment = Record<string, string>;

async function environmentFor(name: string): Promise<Environment> {
  return { LATCHKEY_BASE_URL: `http://localhost:${await freePort()}`, LATCHKEY_DATA_DIR: join(folder, name) };
}

/** A service that answers, and the set-up URLs it printed until it ended. */
async function serve(environment: Environment, settled: RegExp) {
  const child = startCommand(['serve'], environment);
  started.push(child);
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  await outputMatching(child, settled);
  return {
    addresses: () => [...output.matchAll(/http\S+\/set-up\?link=\S+/g)].map(([address]) => address),
    async stop(): Promise<void> {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const administrator = { email: 'ada@example.test', name: 'Ada', password: 'correct horse battery' };

/** Submits the set-up form without following the redirect. */
function send(person: Person, environment: Environment, link: string, values: Record<string, string>) {
  const headers = { Origin: environment.LATCHKEY_BASE_URL as string };
  return person.request('/set-up', { method: 'POST', body: new URLSearchParams({ link, ...values }), headers });
}

async function people(environment: Environment): Promise<{ email: string; admin: boolean }[]> {
  return JSON.parse((await runCommand(['user', 'list', '--json'], environment)).stdout);
}

describe('the first administrator', { concurrency: true }, () => {
  test('is created once with the link that a service prints on an empty store; later starts print none', async () => {
    const environment = await environmentFor('serve');
    const service = await serve(environment, /set-up\?link=\S+\n/);
    const [address = '', ...others] = service.addresses();
    assert.deepEqual(others, []);
    assert.ok(address.startsWith(`${environment.LATCHKEY_BASE_URL}/set-up?link=`), address);

    const person = new Person({ url: environment.LATCHKEY_BASE_URL } as TestService);
    const stranger = new Person({ url: environment.LATCHKEY_BASE_URL } as TestService);
    const form = await formIn(await person.request(address), '/set-up');
    const link = form.fields.link ?? '';
    const answer = await send(person, environment, link, administrator);
    assert.equal(answer.status, 303);
    assert.equal(answer.headers.get('location'), '/admin');
    assert.equal((await person.request('/account')).status, 200, 'and they are signed in');

    assert.equal((await stranger.request(address)).status, 410);
    const second = await send(stranger, environment, link, { ...administrator, email: 'eve@example.test' });
    assert.equal(second.status, 410);
    assert.deepEqual(
      (await people(environment)).map(({ email, admin }) => [email, admin]),
      [['ada@example.test', true]],
    );
    await service.stop();
    if (!isReleaseLane) return;

    const again = await serve(environment, /Latchkey is running at/);
    assert.equal((await fetch(`${environment.LATCHKEY_BASE_URL}/healthz`)).status, 200);
    await again.stop();
    assert.deepEqual(again.addresses(), []);
  });

  releaseTest('has one address also where several processes share the port', async () => {
    const environment = { ...(await environmentFor('workers')), LATCHKEY_WORKERS: '2' };
    const service = await serve(environment, /^(?=[\s\S]*set-up\?link=\S+\n)(?:[\s\S]*?Latchkey is running at){2}/);
    // A process prints its URL, if it has one, before it handles the signal.
    await service.stop();
    assert.equal(service.addresses().length, 1);
  });

  test('can be created with a link from "latchkey setup-link" while there is none', async (t) => {
    const service = await startTestService();
    t.after(() => service.stop());
    const environment = { LATCHKEY_BASE_URL: service.url, LATCHKEY_DATA_DIR: service.dataDir };
    await service.newUser();
    const printed = await runCommand(['setup-link'], environment);
    assert.equal(printed.status, 0);
    assert.match(printed.stdout, /works once and expires in 24 hours:\n\n {2}http:\S+\n$/);
    const made = JSON.parse((await runCommand(['setup-link', '--json'], environment)).stdout);
    const life = Date.parse(made.expires_at) - Date.now();
    assert.ok(life > 23.9 * 3_600_000 && life <= 24 * 3_600_000, made.expires_at);

    const person = new Person(service);
    const form = await formIn(await person.request(made.url), '/set-up');
    const answer = await send(person, environment, form.fields.link ?? '', administrator);
    assert.equal(answer.headers.get('location'), '/admin');
    const [, earlier = ''] = /(http:\S+)/.exec(printed.stdout) ?? [];
    const left = new URL(earlier).searchParams.get('link') ?? '';
    const late = await send(person, environment, left, { ...administrator, email: 'eve@example.test' });
    assert.equal(late.status, 410, 'an earlier address makes no second administrator');

    const refused = await runCommand(['setup-link', '--json'], environment);
    assert.equal(refused.status, 1);
    assert.equal(refused.stdout, '');
    assert.match(refused.stderr, /^latchkey: there is already an administrator, [^\n]*\.\n$/);
  });

  releaseTest('gets no link in the log while there are other people', async () => {
    const environment = await environmentFor('people');
    const create = ['user', 'create', '--name', 'B', '--email', 'b@example.test', '--json'];
    assert.equal((await runCommand(create, environment)).status, 0);
    const service = await serve(environment, /There is no administrator\. Run \\"latchkey setup-link\\"/);
    await service.stop();
    assert.deepEqual(service.addresses(), []);
  });
});
