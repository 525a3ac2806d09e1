// No client secret can be reached in the memory of a running service once its requests are answered. A heap snapshot has every
// text that anything refers to, so also those that are kept because a part of them is.

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { releaseTest } from '../harness/lane.ts';
import { obtainTokens, postForm, refreshParameters, userinfo } from '../harness/relying-party.ts';
import { populate, Served } from '../harness/served.ts';
import type { TestUser } from '../harness/service.ts';
import { until } from '../harness/until.ts';

releaseTest('a client secret is not kept in memory', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-secrets-'));
  const served = await Served.at({
    LATCHKEY_DATA_DIR: folder,
    NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${folder}`,
  });
  try {
    const { client, users } = await populate(served.environment);
    const child = await served.start();
    const { service } = served;
    const { tokens } = await obtainTokens(service, client, users[0] as TestUser);
    const credentials = { client_id: client.id, client_secret: client.secret };
    const post = (path: string, parameters: Record<string, string>, headers?: Record<string, string>) =>
      postForm(service, path, { ...credentials, ...parameters }, headers);
    const refresh = refreshParameters(client, tokens.refresh_token);
    const { body } = await post('/oauth/token', refresh);
    await userinfo(service, tokens.access_token);
    // Refused in every way that is recorded with something of the request.
    await post('/oauth/token', { ...refresh, client_id: 'an-application-that-nobody-knows' });
    await post('/oauth/token', { ...refresh, scope: 'a-scope-that-nobody-knows' });
    await post('/oauth/token', { ...refresh, refresh_token: 'a-token-that-nobody-knows' });
    await post('/oauth/token', { grant_type: 'a-grant-type-that-nobody-knows' });
    const basic = Buffer.from(`${client.id}:${client.secret}`).toString('base64');
    await post('/oauth/token', refresh, { Authorization: `Basic ${basic}` });
    await post('/oauth/revoke', {});
    // Issued here, and seen for the first time.
    await post('/oauth/revoke', { token: body.access_token });

    // An event that waits to be written may refer to what was sent.
    const written = new DatabaseSync(join(folder, 'latchkey.db'), { readOnly: true, timeout: 10_000 });
    const last = written.prepare("SELECT count(*) AS n FROM events WHERE kind = 'token_revoked'");
    const refused = written.prepare(
      "SELECT count(*) AS n FROM events WHERE kind LIKE '%_refused' OR kind LIKE '%_failed'",
    );
    await until(() => last.get()?.n === 1 && Number(refused.get()?.n) >= 4, 'the events are written');
    written.close();

    process.kill(child.pid ?? 0, 'SIGUSR2');
    const snapshot = () => {
      const name = readdirSync(folder).find((each) => each.endsWith('.heapsnapshot'));
      return name === undefined ? '' : readFileSync(join(folder, name), 'utf8');
    };
    await until(() => snapshot().endsWith(']}\n') || snapshot().endsWith(']}'), 'a snapshot is written');
    const text = snapshot();
    // It does have texts of the service.
    assert.ok(text.includes('at+jwt'));
    for (const secret of [client.secret, basic]) {
      const at = text.indexOf(secret);
      assert.equal(at < 0 ? '' : text.slice(Math.max(0, at - 80), at + 20), '');
    }
  } finally {
    await served.end('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  }
});
