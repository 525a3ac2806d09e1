// What a start doesn't load: commands and the service start fast, and stay small, because they load what they need when they
// need it. Each name here was once loaded by every start.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { finished, outputMatching, root, runCommand, runInOwnProcess, startCommand } from '../harness/command.ts';
import { releaseTest } from '../harness/lane.ts';
import { Served } from '../harness/served.ts';
import { freePort } from '../harness/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'latchkey-loaded-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const list = join(folder, 'modules');
const environment = {
  LATCHKEY_DATA_DIR: join(folder, 'data'),
  LIST_MODULES: list,
  NODE_OPTIONS: `--import ${join(root, 'test/harness/list-modules.ts')}`,
};

const loaded = () => readFileSync(list, 'utf8').split('\n');

function neverLoaded(names: readonly RegExp[]): void {
  const modules = loaded();
  for (const name of names) {
    assert.deepEqual(
      modules.filter((module) => name.test(module)),
      [],
      String(name),
    );
  }
}

const fetchClient = /internal\/deps\/undici/;
const zlib = /^NativeModule zlib$/;
/** Loaded with the first format of any kind, in 20 ms. */
const localeData = /^Intl\./;
const used = (...packages: string[]) => packages.map((name) => new RegExp(`/node_modules/${name}/`));
/** What one page or one kind of installation needs. */
const rarelyNeeded = [
  ...used('openid-client', 'jose', 'nodemailer', '@simplewebauthn', 'pg', 'csv-parse', 'bcryptjs'),
  ...used('qr', 'marked', 'highlight\\.js', '@opentelemetry', 'oidc-provider', 'koa'),
  /\/src\/pages\/languages\/(?!en|formats|languages|lazy|wording)[\w-]+\.ts/,
  /\/src\/pages\/docs\/markdown/,
  /\/src\/storage\/postgres\//,
  fetchClient,
];

test('--help loads no command', async () => {
  const { status, stdout } = await runInOwnProcess(['--help'], environment);
  assert.equal(status, 0);
  assert.match(stdout, /^ {2}serve +run the service$/m);
  neverLoaded([
    ...rarelyNeeded,
    ...used('fastify', 'typebox'),
    /\/src\/(http|operations|pages)\//,
    /\/src\/cli\/(compose|with-services|service)/,
    localeData,
  ]);
  assert.ok(loaded().some((module) => module.endsWith('/src/cli/main.ts')));
});

test('a command on the store loads neither the web framework nor what the service alone needs', async () => {
  const { LATCHKEY_DATA_DIR } = environment;
  const create = ['client', 'create', '--name', 'App', '--redirect-uri', 'https://app.example/back'];
  const made = await runCommand(create, { LATCHKEY_DATA_DIR });
  assert.equal(made.status, 0, made.stderr);
  const listed = await runInOwnProcess(['client', 'list'], environment);
  assert.match(listed.stdout, /App/);
  neverLoaded([...rarelyNeeded, ...used('fastify', 'typebox'), /\/src\/http\//]);
});

test('the service answers its first requests without what only some of them need', async () => {
  const served = await Served.at(environment);
  await served.start();
  for (const path of ['/readyz', '/.well-known/openid-configuration', '/sign-in']) {
    assert.equal((await fetch(served.url + path)).status, 200, path);
  }
  await served.end('SIGTERM');
  neverLoaded([
    zlib,
    ...rarelyNeeded,
    ...used('typebox'),
    /\/src\/http\/(account\/|console\/|docs\/|api\/(?!envelope))/,
    /\/src\/pages\/(console|dev|docs|messages\/console)/,
    /\/src\/operations\/(housekeeping\/sweep\.ts|sign-in\/upstreams\/callback)/,
    /\/src\/cli\/users\/invitations/,
    /\/src\/platform\/metrics\/listener/,
  ]);
});

/** Runs the gate or the bridge until it answers, without what neither of them needs. */
async function runStandalone(name: 'gate' | 'bridge', health: string, settings: object, needs: RegExp): Promise<void> {
  const port = await freePort();
  const config = join(folder, `${name}.json`);
  writeFileSync(join(folder, 'secret'), 'a secret of the wiki', { mode: 0o600 });
  const places = { data_dir: name, key_file: `${name}.key`, listen: `127.0.0.1:${port}` };
  writeFileSync(config, JSON.stringify({ issuer: 'https://login.example', ...places, ...settings }));
  const child = startCommand([name, 'serve', '--config', config], environment);
  const ended = finished(child);
  await outputMatching(child, new RegExp(`The ${name} is running at`));
  assert.equal((await fetch(`http://127.0.0.1:${port}${health}`)).status, 200);
  child.kill();
  assert.equal((await ended).status, 0);
  neverLoaded([
    ...rarelyNeeded.filter((each) => !needs.test(each.source)),
    ...used('fastify', 'pino', 'typebox'),
    /\/src\/(http|operations|pages)\//,
    // The errors that every command explains.
    /\/src\/storage\/(?!driver\.ts)/,
    /\/src\/cli\/(compose|with-services|store)/,
  ]);
  assert.ok(loaded().some((module) => module.endsWith(`/src/${name}/${name}.ts`)));
}

const client = { client_id: 'wiki', client_secret: { file: 'secret' } };

releaseTest('the gate loads neither the service nor its store, nor what only the bridge needs', async () => {
  await runStandalone(
    'gate',
    '/gate/healthz',
    { applications: [{ host: 'wiki.example', ...client }] },
    /openid-client|jose/,
  );
});

test('the bridge loads neither the service nor its store, and the library only to serve', async () => {
  const applications = [{ ...client, redirect_uris: ['https://wiki.example/back'], signing: 'EdDSA' }];
  await runStandalone(
    'bridge',
    '/healthz',
    { base_url: 'https://bridge.example', applications },
    /openid-client|jose|oidc-provider|koa|undici/,
  );
  assert.ok(loaded().some((module) => module.includes('/node_modules/oidc-provider/')));
  const { status } = await runInOwnProcess(['bridge', 'check-config', join(folder, 'bridge.json')], environment);
  assert.equal(status, 0);
  neverLoaded(used('oidc-provider', 'koa', 'openid-client'));
});
