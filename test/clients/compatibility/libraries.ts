// What docs/clients/compatibility.md says about each library is tried: those that work sign a person in with the settings
// of that page, and the others fail for the reason that it gives.

import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { findGuide } from '../../../src/cli/clients/create.ts';
import { filledIn, guideNames } from '../../../src/platform/client-guides.ts';
import { cleanEnvironment, root } from '../../harness/command.ts';
import { Person } from '../../harness/person.ts';
import { freePort, startTestService, type TestClient, type TestService, type TestUser } from '../../harness/service.ts';
import { until } from '../../harness/until.ts';

let service: TestService;
let user: TestUser;

before(async () => {
  service = await startTestService();
  user = await service.newUser();
});
after(() => service?.stop());

const execute = promisify(execFile);
const here = join(root, 'test/clients/compatibility');

interface Attempt {
  readonly name: string;
  readonly callback?: string;
  readonly isPublic?: boolean;
  /** What it answers instead of signing the person in. */
  readonly problem?: RegExp;
  readonly environment?: (app: TestClient) => Record<string, string>;
}

const attempts: Attempt[] = [
  { name: 'fastify-oauth2' },
  { name: 'grant', callback: '/connect/latchkey/callback' },
  { name: 'simple-oauth2' },
  { name: 'badgateway-oauth2-client' },
  { name: 'hapi-bell', environment: () => ({ SESSION_SECRET: 'of this test, and long enough for it' }) },
  { name: 'arctic', isPublic: true },
  { name: 'arctic', problem: /invalid_client/ },
  {
    name: 'hono-oidc-auth',
    environment: (app) => ({
      ...{ OIDC_AUTH_SECRET: 'of this test, and long enough for it', OIDC_SCOPES: 'openid profile email' },
      OIDC_REDIRECT_URI: app.redirectUri,
    }),
    problem: /www-authenticate error: .*basic/,
  },
  { name: 'passport-openidconnect', problem: /code_challenge/ },
  {
    name: 'better-auth-discovery',
    callback: '/api/auth/callback/latchkey',
    problem: /id_token failed verification against the discovery JWKS/,
  },
];

for (const { name, callback = '/callback', isPublic = false, problem, environment } of attempts) {
  const secret = isPublic ? ' without a secret' : '';
  test(`${name}${secret} ${problem === undefined ? 'signs a person in' : 'is refused'}`, async () => {
    const port = await freePort();
    const origin = `http://localhost:${port}`;
    const app = await service.newClient({ isPublic, redirectUris: [origin + callback] });
    const run = prepare(name, 'mjs', app);
    const child = spawn(process.execPath, [run.file], {
      env: cleanEnvironment({ ...settingsOf(app, isPublic), PORT: String(port), ...environment?.(app) }),
    });
    const output = outputOf(child);
    try {
      await until(
        () => answers(origin, child),
        () => `${name} answers: ${output()}`,
        40,
      );
      const person = new Person(service);
      let response = await person.request(`${origin}/sign-in`);
      while (response.headers.get('location')?.startsWith('/')) {
        response = await person.request(new URL(response.headers.get('location') ?? '', origin).href);
      }
      const back = await person.authorize(response.headers.get('location') ?? '', user);
      response = await person.request(back.href);
      const local = (location: string | null) => location?.startsWith('/') || location?.startsWith(origin);
      while (local(response.headers.get('location'))) {
        response = await person.request(new URL(response.headers.get('location') ?? '', origin).href);
      }
      const text = await response.text();
      if (problem === undefined) assert.ok(text.includes(user.id) && text.includes(user.email), text + output());
      else assert.match(text + back.href + output(), problem);
    } finally {
      child.kill();
      run.remove();
    }
  });
}

describe('libraries without PKCE send no code_challenge and are refused', () => {
  const programs: [string, string, string][] = [
    ['omniauth-openid-connect', 'rb', '/usr/bin/ruby'],
    ['django-allauth', 'py', '/usr/bin/python3'],
    ['social-auth-core', 'py', '/usr/bin/python3'],
    ['flask-dance', 'py', '/usr/bin/python3'],
    ['mojolicious-oauth2', 'pl', '/usr/bin/perl'],
  ];
  for (const [name, extension, command] of programs) {
    test(name, async () => {
      const app = await service.newClient();
      const file = join(here, 'tries', `${name}.${extension}`);
      const { stdout } = await execute(command, [file], { env: cleanEnvironment(settingsOf(app, false)) });
      const url = new URL(stdout.trim().split('\n').at(-1) ?? '');
      assert.equal(url.searchParams.get('client_id'), app.id);
      assert.equal(url.searchParams.get('code_challenge'), null);
      url.searchParams.set('response_type', 'code');
      const back = await new Person(service).visit(url.href);
      const answer = new URL(back.headers.get('location') ?? '').searchParams;
      assert.equal(answer.get('error'), 'invalid_request');
      assert.match(answer.get('error_description') ?? '', /code_challenge/);
    });
  }
});

test('requests-oauthlib signs a person in', async () => {
  const app = await service.newClient();
  const run = prepare('requests-oauthlib', 'py', app);
  const child = spawn('/usr/bin/python3', [run.file], { env: cleanEnvironment({}) });
  try {
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const back = await new Person(service).authorize((await lines.next()).value ?? '', user);
    child.stdin.end(`${back.href}\n`);
    assert.equal(JSON.parse((await lines.next()).value ?? '').sub, user.id);
  } finally {
    child.kill();
    run.remove();
  }
});

/** The program of a try, after the settings of the page if it has some. */
function prepare(name: string, extension: string, app: TestClient) {
  const folder = mkdtempSync(join(here, 'libraries', 'latchkey-try-'));
  const file = join(folder, `app.${extension}`);
  const guide = guideNames().includes(name) ? findGuide(name) : undefined;
  const values = { issuer: service.url, clientId: app.id, clientSecret: app.secret, redirectUri: app.redirectUri };
  const settings = guide?.files.map((each) => filledIn(each, values)) ?? [];
  writeFileSync(file, [...settings, readFileSync(join(here, 'tries', `${name}.${extension}`), 'utf8')].join('\n'));
  return { file, remove: () => rmSync(folder, { recursive: true }) };
}

function settingsOf(app: TestClient, isPublic: boolean): Record<string, string> {
  return {
    OIDC_ISSUER: service.url,
    OIDC_CLIENT_ID: app.id,
    ...(isPublic ? {} : { OIDC_CLIENT_SECRET: app.secret }),
    OIDC_REDIRECT_URI: app.redirectUri,
  };
}

function outputOf(child: ChildProcess): () => string {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  }
  return () => output;
}

async function answers(origin: string, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`it has ended with ${child.exitCode}`);
  const response = await fetch(origin, { redirect: 'manual' }).catch(() => undefined);
  await response?.body?.cancel();
  return response !== undefined;
}
