// `latchkey client create` writes what a new application needs: a .env file, and the program of its guide.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { findGuide } from '../../src/cli/clients/create.ts';
import { readGateConfig } from '../../src/gate/config-file.ts';
import { filledIn } from '../../src/platform/client-guides.ts';
import { wordsOf } from '../clients/guide-program.ts';
import { outputMatching, root, runCommand } from '../harness/command.ts';
import { freePort, startTestService } from '../harness/service.ts';

let folder: string;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-guide-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

const create = (redirectUri: string, ...args: string[]) =>
  runCommand(['client', 'create', '--name', 'My app', '--redirect-uri', redirectUri, ...args], {
    LATCHKEY_DATA_DIR: join(folder, 'data'),
    LATCHKEY_BASE_URL: 'http://localhost:8455',
  });

const page = (name: string) => readFileSync(join(root, `docs/clients/${name}.md`), 'utf8');
const pages = readdirSync(join(root, 'docs/clients')).map((name) => name.replace('.md', ''));
/** Pages about software that was read, not run. */
const readOnly = pages.filter((name) => page(name).includes("we haven't run it"));
const guides = pages.filter((name) => !['README', 'compatibility', ...readOnly].includes(name));
const inTheBrowser = ['oidc-client-ts', 'react-oidc-context', 'angular-auth-oidc-client'];
/** Software without a guide: its settings are on one page, or on its own. */
const software = ['compatibility', ...readOnly]
  .flatMap((name) => [...page(name).matchAll(/^```\w+ for=(\S+)$/gm)])
  .map(([, name = '']) => name);

/** The redirect URI of the command in a guide. */
function redirectUriIn(guide: string): string {
  return /--redirect-uri (\S+)/.exec(page(guide))?.[1] ?? '';
}

test('client create prints a .env file and where the guides are', async () => {
  const { stdout, stderr, status } = await create('http://localhost:3000/callback');
  assert.equal(stderr, `Created a new, empty store in ${join(folder, 'data')}.\n`, 'perhaps another one was meant');
  assert.equal(status, 0);
  const [, id] = /client_id +(\S+)/.exec(stdout) ?? [];
  const [, secret] = /client_secret +(\S+)/.exec(stdout) ?? [];
  const env = `OIDC_ISSUER=http://localhost:8455\nOIDC_CLIENT_ID=${id}\nOIDC_CLIENT_SECRET=${secret}\nOIDC_REDIRECT_URI=http://localhost:3000/callback\n`;
  assert.ok(stdout.includes(env), stdout);
  assert.match(stdout, /docs\/clients\/README\.md or http:\/\/localhost:8455\/docs\/clients/);
  for (const name of [...guides, ...software]) assert.ok(stdout.includes(name), name);
});

for (const guide of guides) {
  test(`--for ${guide} prints its program with the settings filled in`, async () => {
    const type = inTheBrowser.includes(guide) ? ['--public'] : [];
    const { stdout, stderr } = await create(redirectUriIn(guide), '--for', guide, ...type);
    assert.equal(stderr, '');
    const [, id = ''] = /client_id +(\S+)/.exec(stdout) ?? [];
    const [head = '', ...files] = stdout.split(/^--- |(?=^PUBLIC_URL=)/m);
    assert.ok(head.includes(`docs/clients/${guide}.md`), head);
    assert.doesNotMatch(stdout, /\\u0009/, 'tabs are part of the program');
    assert.ok(files.length > 0);
    assert.ok(
      files.some((file) => file.includes(id) && file.includes('http://localhost:8455')),
      stdout,
    );
    for (const file of files) {
      assert.doesNotMatch(
        file,
        /OIDC_\w+[^;\n]*\} = process\.env|os\.environ\["OIDC|os\.Getenv\("OIDC|ENV\.fetch\('OIDC|^\w+=.*\$\{OIDC|^ .*"\$\{OIDC/m,
      );
      const [name = '', ...lines] = file.split('\n');
      // React's syntax isn't JavaScript's.
      if (!/\.m?js$/.test(name) || (file.includes('</') && guide === 'next-auth')) continue;
      const script = lines.join('\n');
      assert.equal(stripTypeScriptTypes(script), script, 'it is JavaScript');
    }
  });
}

test('--for prints the settings of software without a guide, with the values filled in', async () => {
  const { stdout, stderr } = await create('https://budget.example/openid/callback', '--for', 'Actual Budget');
  assert.equal(stderr, '');
  const [, id = ''] = /client_id +(\S+)/.exec(stdout) ?? [];
  const [, settings = ''] = stdout.split(
    'What actual-budget reads instead, explained in docs/clients/compatibility.md.',
  );
  assert.ok(settings.includes(`\nACTUAL_OPENID_CLIENT_ID=${id}\n`), stdout);
  assert.ok(settings.includes('\nACTUAL_OPENID_SERVER_HOSTNAME=https://budget.example\n'), stdout);
});

test("--for gate prints the application's block, where the secret goes, and what to run next", async () => {
  const { stdout, stderr, status } = await create('https://wiki.example:8443/gate/callback', '--for', 'gate');
  assert.deepEqual([stderr, status], ['', 0]);
  const [, id = ''] = /client_id +(\S+)/.exec(stdout) ?? [];
  const [, secret = ''] = /client_secret +(\S+)/.exec(stdout) ?? [];
  const [, block = ''] = /^What the gate reads, explained in docs\/gate\.md:\n\n(\{[\s\S]*?^\})/m.exec(stdout) ?? [];
  const application = JSON.parse(block);
  assert.deepEqual([application.host, application.client_id], ['wiki.example:8443', id]);
  assert.match(application.client_secret.file, /(^|\/)wiki\.example:8443\.secret$/);
  assert.equal(stdout.split(secret).length, 2, 'the secret is there once');
  assert.match(stdout, /Put the secret, and nothing else, into the file that it names, readable by the\ngate alone/);
  assert.match(stdout, /^ {2}latchkey gate check-config FILE$/m);
  const [, update = ''] = /^ {2}latchkey (client update .*)$/m.exec(stdout) ?? [];
  assert.ok(
    update.endsWith(`${id} --backchannel-logout-uri https://wiki.example:8443/gate/backchannel-logout`),
    update,
  );
  const environment = { LATCHKEY_DATA_DIR: join(folder, 'data'), LATCHKEY_BASE_URL: 'http://localhost:8455' };
  assert.equal((await runCommand(wordsOf(update), environment)).status, 0);

  const file = { issuer: 'http://localhost:8455', data_dir: 'data', key_file: 'key', applications: [application] };
  const readFile = (path: string) => {
    if (path.endsWith('.secret')) return `${secret}\n`;
    throw Object.assign(new Error('there is nothing'), { code: 'ENOENT' });
  };
  const surroundings = { folder, environment: {}, readFile, isExposed: () => false };
  const read = readGateConfig(JSON.stringify(file), surroundings);
  assert.equal(read.kind, 'read', 'the gate accepts the block');
});

test('--for gate takes only the redirect URI that the gate sends', async () => {
  for (const uri of [
    'https://wiki.example/app/gate/callback',
    'https://WIKI.example/gate/callback',
    'https://wiki.example:443/gate/callback',
    'https://wiki.example/?to=/gate/callback',
  ]) {
    const { status, stdout, stderr } = await create(uri, '--for', 'gate');
    assert.deepEqual([status, stdout], [2, ''], uri);
    assert.match(
      stderr,
      /with gate as in docs\/gate\.md, the redirect URI is https:\/\/wiki\.example\/gate\/callback\./,
    );
  }
  const { stderr } = await create('https://wiki.example/gate/callback', '--for', 'gate', '--public');
  assert.match(stderr, /gate needs a secret, which --public leaves out/);
});

for (const name of pages.filter((each) => /^\.\/latchkey client create .* --claim /m.test(page(each)))) {
  test(`the registration in ${name}.md works, and its claims are what it says`, async () => {
    const environment = { LATCHKEY_DATA_DIR: join(folder, 'data'), LATCHKEY_BASE_URL: 'http://localhost:8455' };
    for (const group of ['Admins', 'Staff']) await runCommand(['group', 'create', group], environment);
    const [, command = ''] = /^\.\/latchkey (client create .* --claim .*)$/m.exec(page(name)) ?? [];
    const hasSettings = [...software, ...guides].includes(name);
    const options = hasSettings ? ['--for', name, '--json'] : ['--json'];
    const { stdout, stderr } = await runCommand([...wordsOf(command), ...options], environment);
    assert.equal(stderr, '');
    const { claims, guide } = JSON.parse(stdout) as {
      claims: { claim: string; label: string }[];
      guide?: { path: string };
    };
    assert.equal(guide?.path, hasSettings ? `docs/clients/${name}.md` : undefined);
    for (const { claim, label } of claims) {
      assert.ok(command.includes(` --claim ${claim}=`), claim);
      assert.ok(page(name).includes(`"${label}" with`), `what people see: ${label}`);
    }
    assert.ok(claims.length > 0);
  });
}

test('--for also prints the other variables that a program reads', async () => {
  const nextAuth = await create('https://shop.example/api/auth/callback/latchkey', '--for', 'next-auth');
  assert.match(nextAuth.stdout, /^NEXTAUTH_URL=https:\/\/shop\.example\nNEXTAUTH_SECRET=/m);
  const directus = await create('https://cms.example/team/auth/login/latchkey/callback', '--for', 'directus');
  assert.match(directus.stdout, /^PUBLIC_URL=https:\/\/cms\.example\/team$/m);
});

test('--json includes the guide', async () => {
  const { stdout } = await create('http://localhost:3000/callback', '--for', 'go-oidc', '--json');
  const { client_secret, guide } = JSON.parse(stdout);
  assert.equal(guide.path, 'docs/clients/go-oidc.md');
  assert.match(guide.install, /^apt-get install golang-go /);
  assert.deepEqual([guide.name, guide.environment, guide.files.length], ['go-oidc', null, 1]);
  assert.equal(guide.files[0].name, 'main.go');
  assert.ok(guide.files[0].content.includes(`\tclientSecret = "${client_secret}"\n`));
  assert.equal('guide' in JSON.parse((await create('http://localhost:3000/callback', '--json')).stdout), false);
});

for (const name of software) {
  test(`the settings for ${name} have all values filled in`, () => {
    const issuer = 'http://localhost:8455';
    // A redirect URI can contain an apostrophe.
    const values = { issuer, clientId: 'id-of-it', clientSecret: 'secret-of-it', redirectUri: "http://localhost/it's" };
    const [file] = findGuide(name).files;
    assert.ok(file);
    const text = filledIn(file, values);
    assert.ok(text.includes('id-of-it') && text.includes(issuer), text);
    assert.doesNotMatch(text, /\$\{OIDC/);
    if (file.language === 'js') assert.doesNotMatch(text, /[^\\]'s'/);
  });
}

test('the printed program runs unchanged', async () => {
  const port = await freePort();
  const service = await startTestService();
  try {
    const redirectUri = `http://localhost:${port}/callback`;
    const args = ['client', 'create', '--name', 'App', '--redirect-uri', redirectUri, '--for', 'openid-client'];
    // Without the issuer: the .env file names it.
    const { stdout } = await runCommand(args, { LATCHKEY_DATA_DIR: service.dataDir });
    assert.ok(stdout.includes(`OIDC_ISSUER=${service.url}\n`), stdout);
    const [, id = ''] = /client_id +(\S+)/.exec(stdout) ?? [];
    const [, program = ''] = /^--- app\.mjs\n([\s\S]*)/m.exec(stdout) ?? [];
    writeFileSync(join(folder, 'app.mjs'), program);
    const app = spawn(process.execPath, [join(folder, 'app.mjs')], { env: { PATH: process.env.PATH } });
    try {
      await outputMatching(app, /Open http/);
      const page = await (await fetch(`http://localhost:${port}/`)).text();
      const [, link = ''] = /href="([^"]+)">Sign in/.exec(page) ?? [];
      const answer = await fetch(new URL(link, `http://localhost:${port}`), { redirect: 'manual' });
      assert.equal(new URL(answer.headers.get('location') ?? '').searchParams.get('client_id'), id);
    } finally {
      app.kill();
    }
  } finally {
    await service.stop();
  }
});

test('an unknown guide, or a secret for a browser program, is refused before anything is created', async () => {
  const unknown = await create('http://localhost:3000/', '--for', 'spring-security');
  assert.equal(unknown.status, 2);
  assert.match(unknown.stderr, /there's no guide for "spring-security"\. Guides: actual-budget, /);
  for (const [typed, meant] of [
    ['directos', 'directus'],
    ['next', 'next-auth'],
    ['omniauth', 'omniauth-oauth2'],
  ]) {
    const { status, stderr } = await create('http://localhost:3000/', '--for', typed ?? '');
    assert.equal(status, 2);
    assert.ok(stderr.includes(`there's no guide for "${typed}". Did you mean "${meant}"?`), stderr);
  }
  for (const name of inTheBrowser) {
    const browser = await create('http://localhost:3000/', '--for', name);
    assert.equal(browser.status, 2);
    assert.match(browser.stderr, /add --public/);
  }
  const server = await create('http://localhost:3000/callback', '--public', '--for', 'openid-client');
  assert.equal(server.status, 2);
  assert.match(server.stderr, /openid-client needs a secret, which --public leaves out/);
  for (const [name = '', guide = ''] of [
    ['Auth.js', 'authjs'],
    ['mod_auth_openidc', 'mod-auth-openidc'],
  ]) {
    assert.equal((await create(redirectUriIn(guide), '--for', name)).status, 0, name);
  }
});

for (const name of [...guides, ...software, 'gate']) {
  const { callbackPath, path } = findGuide(name);
  if (callbackPath === undefined) {
    if (!guides.includes(name)) continue;
    test(`${name} takes any path, and its guide has the usual one`, () =>
      assert.equal(new URL(redirectUriIn(name)).pathname, '/callback'));
    continue;
  }
  test(`with ${name}, a path other than ${callbackPath} is refused before anything is created`, async () => {
    assert.ok(readFileSync(join(root, path), 'utf8').includes(callbackPath), 'which the page names');
    const { status, stderr, stdout } = await create('http://localhost:3000/callback', '--for', name);
    assert.deepEqual([status, stdout], [2, '']);
    assert.ok(stderr.includes(`with ${name} as in ${path}, the redirect URI ends with ${callbackPath}`), stderr);
  });
}
