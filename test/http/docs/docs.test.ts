// The documentation that a running service serves: no dead links, a section for every error, and commands that work
// when copied.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { library } from '../../../src/http/docs/library.ts';
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

interface Page {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** Few documents stay in the service's memory, and rendering them takes longer than everything else here. */
const known = new Map<string, Promise<Page>>();

function get(path: string): Promise<Page> {
  const found = known.get(path) ?? load(path);
  known.set(path, found);
  return found;
}

async function load(path: string): Promise<Page> {
  const response = await fetch(service.url + path, { redirect: 'manual' });
  return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() };
}
const idsOn = (page: string) => [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);

test('every page is reachable from /docs, and every link on every page works', async () => {
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

test('every document is in the navigation of every page, and marked on its own', async () => {
  const folder = join(root, 'docs');
  const inside = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('decisions/'))
    .map((name) => `/docs/${name.replace(/\.md$/, '')}`.replace(/\/README$/, ''));
  const outside = ['security', 'architecture', 'contributing', 'changelog'].map((name) => `/docs/${name}`);
  const expected = [...inside, ...outside].sort();
  const { text } = await get('/docs/errors');
  const [nav = ''] = /<nav id="docs-nav"[\s\S]*?<\/nav>/.exec(text) ?? [];
  assert.deepEqual([...nav.matchAll(/href="([^"]+)"/g)].map(([, path = '']) => path).sort(), expected);
  assert.match(nav, /<a href="\/docs\/errors" aria-current="page">Errors<\/a>/);
  for (const group of ['Get started', 'Build', 'Operate', 'Reference']) assert.ok(nav.includes(`<h2>${group}</h2>`));
});

test('the page about operating begins with what an operator does', async () => {
  const { text } = await get('/docs/operating');
  const [beginning = ''] = /<h1[\s\S]*?<h2/.exec(text) ?? [];
  assert.match(beginning, /backup-and-restore[\s\S]*monitoring#alerts[\s\S]*deploying#upgrading/);
  assert.ok((beginning.match(/href=/g) ?? []).length < 16, 'not a list of links');
  const headings = [...text.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id);
  assert.equal(headings.at(-1), 'moved-to-other-pages');
});

test('what was on the page about operating is found from there', async () => {
  const { text } = await get('/docs/operating');
  const moved = [
    ['people', 'the-first-administrator', 'limited-administrator-roles', 'who-can-use-an-application'],
    ['people', 'access-that-ends-by-itself', 'settings', 'passkeys-instead-of-passwords', 'accounts-and-email'],
    ['people', 'who-can-sign-up', 'approving-new-accounts', 'recovering-accounts', 'codes-by-email'],
    ['command-line', 'applications-in-a-file'],
    ['monitoring', 'events', 'feeding-a-siem', 'when-something-goes-wrong', 'what-a-503-promises', 'health-checks'],
    ['monitoring', 'metrics', 'alerts', 'traces'],
  ];
  for (const [page, ...anchors] of moved) {
    for (const anchor of anchors) {
      assert.ok(text.includes(`<a id="${anchor}"></a><a href="/docs/${page}#${anchor}">`), anchor);
    }
  }
  assert.ok(text.includes('<a id="the-command-line"></a><a href="/docs/command-line#'));
  for (const kept of ['choosing-a-store', 'backup-and-restore', 'moving-to-postgresql', 'keys', 'instances']) {
    assert.ok(idsOn(text).includes(kept), kept);
  }
});

test('the previous and next links go through every document', async () => {
  const seen = ['/docs'];
  for (const path of seen) {
    const { text } = await get(path);
    const next = /rel="next" href="([^"]+)"/.exec(text)?.[1];
    if (next === undefined) continue;
    assert.match((await get(next)).text, new RegExp(`rel="prev" href="${path}"`), next);
    seen.push(next);
  }
  const { text } = await get('/docs');
  const [nav = ''] = /<nav id="docs-nav"[\s\S]*?<\/nav>/.exec(text) ?? [];
  assert.deepEqual(
    seen,
    [...nav.matchAll(/href="([^"]+)"/g)].map(([, path]) => path),
  );
});

test('every page lists its headings, and each links to its section', async () => {
  const [nav = ''] = /<nav id="docs-nav"[\s\S]*?<\/nav>/.exec((await get('/docs')).text) ?? [];
  const paths = [...nav.matchAll(/href="([^"]+)"/g)].map(([, path = '']) => path);
  for (const path of paths) {
    const { text } = await get(path);
    const [contents = ''] = /<nav id="docs-toc"[\s\S]*?<\/nav>/.exec(text) ?? [];
    const anchors = [...contents.matchAll(/href="#([^"]+)"/g)].map(([, anchor]) => anchor);
    const headings = [...text.matchAll(/<h[23] id="([^"]+)"/g)].map(([, id]) => id);
    assert.ok(headings.length > 0, `${path} has no headings`);
    assert.deepEqual(anchors, headings, path);
  }
});

test('a long name in the contents breaks after an underscore, not inside a word', async () => {
  const { text } = await get('/docs/settings');
  assert.ok(text.includes('<a href="#latchkey_drain_seconds">LATCHKEY_<wbr>DRAIN_<wbr>SECONDS</a>'));
});

test('code is highlighted with classes only, and its text is unchanged', async () => {
  const { text } = await get('/docs/clients/fetch');
  const [, block = ''] = /app\.mjs<\/code><\/figcaption><pre [^>]*>([\s\S]*?)<\/pre>/.exec(text) ?? [];
  assert.match(block, /<span class="hljs-keyword">import<\/span>/);
  assert.doesNotMatch(text, /style="/);
  const plain = block
    .replace(/<[^>]+>/g, '')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
  assert.ok(readFileSync(join(root, 'docs/clients/fetch.md'), 'utf8').includes(plain));
});

describe('the search', () => {
  const search = async (query: string) => {
    const { status, text } = await get(`/docs/search?q=${encodeURIComponent(query)}`);
    assert.equal(status, 200, query);
    const [list = ''] = /<ol class="docs-results">[\s\S]*?<\/ol>/.exec(text) ?? [];
    return { text, list, found: [...list.matchAll(/<a href="([^"]+)"/g)].map(([, path]) => path ?? '') };
  };

  const questions: readonly [string, string][] = [
    ['OAUTH_INVALID_GRANT', '/docs/errors#oauth_invalid_grant'],
    ['invalid grant', '/docs/errors#oauth_invalid_grant'],
    ['LATCHKEY_TRUST_PROXY', '/docs/settings'],
    ['sign-out', '/docs/sign-out'],
    ['rotate keys', '/docs/operating#keys'],
    ['backup', '/docs/operating#backup-and-restore'],
    ['nginx', '/docs/deploying'],
    ['quickst', '/docs/quickstart'],
    ['passport', '/docs/clients/passport-oauth2'],
    ['grafana', '/docs/clients/grafana'],
    ['immich', '/docs/clients/immich'],
    ['open webui', '/docs/clients/open-webui'],
    ['tinyauth', '/docs/clients/tinyauth'],
    ['gitea', '/docs/clients/gitea'],
    ['portainer', '/docs/clients/portainer'],
    ['role mapping', '/docs/clients/directus'],
    ['2fa', '/docs/people#settings'],
    ['mfa', '/docs/people#settings'],
    ['sso', '/docs/upstreams'],
    ['saml', '/docs/upstreams'],
    ['user', '/docs/people'],
    ['create user', '/docs/people#creating-people'],
    ['app', '/docs/clients'],
    ['connect app', '/docs/quickstart#connect-your-own-application'],
    ['lost phone', '/docs/people#recovering-accounts'],
  ];
  for (const [query, expected] of questions) {
    test(`finds ${expected} for "${query}" among the first three`, async () => {
      const { found } = await search(query);
      assert.ok(
        found.slice(0, 3).some((path) => path.startsWith(expected)),
        found.join(' '),
      );
    });
  }

  test('finds what has all words, or what the documents call it, and nothing that has only one of them', async () => {
    const { found } = await search('lost phone');
    assert.equal(found[0], '/docs/people#recovering-accounts');
    assert.ok(!found.includes('/docs/monitoring#what-a-503-promises'));
    for (const { section } of (await library.searchIndex()).search('lost phone').results) {
      const text = `${section.title} ${section.heading} ${section.text}`;
      const has = (...words: RegExp[]) => words.every((word) => word.test(text));
      assert.ok(has(/\blost/i, /\bphone/i) || has(/\brecovering/i, /\baccounts/i), section.heading);
    }
  });

  for (const query of ['replay', 'password', 'consent', 'grant', 'sqlite', '2fa']) {
    test(`lists the changelog after everything else for "${query}"`, async () => {
      const { found } = await search(query);
      const isHistory = found.map((path) => /^\/docs\/changelog/.test(path));
      assert.ok(isHistory.includes(false));
      assert.deepEqual(isHistory, isHistory.toSorted());
    });
  }

  test('leaves out records of decisions, which are for those who change the service', async () => {
    for (const query of ['replay of a code', 'decision']) {
      assert.deepEqual(
        (await search(query)).found.filter((path) => path.includes('decisions')),
        [],
      );
    }
    for (const path of ['/docs/decisions', '/docs/decisions/05-replay']) assert.equal((await get(path)).status, 404);
  });

  test('links to the section, and marks the words in an excerpt', async () => {
    const { list, found } = await search('refresh token');
    assert.match(list, /<mark>refresh<\/mark>/i);
    assert.match(list, /<mark>token<\/mark>/i);
    for (const path of found) {
      const [page = '', anchor] = path.split('#');
      const { status, text } = await get(page);
      assert.equal(status, 200, path);
      if (anchor !== undefined) assert.ok(idsOn(text).includes(anchor), path);
    }
  });

  test('says what to do when the query is empty or nothing is found', async () => {
    assert.match((await search('')).text, /Enter a word/);
    assert.match((await search('xyzzyplugh')).text, /No results for “xyzzyplugh”/);
    assert.match((await get('/docs/search')).text, /Enter a word/);
  });

  test('escapes and truncates the query', async () => {
    const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
    const { text } = await search(hostile);
    assert.doesNotMatch(text, /<script>alert|<img src=x/);
    assert.ok(text.includes('value="&quot;&gt;&lt;script&gt;'));
    const { text: long } = await search('a'.repeat(5000));
    assert.ok(!long.includes('a'.repeat(201)));
    for (const query of [
      '.*(a+)+$',
      '%',
      '\\',
      '‮abc',
      '💥'.repeat(150),
      '_-_.',
      "' OR 1=1 --",
      'constructor',
      '__proto__',
    ])
      await search(query);
    assert.equal((await get('/docs/search?q=a&q=b&q[]=c')).status, 200);
    assert.equal((await get('/docs/search?q=%00')).status, 400);
  });
});

test("files that aren't documentation aren't served", async () => {
  for (const path of [
    '/docs/nothing',
    '/docs/../package.json',
    '/docs/%2e%2e/package.json',
    '/docs/images/../README.md',
  ]) {
    assert.equal((await get(path)).status, 404, path);
  }
});

test('each error code has a section on the errors page, and responses link to it', async () => {
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

test('it can be turned off, and then no response links to it', async () => {
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

test('the commands in the endpoint reference work one after the other', async () => {
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
