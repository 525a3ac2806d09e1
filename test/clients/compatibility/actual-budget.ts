// Actual Budget: its oauth2 mode signs a person in, and its other mode refuses the ID token.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parseEnv } from 'node:util';
import { findGuide } from '../../../src/cli/clients/create.ts';
import { filledIn } from '../../../src/platform/client-guides.ts';
import { cleanEnvironment } from '../../harness/command.ts';
import { Person } from '../../harness/person.ts';
import { freePort, startTestService, type TestService, type TestUser } from '../../harness/service.ts';
import { until } from '../../harness/until.ts';
import { folderOf } from './software.ts';

let service: TestService;
let user: TestUser;

before(async () => {
  service = await startTestService();
  user = await service.newUser();
});
after(() => service?.stop());

const packages = join(folderOf('actual-budget'), 'node_modules');
const server = join(packages, '@actual-app/sync-server/build/bin/actual-server.js');

for (const mode of ['oauth2', 'openid']) {
  test(`in its ${mode} mode, Actual Budget ${mode === 'oauth2' ? 'signs a person in' : 'refuses HS256'}`, async () => {
    const port = String(await freePort());
    const origin = `http://localhost:${port}`;
    const app = await service.newClient({ redirectUris: [`${origin}/openid/callback`] });
    const [file] = findGuide('actual-budget').files;
    assert.ok(file);
    const values = { issuer: service.url, clientId: app.id, clientSecret: app.secret, redirectUri: app.redirectUri };
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-actual-'));
    const child = spawn(join(packages, 'node/bin/node'), [server], {
      cwd: folder,
      env: cleanEnvironment({
        ...(parseEnv(filledIn(file, values)) as Record<string, string>),
        ...{
          ACTUAL_OPENID_AUTH_METHOD: mode,
          ACTUAL_PORT: port,
          ACTUAL_HOSTNAME: 'localhost',
          ACTUAL_DATA_DIR: folder,
        },
      }),
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    try {
      const logIn = () =>
        fetch(`${origin}/account/login`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ loginMethod: 'openid', returnUrl: origin }),
        });
      const answers = async () => {
        if (child.exitCode !== null) throw new Error(`Actual has ended: ${output}`);
        return (await logIn().catch(() => undefined))?.status === 200;
      };
      await until(answers, () => `Actual answers: ${output}`);
      const { data } = (await (await logIn()).json()) as { data: { returnUrl: string } };
      const person = new Person(service);
      const back = await person.authorize(data.returnUrl, user);
      const response = await person.request(back.href);
      const result = `${response.headers.get('location')} ${await response.text()} ${output}`;
      if (mode === 'openid') {
        assert.match(result, /unexpected JWT alg received, expected RS256, got: HS256/);
        return;
      }
      const token = new URL(response.headers.get('location') ?? '').searchParams.get('token');
      assert.ok(token, result);
      const validated = await fetch(`${origin}/account/validate`, { headers: { 'X-ACTUAL-TOKEN': token } });
      // Somebody without a username is known by the email address.
      const { data: known } = (await validated.json()) as { data: { userName: string } };
      assert.equal(known.userName, user.email);
    } finally {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
