// latchkey demo: the account it creates is an administrator's, the welcome text says where the console is, and the page behind the
// gate finds a free port. What can be done with it is in test/demo.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { outputMatching, root, runCommand, startCommand } from '../harness/command.ts';
import { freePort } from '../harness/service.ts';

let folder: string;
let environment: Record<string, string>;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-demo-'));
  environment = {
    LATCHKEY_BASE_URL: `http://localhost:${await freePort()}`,
    LATCHKEY_DEMO_PORT: String(await freePort()),
    LATCHKEY_DATA_DIR: folder,
  };
});
after(() => rmSync(folder, { recursive: true, force: true }));

async function welcome(look: (text: string) => Promise<void> = async () => {}): Promise<string> {
  const child = startCommand(['demo'], environment);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    const text = await outputMatching(child, /Press Ctrl-C to stop/);
    await look(text);
    return text;
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

/** Occupies the ports while the work is done. */
async function withPortsTaken(ports: readonly number[], work: () => Promise<unknown>): Promise<void> {
  const servers = ports.map((port) => createServer().listen(port, '127.0.0.1'));
  try {
    await Promise.all(servers.map((server) => once(server, 'listening')));
    await work();
  } finally {
    for (const server of servers) server.close();
  }
}

test('the demo account is an administrator, and the welcome links to the console only then', async () => {
  const consoleLine = `\n  Console       ${environment.LATCHKEY_BASE_URL}/admin\n`;
  assert.ok((await welcome()).includes(consoleLine));
  const create = ['user', 'create', '--name', 'B', '--email', 'b@example.test', '--admin'];
  assert.equal((await runCommand(create, environment)).status, 0);
  const demoted = await runCommand(['user', 'remove-admin', 'ada@demo.example'], environment);
  assert.equal(demoted.status, 0, demoted.stderr);
  assert.equal((await welcome()).includes('Console'), false, 'the next start leaves it as it is');
});

test('the page behind the gate keeps its client, and moves when ports are taken', async () => {
  const port = Number(environment.LATCHKEY_DEMO_PORT);
  const secrets = join(folder, 'demo/secrets.json');
  const look = async (text: string) => {
    const url = gatedPage(text);
    const program = await fetch(url);
    assert.equal(program.status, 401);
    // fetch says that it isn't a browser.
    const [browser] = (await once(get(url, { headers: { Accept: 'text/html' } }), 'response')) as [IncomingMessage];
    assert.equal(browser.resume().headers.location, `${url}/gate/sign-in?to=%2F`);
    const inspector = await fetch(`http://localhost:${port}/inspector`);
    assert.ok((await inspector.text()).includes(`<a href="${url}">`), 'the inspector links to it');
    const { redirect_uris: uris } = JSON.parse(
      (await runCommand(['client', 'show', client().clientId, '--json'], environment)).stdout,
    ) as { redirect_uris: string[] };
    assert.deepEqual(uris, [`${url}/gate/callback`], 'only where it is now');
  };
  const client = () => (JSON.parse(readFileSync(secrets, 'utf8')) as { gatedPage: { clientId: string } }).gatedPage;
  // As docs/settings.md says, which counts from the standard port.
  const reference = readFileSync(join(root, 'docs/settings.md'), 'utf8').replaceAll('\n', ' ');
  const said = (words: string) => Number(new RegExp(`${words} \\((\\d+)\\)`).exec(reference)?.[1]) - 8456;
  assert.equal(said('the port of the demo application'), 0);
  const first = await welcome(async (text) => {
    assert.equal(gatedPage(text), `http://localhost:${port + said('The page behind the gate is on the next port')}`);
    const gate = await fetch(`http://localhost:${port + said('the gate on the fourth after it')}/gate/healthz`);
    assert.equal(gate.status, 200);
    await look(text);
  });
  const known = client();
  await withPortsTaken([port + 1, port + 4], async () =>
    assert.notEqual(gatedPage(await welcome(look)), gatedPage(first)),
  );
  assert.deepEqual(client(), known);
  for (const file of [secrets, join(folder, 'demo/gate/gate.json')]) assert.equal(statSync(file).mode & 0o077, 0);
});

test('a file of secrets from before there was a gate is completed', async () => {
  const file = join(folder, 'demo/secrets.json');
  const { gatedPage: _, ...before } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  writeFileSync(file, JSON.stringify(before));
  assert.match(await welcome(), /Gated page +http/);
  const { gatedPage, ...kept } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  assert.deepEqual(kept, before);
  assert.ok(gatedPage);
});

function gatedPage(text: string): string {
  return /Gated page +(\S+)/.exec(text)?.[1] ?? '';
}
