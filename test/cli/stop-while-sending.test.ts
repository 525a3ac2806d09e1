// Stopping a service while a mail server or a webhook endpoint doesn't respond: it ends in time, says what wasn't sent, and
// leaves that in the store.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { runCommand } from '../harness/command.ts';
import { releaseTest } from '../harness/lane.ts';
import { startMailServer } from '../harness/mail-server.ts';
import { Served } from '../harness/served.ts';
import { until } from '../harness/until.ts';
import { allowLoopback, startReceiver } from '../harness/webhooks.ts';

/** Accepts connections, says at most one thing, and never answers. */
async function silentServer(greeting = '') {
  const sockets: Socket[] = [];
  const received: string[] = [];
  const server: Server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}));
    socket.on('data', (chunk) => received.push(String(chunk)));
    socket.write(greeting);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port, sockets, received, stop };
}

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-stop-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

const withMail = (port: number) => ({
  LATCHKEY_SMTP_URL: `smtp://127.0.0.1:${port}`,
  LATCHKEY_MAIL_FROM: 'latchkey@example.test',
});

async function serve(name: string, environment: Record<string, string>) {
  const served = await Served.at({
    LATCHKEY_DATA_DIR: join(folder, name),
    LATCHKEY_DRAIN_SECONDS: '5',
    ...environment,
  });
  const child = await served.start();
  const lines: string[] = [];
  child.stdout?.on('data', (chunk) => lines.push(String(chunk)));
  return {
    served,
    command: (args: readonly string[]) => runCommand(args, served.environment),
    /** Twice, so that it doesn't drain. */
    async stop() {
      const started = performance.now();
      const ended = served.end('SIGTERM');
      child.kill('SIGINT');
      await ended;
      const unsent = lines.join('').match(/^.*couldn't be sent in time.*$/gm) ?? [];
      const { emails, webhookMessages } = JSON.parse(unsent[0] ?? '{}') as Record<string, number>;
      const seconds = (performance.now() - started) / 1000;
      return { status: child.exitCode, seconds, emails, webhookMessages };
    },
  };
}

function rowsOf(name: string, sql: string): Record<string, unknown>[] {
  const database = new DatabaseSync(join(folder, name, 'latchkey.db'), { readOnly: true, timeout: 10_000 });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

for (const [what, greeting, workers, lane] of [
  ['never greets', '', 1, test],
  ['stops responding after its greeting', '220 mail.example.test\r\n', 1, releaseTest],
  ['never greets any of two processes', '', 2, releaseTest],
] as const) {
  lane(`a mail server that ${what} doesn't delay the end, and the email is sent after the next start`, async () => {
    const name = `mail-${greeting.length}-${workers}`;
    const silent = await silentServer(greeting);
    try {
      const { command, stop } = await serve(name, {
        ...withMail(silent.port),
        LATCHKEY_WORKERS: String(workers),
      });
      const invite = ['user', 'invite', '--email', 'ada@example.test', '--name', 'Ada'];
      assert.equal((await command(invite)).status, 0);
      await until(
        () => silent.sockets.length > 0 && (greeting === '' || silent.received.length > 0),
        'it is being sent',
      );
      const { status, seconds, ...unsent } = await stop();
      assert.deepEqual([status, unsent], [0, { emails: 1, webhookMessages: 0 }]);
      assert.ok(seconds < 8, `${seconds} s`);
      const [row] = rowsOf(name, 'SELECT next_attempt_at FROM mails');
      assert.ok(Number(row?.next_attempt_at) <= Date.now(), 'it is due');
      assert.deepEqual(rowsOf(name, "SELECT id FROM events WHERE kind = 'mail_delayed'"), [], 'nothing has failed');
    } finally {
      silent.stop();
    }
    const server = await startMailServer();
    const next = await serve(name, withMail(Number(new URL(server.url).port)));
    try {
      await server.next('ada@example.test', /./);
    } finally {
      assert.equal((await next.stop()).status, 0);
      await server.stop();
    }
  });
}

releaseTest(
  "an endpoint that never responds doesn't delay the end, and gets the message after the next start",
  async () => {
    const silent = await silentServer();
    const { command, stop } = await serve('webhook', allowLoopback);
    const created = await command(['webhook', 'create', `http://127.0.0.1:${silent.port}/`, '--json']);
    const { id } = JSON.parse(created.stdout) as { id: string };
    assert.equal((await command(['webhook', 'test', id])).status, 0);
    await until(() => silent.received.length > 0, 'it is being delivered');
    const { status, seconds, ...unsent } = await stop();
    silent.stop();
    assert.deepEqual([status, unsent], [0, { emails: 0, webhookMessages: 1 }]);
    assert.ok(seconds < 8, `${seconds} s`);
    const [row] = rowsOf('webhook', "SELECT attempts FROM webhook_deliveries WHERE type = 'webhook.test'");
    assert.equal(row?.attempts, 0, 'the endpoint has not failed');

    const receiver = await startReceiver();
    const next = await serve('webhook', allowLoopback);
    try {
      await next.command(['webhook', 'update', id, '--url', receiver.url]);
      await until(() => receiver.received.some(({ body }) => body.includes('webhook.test')), 'it is delivered');
    } finally {
      assert.equal((await next.stop()).status, 0);
      await receiver.stop();
    }
  },
);
