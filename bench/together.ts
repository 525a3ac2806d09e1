// node bench/together.ts: what happens together, on every core of the machine. How long userinfo takes while fifty people
// at a time sign in with passwords, and what two processes on one port give.

import { fork } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { readForm } from '../test/harness/person.ts';
import type { Figures, Target, Work } from './load.ts';
import { password, startLatchkey } from './servers.ts';

const rounds = 5;
const peopleAtOnce = 50;
const generator = fork(fileURLToPath(new URL('load.ts', import.meta.url)));
const ask = (target: Target, work: Work, connections: number) =>
  new Promise<Figures>((resolve) => {
    generator.once('message', (message) => resolve(message as Figures));
    generator.send({ target, work, connections, warmUpMs: 300, measureMs: 3000 });
  });
const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const results: Record<string, unknown> = {};
try {
  results.userinfoWhileSigningIn = await whileSigningIn();
  if (process.argv[2] !== 'sign-in') results.twoWorkers = await withTwoWorkers();
} finally {
  generator.kill();
}
process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);

async function whileSigningIn() {
  const environment = { LATCHKEY_TRUST_PROXY: '127.0.0.1,::1' };
  const server = await startLatchkey('SQLite', '', manyLikeAda, { everyCore: true, environment });
  const target = await server.target();
  const idle: number[] = [];
  const busy: number[] = [];
  let signIns = 0;
  let refusals = 0;
  for (let round = 0; round < rounds; round++) {
    idle.push((await ask(target, 'userinfo', 4)).p99);
    let running = true;
    const crowd = Array.from({ length: peopleAtOnce }, async (_, person) => {
      while (running) {
        const status = await signIn(target.port, person);
        if (status < 400) signIns++;
        else refusals++;
      }
    });
    busy.push((await ask(target, 'userinfo', 4)).p99);
    running = false;
    await Promise.all(crowd);
  }
  await server.stop();
  const ratio = median(busy.map((value, round) => value / (idle[round] ?? Number.NaN)));
  return { idleP99ms: median(idle), busyP99ms: median(busy), ratio, signIns, refusals };
}

/** People who share Ada's password, so that it need not be hashed for each of them. */
function manyLikeAda(dataDir: string): void {
  const database = new DatabaseSync(join(dataDir, 'latchkey.db'));
  for (let person = 0; person < peopleAtOnce; person++) {
    const email = `person${person}@example.com`;
    database
      .prepare(`INSERT INTO users (id, email, email_key, name, password_hash, generation, created_at, updated_at)
        SELECT ?, ?, ?, name, password_hash, generation, created_at, updated_at FROM users LIMIT 1`)
      .run(`person${person}`, email, email);
  }
  database.close();
}

/** Each from a place of their own: one place with so many sign-ins at once would be slowed down. */
async function signIn(port: number, person: number): Promise<number> {
  const url = `http://localhost:${port}/sign-in`;
  const headers = { 'X-Forwarded-For': `192.0.2.${person}` };
  const page = await fetch(url, { headers });
  const cookie = page.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const fields = readForm(await page.text(), '/sign-in')?.fields;
  const body = new URLSearchParams({ ...fields, email: `person${person}@example.com`, password });
  const answer = await fetch(url, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { ...headers, Cookie: cookie },
  });
  await answer.arrayBuffer();
  return answer.status;
}

async function withTwoWorkers() {
  const one = await startLatchkey('SQLite', '', () => {}, { everyCore: true });
  const two = await startLatchkey('SQLite', '', () => {}, { everyCore: true, environment: { LATCHKEY_WORKERS: '2' } });
  const figures: Record<string, unknown> = {};
  for (const work of ['userinfo', 'refresh', 'flow'] as const) {
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const single = await ask(await one.target(), work, 32);
      const double = await ask(await two.target(), work, 32);
      ratios.push(double.perSecond / single.perSecond);
    }
    figures[work] = median(ratios);
  }
  await one.stop();
  await two.stop();
  return figures;
}
