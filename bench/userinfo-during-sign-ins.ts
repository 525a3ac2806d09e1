// node bench/userinfo-during-sign-ins.ts: how much longer userinfo takes while fifty people at a time sign in with
// passwords, with the service and the load generator on every core of the machine.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readForm } from '../test/harness/person.ts';
import { startLoadGenerator } from './load.ts';
import { median } from './median.ts';
import { type FilledStore, password, startLatchkey } from './servers.ts';

const rounds = 5;
const peopleAtOnce = 50;

const environment = { LATCHKEY_TRUST_PROXY: '127.0.0.1,::1' };
const server = await startLatchkey('SQLite', { everyCore: true, environment, fill: addPeople });
const generator = startLoadGenerator({ everyCore: true });
try {
  const target = await server.target();
  const userinfo = { target, work: 'userinfo', connections: 4, warmUpMs: 300, measureMs: 3000 } as const;
  const idle: number[] = [];
  const busy: number[] = [];
  let signIns = 0;
  let refusals = 0;
  for (let round = 0; round < rounds; round++) {
    idle.push((await generator.measure(userinfo)).p99);
    let running = true;
    const crowd = Array.from({ length: peopleAtOnce }, async (_, person) => {
      while (running) {
        const status = await signIn(target.ports[0] ?? 0, person);
        if (status < 400) signIns++;
        else refusals++;
      }
    });
    busy.push((await generator.measure(userinfo)).p99);
    running = false;
    await Promise.all(crowd);
  }
  const ratio = median(busy.map((value, round) => value / (idle[round] ?? Number.NaN)));
  const results = { idleP99ms: median(idle), busyP99ms: median(busy), ratio, signIns, refusals };
  process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
} finally {
  generator.stop();
  await server.stop();
}

/** Users with the same password hash as the first one, so that it needn't be computed for each of them. */
function addPeople({ dataDir }: FilledStore): undefined {
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

/** From an address of their own: so many sign-ins from one address would be throttled. */
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
