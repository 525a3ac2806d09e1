// Access of people, memberships and entries on lists that ends by itself, at two instances of which one is killed meanwhile. Up to
// the end it works everywhere, and from then on nowhere; webhooks tell of each end once, and people are told before.

import { randomBytes } from 'node:crypto';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { composeServices } from '../src/cli/compose.ts';
import { createApiKey } from '../src/operations/api-keys/api-keys.ts';
import { createWebhook } from '../src/operations/webhooks/endpoints.ts';
import { readConfig } from '../src/platform/config.ts';
import { queryPostgres, startPostgres } from '../test/harness/postgres.ts';
import { obtainTokens, userinfo } from '../test/harness/relying-party.ts';
import { populate, Served } from '../test/harness/served.ts';
import { freePort, requester, type TestClient, type TestService, type TestUser } from '../test/harness/service.ts';
import { until } from '../test/harness/until.ts';
import { type Experiment, times } from './experiment.ts';
import { Outside } from './outside.ts';
import { preloading } from './preloads/preload.ts';
import { Tally } from './tally.ts';
import { ComeBackLater, done, missingAfter, Site } from './work/work.ts';

const kinds = ['account', 'membership', 'entry'] as const;
/** So many of each kind end in each round. */
const endsOfKind = 4;
/** Seconds. A process that was killed keeps an endpoint for ten. */
const deliveryAllowed = 90;

interface Ending {
  readonly user: TestUser;
  readonly kind: (typeof kinds)[number];
  readonly accessToken: string;
  /** Undefined until an end has been acknowledged. */
  at?: number;
}

export const ends: Experiment = {
  name: 'ends',
  title: 'Access that ends by itself, one of two instances killed, PostgreSQL',
  run: async ({ scale, say }) => {
    await using cleanup = new AsyncDisposableStack();
    const folder = cleanup.use(mkdtempDisposableSync(join(tmpdir(), 'latchkey-faults-')));
    const postgres = cleanup.adopt(await startPostgres({ durable: true }), (server) => server.remove());
    const outside = cleanup.use(await Outside.start());
    const databaseUrl = await postgres.newDatabase();
    const shared = {
      LATCHKEY_DATA_DIR: folder.path,
      LATCHKEY_BASE_URL: `http://localhost:${await freePort()}`,
      LATCHKEY_KEYS: randomBytes(32).toString('base64url'),
      DATABASE_URL: databaseUrl,
      ...outside.settings,
      ...preloading('frequent-sweeps'),
    };
    const rounds = times(20, scale);
    const served = [await Served.at(shared), await Served.at(shared)] as const;
    for (const each of served) cleanup.defer(() => each.end('SIGTERM'));
    const { client: open, users } = await populate(served[0].environment, rounds * kinds.length * endsOfKind);
    const apiKey = await prepare(served[0].environment, outside);
    for (const each of served) await each.start();

    const either = () => {
      const { url } = served[Math.random() < 0.5 ? 0 : 1];
      return { url, baseUrl: shared.LATCHKEY_BASE_URL } as TestService;
    };
    /** At whichever instance answers. */
    const api = async (method: string, path: string, status: number, body: object) => {
      for (;;) {
        try {
          return await new Site(either(), apiKey, outside.provider).api(method, path, status, body);
        } catch (error) {
          if (!(error instanceof TypeError || error instanceof ComeBackLater)) throw error;
          await pause(50);
        }
      }
    };
    const { id: group } = await api('POST', '/api/groups', 201, { name: 'Crew' });
    const listed = async (allowed: object) => {
      const made = await api('POST', '/api/applications', 201, { name: 'Listed', redirect_uris: [open.redirectUri] });
      await api('PUT', `/api/applications/${made.client_id}/access`, 200, { access: 'listed', allowed });
      return {
        id: String(made.client_id),
        secret: String(made.client_secret),
        redirectUri: open.redirectUri,
      } as TestClient;
    };
    const clients = { account: open, membership: await listed({ groups: ['Crew'] }), entry: await listed({}) };

    /** Gives access, or sets its end. */
    const give = async ({ user, kind }: Pick<Ending, 'user' | 'kind'>, end: number | null) => {
      const expires = { expires_at: end === null ? null : new Date(end).toISOString() };
      const whom = { people: [user.email], ...expires };
      if (kind === 'account') await api('PATCH', `/api/people/${user.id}`, 200, expires);
      else if (kind === 'membership') await api('POST', `/api/groups/${group}/add`, 200, whom);
      else await api('POST', `/api/applications/${clients.entry.id}/access/allow`, 200, whom);
    };

    const tally = new Tally();
    const counts = { before: 0, after: 0 };
    const all: Ending[] = [];
    for (let round = 1; round <= rounds; round++) {
      const endings: Ending[] = [];
      for (const user of users.slice(all.length, all.length + kinds.length * endsOfKind)) {
        const kind = kinds[endings.length % kinds.length] ?? 'account';
        await give({ user, kind }, null);
        const { tokens } = await obtainTokens(either(), clients[kind], user);
        endings.push({ user, kind, accessToken: tokens.access_token });
      }
      all.push(...endings);
      let over = false;
      const asking = Promise.all(endings.map((ending) => ask(ending)));
      for (const ending of endings) {
        const end = Date.now() + 3000 + Math.floor(Math.random() * 2000);
        await give(ending, end);
        ending.at = end;
      }
      await until(() => endings.some(({ at = 0 }) => at < Date.now()), 'something has ended');
      // At any moment of the seconds in which the others end, hence a random one.
      await pause(Math.random() * 2000);
      const killed = served[round % 2] ?? served[0];
      await killed.end('SIGKILL');
      // A process that was killed keeps the sweep for three minutes, which nobody waits for here.
      await queryPostgres(databaseUrl, "DELETE FROM leases WHERE name = 'sweep'");
      await killed.start();
      await until(() => endings.every(({ at = 0 }) => at < Date.now()), 'everything has ended');
      await pause(500);
      over = true;
      await asking;
      say(`round ${round} of ${rounds}, ${all.length} ends`);

      async function ask({ kind, accessToken }: Ending): Promise<void> {
        while (!over) {
          const started = Date.now();
          const end = () => endings.find((each) => each.accessToken === accessToken)?.at ?? Number.POSITIVE_INFINITY;
          // A process that was killed has no answer.
          const answer = await userinfo(either(), accessToken).catch(() => undefined);
          if (answer !== undefined && started > end()) {
            counts.after++;
            if (answer.status !== 401) tally.broken(`userinfo ${answer.status} after an end`, () => kind);
          } else if (answer !== undefined && Date.now() < end()) {
            counts.before++;
            if (answer.status !== 200) tally.broken(`userinfo ${answer.status} before an end`, () => kind);
          }
          await pause(100);
        }
      }
    }

    const messages = () => {
      const seen = new Map<string, Set<string>>();
      for (const { headers, body } of outside.webhook.received) {
        const { type, data } = JSON.parse(body);
        const kind = type === 'user.expired' ? 'account' : data.group === null ? 'entry' : 'membership';
        const key = `${kind} ${data.sub}`;
        seen.set(key, (seen.get(key) ?? new Set()).add(String(headers['webhook-id'])));
      }
      return seen;
    };
    const key = ({ kind, user }: Ending) => `${kind} ${user.id}`;
    const untold = () => {
      const told = messages();
      return all
        .filter((ending) => !told.has(key(ending)))
        .map((ending) => `a message about the end of ${key(ending)}`);
    };
    const lost = await missingAfter(deliveryAllowed, untold);
    for (const [about, ids] of messages()) {
      if (ids.size > 1) tally.broken(`${ids.size} messages about one end`, () => about);
    }
    const told = new Set(outside.mail.received.map(({ to }) => to));
    return {
      done: `one of two instances killed ${rounds} times while ${all.length} ends came, a third each of accounts, memberships and entries`,
      checks: {
        'requests before an end': counts.before,
        'requests after an end': counts.after,
        'webhook messages': messages().size,
        'people told before': all.filter(({ user }) => told.has(user.email)).length,
      },
      broken: [...tally.lines(), ...lost],
    };
  },
};

async function prepare(environment: Record<string, string>, { webhookUrl }: Outside): Promise<string> {
  const { services, close } = await composeServices(readConfig(environment));
  try {
    const key = { name: 'Key', permission: 'administrator', days: undefined };
    const { secret } = done(await createApiKey(services, key, requester));
    done(await createWebhook(services, { url: webhookUrl, types: ['user.expired', 'access.expired'] }, requester));
    return secret;
  } finally {
    await close();
  }
}
