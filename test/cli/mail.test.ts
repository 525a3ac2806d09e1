// Emails and the processes that send them: killed, restarted, and two at once.

import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { outputMatching, startCommand } from '../harness/command.ts';
import { startMailServer } from '../harness/mail-server.ts';
import { formIn, Person } from '../harness/person.ts';
import { freePort, type TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';

let folder: string;
const started: ChildProcess[] = [];
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-mail-'));
});
after(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function settingsFor(name: string, smtpUrl: string): Promise<Record<string, string>> {
  return {
    LATCHKEY_BASE_URL: `http://localhost:${await freePort()}`,
    LATCHKEY_DATA_DIR: join(folder, name),
    LATCHKEY_SIGN_UP: 'open',
    LATCHKEY_SMTP_URL: smtpUrl,
    LATCHKEY_MAIL_FROM: 'latchkey@example.test',
  };
}

async function serve(settings: Record<string, string>): Promise<ChildProcess> {
  const child = startCommand(['serve'], settings);
  started.push(child);
  await outputMatching(child, /Latchkey is running at/);
  return child;
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.kill(signal);
  return ended;
}

async function askToSignUp(settings: Record<string, string>, email: string, url = settings.LATCHKEY_BASE_URL) {
  const person = new Person({ url, baseUrl: settings.LATCHKEY_BASE_URL } as TestService);
  const answer = await person.submit(await formIn(await person.visit('/sign-up'), '/sign-up'), { email });
  assert.equal(answer.status, 200);
  assert.match(await answer.text(), /Check your email/);
}

function waitingMails({ LATCHKEY_DATA_DIR: place = '' }: Record<string, string>): Record<string, unknown>[] {
  const database = new DatabaseSync(join(place, 'latchkey.db'), { readOnly: true, timeout: 10_000 });
  try {
    return database.prepare('SELECT * FROM mails').all();
  } finally {
    database.close();
  }
}

describe('email', { concurrency: true }, () => {
  test('in the queue survives a restart and is sent once', async () => {
    const server = await startMailServer();
    await server.stop();
    const settings = await settingsFor('killed', server.url);
    try {
      const killed = await serve(settings);
      await askToSignUp(settings, 'patient@example.test');
      // The next attempt is due soon once the first one has failed.
      const failedOnce = (row: Record<string, unknown>) =>
        Number(row.next_attempt_at) - Number(row.created_at) < 10_000 && row.attempts === 1;
      await until(() => waitingMails(settings).some(failedOnce), 'the first attempt has failed');
      await end(killed, 'SIGKILL');
      await server.startAgain();
      const next = await serve(settings);
      const mail = await server.next('patient@example.test', /Finish creating your account/);
      assert.equal((await fetch(mail.link)).status, 200);
      await until(() => waitingMails(settings).length === 0, 'no email waits');
      assert.equal(await end(next, 'SIGTERM'), 0);
      assert.equal(server.received.length, 1);
    } finally {
      await server.stop();
    }
  });

  test('in a shared store is sent once by two processes', async () => {
    const server = await startMailServer();
    const settings = await settingsFor('two', server.url);
    const one = await serve(settings);
    const port = String(await freePort());
    const two = await serve({ ...settings, LATCHKEY_PORT: port });
    const people = Array.from({ length: 20 }, (_, index) => `neighbour${index}@example.test`);
    try {
      const urls = [settings.LATCHKEY_BASE_URL, `http://localhost:${port}`];
      await Promise.all(people.map((email, index) => askToSignUp(settings, email, urls[index % 2])));
      await until(() => waitingMails(settings).length === 0, 'no email waits');
    } finally {
      // Both finish what they are sending before they end, so a second copy would have arrived by then.
      await end(one, 'SIGTERM');
      await end(two, 'SIGTERM');
      await server.stop();
    }
    assert.deepEqual(server.received.map(({ to }) => to).sort(), people.sort());
  });
});
