// The clock of one of three instances is set forward or back under load, with something in front of them that sends requests to
// those that are ready. What one of those has issued is accepted by the others, the wrong clock is named, and every email is sent
// once.

import { randomBytes } from 'node:crypto';
import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { composeServices } from '../src/cli/compose.ts';
import { createApiKey } from '../src/operations/api-keys/api-keys.ts';
import { readConfig } from '../src/platform/config.ts';
import { runCommand } from '../test/harness/command.ts';
import { scrape } from '../test/harness/metrics.ts';
import { startPostgres } from '../test/harness/postgres.ts';
import { obtainTokens } from '../test/harness/relying-party.ts';
import { codeFlow, type Flow, formFlow, Instance, sendLoad, tokenFlow } from '../test/harness/rotation-under-load.ts';
import { populate, Served } from '../test/harness/served.ts';
import { freePort, requester, type TestUser } from '../test/harness/service.ts';
import { until } from '../test/harness/until.ts';
import { type Experiment, times } from './experiment.ts';
import { Outside } from './outside.ts';
import { preloading } from './preloads/preload.ts';
import { ComeBackLater, done, Site } from './work/work.ts';

/** Seconds that the clock is ahead. */
const offsets = [300, -300, 90, -90];
/** Milliseconds, as a load balancer does. */
const checkEvery = 500;
/** Seconds. Instances compare their clocks every ten. */
const noticeAllowed = 30;
/** Who get codes: the approvals of one person are limited. */
const inTurns = 8;
/** How long the load goes on between two changes, in milliseconds. */
const steady = 4000;

export const wrongClock: Experiment = {
  name: 'wrong-clock',
  title: 'Wrong clock of one of three instances, PostgreSQL',
  run: async ({ scale, say }) => {
    await using cleanup = new AsyncDisposableStack();
    const folder = cleanup.use(mkdtempDisposableSync(join(tmpdir(), 'latchkey-faults-')));
    const postgres = cleanup.adopt(await startPostgres({ durable: true }), (server) => server.remove());
    const outside = cleanup.use(await Outside.start());
    const clock = join(folder.path, 'clock');
    const setClock = (seconds: number) => writeFileSync(clock, String(seconds * 1000));
    setClock(0);
    const shared = {
      LATCHKEY_DATA_DIR: folder.path,
      LATCHKEY_BASE_URL: `http://localhost:${await freePort()}`,
      LATCHKEY_KEYS: randomBytes(32).toString('base64url'),
      DATABASE_URL: await postgres.newDatabase(),
      ...outside.settings,
    };
    const { client, users } = await populate(shared, 2 + inTurns);
    const [user, other, ...others] = users as readonly [TestUser, TestUser, ...TestUser[]];
    const apiKey = await newApiKey(shared);
    const metricsPort = await freePort();
    const start = async (settings: Record<string, string>) => {
      const instance = new Instance(await Served.at(shared));
      cleanup.defer(() => instance.served.end('SIGKILL'));
      await instance.start(settings);
      return instance;
    };
    const wrong = await start({
      LATCHKEY_METRICS_PORT: String(metricsPort),
      FAULTS_CLOCK: clock,
      ...preloading('moved-clock'),
    });
    const instances = [wrong, await start({}), await start({})];
    let log = '';
    wrong.served.child?.stdout?.on('data', (chunk) => {
      log += chunk;
    });

    const { tokens } = await obtainTokens(wrong.service, client, user);
    const people = await Promise.all(others.map((each) => obtainTokens(wrong.service, client, each)));
    const codeFlows = people.map(({ person }) => codeFlow(client, person));
    let turn = 0;
    const inTurn: Flow = async (from, to) => codeFlows[turn++ % inTurns]?.(from, to) ?? 'nobody signs in';
    const flows = [tokenFlow(client, tokens.refresh_token), formFlow(other), inTurn];
    const lost: string[] = [];
    const broken: string[] = [];
    let isOver = false;
    cleanup.defer(() => {
      isOver = true;
    });
    const load = sendLoad(instances, flows, () => isOver, lost);
    const balancing = balance(instances, () => isOver);
    const invited: string[] = [];
    const inviting = invite();

    let refused = 0;
    let slowestNotice = 0;
    const chosen = offsets.slice(0, times(offsets.length, scale));
    for (const seconds of chosen) {
      await pause(steady);
      broken.push(...lost.splice(0).map((line) => `with right clocks, ${line}`));
      setClock(seconds);
      const [set, ahead] = [performance.now(), `with a clock ${seconds} s ahead`];
      const isNoticed = () => until(() => !wrong.isUp, `${ahead}, the instance isn't ready`, noticeAllowed);
      await isNoticed().catch((error) => broken.push(error.message));
      slowestNotice = Math.max(slowestNotice, (performance.now() - set) / 1000);
      // What was sent before that.
      await until(() => wrong.requests === 0, 'the requests in flight are finished');
      refused += lost.splice(0).length;
      broken.push(...(await named()).map((line) => `${ahead}, ${line}`));
      await pause(steady);
      broken.push(...lost.splice(0).map((line) => `${ahead}, between the others: ${line}`));
      setClock(0);
      await until(() => wrong.isUp, 'the instance is ready again', noticeAllowed).catch((error) =>
        broken.push(error.message),
      );
      say(`${seconds} s: ${refused} refused until it was noticed, which took at most ${slowestNotice.toFixed(1)} s`);
    }
    await pause(steady);
    isOver = true;
    const { counts } = await load;
    broken.push(...lost.map((line) => `with right clocks, ${line}`));
    await Promise.all([balancing, inviting]);
    const sent = (email: string) => outside.mail.received.filter(({ to }) => to === email).length;
    await until(() => invited.every((email) => sent(email) > 0), 'every email is sent').catch((error) =>
      broken.push(error.message),
    );
    const twice = invited.filter((email) => sent(email) > 1);
    if (twice.length > 0) broken.push(`${twice.length} of ${invited.length} emails were sent more than once`);
    const [refreshed = 0, forms = 0, codes = 0] = counts;
    return {
      done: `a clock set to ${chosen.join(', ')} s ahead and right again`,
      checks: {
        'tokens used elsewhere': refreshed,
        'forms used elsewhere': forms,
        'codes used elsewhere': codes,
        emails: invited.length,
      },
      remarks: [
        `${refused} refused until it was noticed`,
        `not ready after at most ${slowestNotice.toFixed(1)} s`,
        'instances, doctor, log, metric',
      ],
      broken,
    };

    /** Where the wrong clock isn't named. */
    async function named(): Promise<string[]> {
      const missing: string[] = [];
      const listed = await runCommand(['instances', '--json'], shared);
      const mismatches = JSON.parse(listed.stdout).map(({ mismatch }: { mismatch: string[] | null }) =>
        mismatch?.join(),
      );
      if (mismatches.filter((each: string) => each === 'clock').length !== 1) missing.push(`instances: ${mismatches}`);
      const { stdout } = await runCommand(['doctor'], shared);
      if (!/clock of \S+ is \d+ s/.test(stdout)) missing.push('doctor says nothing');
      const offset = async () => (await scrape(metricsPort)).of('latchkey_clock_offset_seconds{clock="instance"}');
      await until(async () => Math.abs(await offset()) > 5, 'the metric shows it').catch(({ message }) =>
        missing.push(message),
      );
      await until(() => /clock of \S+ is \d+ s/.test(log), 'the log names it').catch(({ message }) =>
        missing.push(message),
      );
      log = '';
      return missing;
    }

    /** Whichever instance gets the request, also one that isn't ready: it has emails to send nonetheless. */
    async function invite(): Promise<void> {
      for (let number = 0; !isOver; number++) {
        const email = `invited${number}@people.example`;
        const { service } = instances[number % instances.length] ?? wrong;
        const created = new Site(service, apiKey, outside.provider).api('POST', '/api/people', 201, {
          email,
          name: 'Ada',
        });
        await created.then(
          () => invited.push(email),
          // An instance may be too busy on a busy machine. Anything else is a finding.
          (error: Error) => error instanceof ComeBackLater || broken.push(`an invitation: ${error.message}`),
        );
        await pause(200);
      }
    }
  },
};

/** Asks each instance again and again whether it's ready. */
async function balance(instances: readonly Instance[], isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    for (const instance of instances) {
      const asked = fetch(`${instance.served.url}/readyz`);
      instance.isUp = await asked.then(
        ({ status }) => status === 200,
        () => false,
      );
    }
    await pause(checkEvery);
  }
}

async function newApiKey(environment: Record<string, string>): Promise<string> {
  const { services, close } = await composeServices(readConfig(environment));
  try {
    return done(await createApiKey(services, { name: 'Key', permission: 'administrator', days: undefined }, requester))
      .secret;
  } finally {
    await close();
  }
}
