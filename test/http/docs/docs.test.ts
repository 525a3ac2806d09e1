// The documentation that a running service serves: no dead links, a section for every error, and commands that work
// when copied.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { errorTable } from '../../../src/protocol/oauth/errors.ts';
import { root } from '../../harness/command.ts';
import { Person } from '../../harness/person.ts';
import { postForm, userinfo } from '../../harness/relying-party.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

let service: TestService;

before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const get = async (path: string) => {
  const response = await fetch(service.url + path, { redirect: 'manual' });
  return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() };
};
const idsOn = (page: string) => [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);

test('every page can be reached from /docs, and every link on every page leads to something', async () => {
  const pages = new Map<string, string>();
  const waiting = ['/docs'];
  for (const path of waiting) {
    if (pages.has(path)) continue;
    const { status, text, type } = await get(path);
    assert.equal(status, 200, path);
    if (!type.startsWith('text/html')) {
      assert.match(type, /^image\//, path);
      pages.set(path, '');
      continue;
    }
    pages.set(path, text);
    const links = [...text.matchAll(/(?:href|src)="(\/docs[^"#]*)/g)].map(([, link]) => link ?? '');
    waiting.push(...links);
  }
  assert.ok(pages.size > 50, `${pages.size} pages`);
  for (const [path, page] of pages) {
    for (const [, target = '', anchor = ''] of page.matchAll(/href="(\/docs[^"#]*)#([^"]+)"/g)) {
      assert.ok(idsOn(pages.get(target) ?? '').includes(anchor), `${path} -> ${target}#${anchor}`);
    }
  }
});

test('what is not documentation is not served', async () => {
  for (const path of [
    '/docs/nothing',
    '/docs/../package.json',
    '/docs/%2e%2e/package.json',
    '/docs/images/../README.md',
  ]) {
    assert.equal((await get(path)).status, 404, path);
  }
});

test('each error code has its place on the page of errors, and answers lead there', async () => {
  const { text } = await get('/docs/errors');
  for (const code of Object.keys(errorTable)) assert.ok(idsOn(text).includes(code.toLowerCase()), code);
  for (const stumbledOver of ['(Basic)', 'groups', 'offline_access']) {
    assert.ok(text.includes(stumbledOver), stumbledOver);
  }
  const refused = await postForm(service, '/oauth/token', { grant_type: 'password', client_id: 'x' });
  const { error_uri: uri } = refused.body as unknown as { error_uri: string };
  assert.equal(uri, `${service.url}/docs/errors#oauth_unsupported_grant_type`);
  const { body } = await userinfo(service, 'nothing');
  assert.equal(body.error_uri, `${service.url}/docs/errors#token_invalid`);
  const revoked = await postForm(service, '/oauth/revoke', { token: 'x' });
  assert.equal(
    (revoked.body as unknown as { error_uri: string }).error_uri,
    `${service.url}/docs/errors#oauth_invalid_client`,
  );
});

test('it can be switched off, and then no answer leads there', async () => {
  const silent = await startTestService({ LATCHKEY_DOCS: 'off' });
  try {
    assert.equal((await fetch(`${silent.url}/docs`)).status, 404);
    assert.equal((await fetch(`${silent.url}/docs/errors`)).status, 404);
    const { body } = await userinfo(silent, 'nothing');
    assert.equal('error_uri' in body, false);
  } finally {
    await silent.stop();
  }
});

test('the lines of the reference work when they are copied, one after the other', async () => {
  const client = await service.newClient({ postLogoutRedirectUris: ['http://localhost:3000/'] });
  const person = new Person(service);
  const user = await service.newUser();
  const text = readFileSync(join(root, 'docs/endpoints.md'), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block ?? '');
  const shell = spawn('bash', ['-eu'], {
    env: {
      PATH: process.env.PATH,
      OIDC_ISSUER: service.url,
      OIDC_CLIENT_ID: client.id,
      OIDC_CLIENT_SECRET: client.secret,
      OIDC_REDIRECT_URI: client.redirectUri,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const done = '--- done ---';
  const run = (lines: string) =>
    new Promise<string>((resolve, reject) => {
      let output = '';
      const take = (chunk: Buffer) => {
        output += chunk;
        if (!output.includes(done)) return;
        shell.stdout.off('data', take);
        resolve(output.slice(0, output.indexOf(done)).trim());
      };
      shell.stdout.on('data', take);
      shell.once('exit', () => reject(new Error(`the shell has ended after: ${lines}`)));
      shell.stdin.write(`${lines}\necho\necho "${done}"\n`);
    });
  try {
    const outputs: string[] = [];
    for (const block of blocks) {
      const output = await run(block);
      outputs.push(output);
      if (!block.includes('/oauth-authorize.php')) continue;
      // What a user does in the browser.
      const answer = await person.authorize(output.slice(service.url.length), user);
      await run(`CODE=${answer.searchParams.get('code')}`);
    }
    const [discovery, keys, , tokens, refreshed, claims, revoked, over, signOut, health, ready] = outputs as string[];
    assert.equal(JSON.parse(discovery ?? '').issuer, service.url);
    assert.deepEqual(JSON.parse(keys ?? ''), { keys: [] });
    assert.equal(JSON.parse(tokens ?? '').token_type, 'Bearer');
    assert.equal(JSON.parse(refreshed ?? '').refresh_token, JSON.parse(tokens ?? '').refresh_token);
    assert.equal(JSON.parse(claims ?? '').sub, user.id);
    assert.deepEqual(JSON.parse(revoked ?? ''), {});
    assert.equal(JSON.parse(over ?? '').error_code, 'TOKEN_INVALID');
    const back = await person.request(signOut?.slice(service.url.length) ?? '');
    assert.equal(back.headers.get('location'), 'http://localhost:3000/?state=my-state');
    assert.match(`${health}${ready}`, /ok/i);
  } finally {
    shell.stdin.end();
    shell.kill();
  }
});
