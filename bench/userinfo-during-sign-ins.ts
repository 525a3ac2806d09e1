// How much longer userinfo takes while fifty people at a time sign in with passwords, with the service and the load generator on
// every core of the machine.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readForm } from '../test/harness/person.ts';
import { startLoadGenerator } from './load.ts';
import type { Server } from './server-process.ts';
import { type FilledStore, password, startLatchkey } from './servers.ts';
import { inTurns, medians, type Pair, type Versions } from './versions.ts';

const peopleAtOnce = 50;

/** The p99 while people sign in, as a multiple of the p99 without them, round by round. */
export async function measureDuringSignIns(
  versions: Versions,
  { rounds, sliceMs }: { readonly rounds: number; readonly sliceMs: number },
): Promise<Pair> {
  const options = {
    everyCore: true,
    signedIn: 1,
    environment: { LATCHKEY_TRUST_PROXY: '127.0.0.1,::1' },
    fill: addPeople,
  };
  const servers = new Map<string, Server>();
  const generator = startLoadGenerator({ everyCore: true });
  try {
    for (const { name, checkout } of versions) {
      servers.set(name, await startLatchkey('SQLite', { checkout, ...options }));
    }
    const ratios = await inTurns(versions, rounds, async ({ name }, round) => {
      process.stderr.write(`sign-ins ${name}, round ${round + 1} of ${rounds}\n`);
      const target = await servers.get(name)?.target();
      if (target === undefined) throw new Error(`${name} isn't running`);
      const userinfo = { target, work: 'userinfo', connections: 4, warmUpMs: 300, measureMs: sliceMs } as const;
      const idle = await generator.measure(userinfo);
      let running = true;
      let refusals = 0;
      const crowd = Array.from({ length: peopleAtOnce }, async (_, person) => {
        while (running) if ((await signIn(target.ports[0] ?? 0, person)) >= 400) refusals++;
      });
      const busy = await generator.measure(userinfo);
      running = false;
      await Promise.all(crowd);
      if (refusals > 0) process.stderr.write(`${refusals} sign-ins were refused\n`);
      return busy.p99 / idle.p99;
    });
    return medians(ratios);
  } finally {
    generator.stop();
    for (const server of servers.values()) await server.stop();
  }
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
