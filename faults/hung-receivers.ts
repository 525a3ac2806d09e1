// The mail server and a webhook's endpoint accept connections and say nothing. Nobody else waits for them, the service says what
// waits, and everything arrives once they go on.

import { setTimeout as pause } from 'node:timers/promises';
import { Ledger } from '../test/harness/ledger.ts';
import { scrape } from '../test/harness/metrics.ts';
import { populate, Served } from '../test/harness/served.ts';
import { freePort } from '../test/harness/service.ts';
import { until } from '../test/harness/until.ts';
import { type Experiment, inFolder, times } from './experiment.ts';
import { OtherWork } from './other-work.ts';
import { Outside } from './outside.ts';

/** Seconds. Longer than the service waits for a mail server's greeting. */
const hang = 25;
/** Seconds. A request that waited for either of them would take longer. */
const slowestAllowed = 5;
/** Seconds. How long an application may have to wait to be told of a sign-out, while others hang. */
const tokenAllowed = 10;
/** Milliseconds. The metrics are counted in the store that often. */
const countedEvery = 10_000;
/** Enough that none of them gets as many codes as one person may at once (1,000), on a machine that does nothing else. */
const people = 12;

export const hungReceivers: Experiment = {
  name: 'hung-receivers',
  title: 'Mail server and webhook endpoint that hang, embedded store',
  run: ({ scale, say }) =>
    inFolder(async (folder) => {
      await using cleanup = new AsyncDisposableStack();
      const outside = cleanup.use(await Outside.start());
      const metricsPort = await freePort();
      const settings = { LATCHKEY_DATA_DIR: folder, LATCHKEY_METRICS_PORT: String(metricsPort), ...outside.settings };
      const served = cleanup.adopt(await Served.at(settings), (service) => service.end('SIGTERM'));
      const { client, users } = await populate(served.environment, people);
      const ledger = new Ledger(served.service, client, users);
      const work = await OtherWork.prepare(served, outside);
      await served.start();
      await ledger.signIn();
      let ended = false;
      cleanup.defer(() => {
        ended = true;
      });

      const broken: string[] = [];
      const waited = { emails: 0, messages: 0 };
      const rounds = times(4, scale);
      for (let round = 1; round <= rounds; round++) {
        ended = false;
        const load = Promise.all([ledger.loadThrough(() => ended), work.load(() => ended)]);
        await until(() => work.isUnderWay(), 'the service takes the load');
        outside.hang();
        await pause(hang * 1000);
        const ready = await fetch(`${served.url}/readyz`);
        if (ready.status !== 200) broken.push(`/readyz while others hang: ${ready.status}`);
        ended = true;
        await load;
        broken.push(...(await work.logouts.finish(tokenAllowed)));

        // What waited before has been counted by now.
        await pause(countedEvery);
        const metrics = await scrape(metricsPort);
        const [emails, messages] = ['latchkey_emails_waiting', 'latchkey_webhook_messages_waiting'].map((name) =>
          metrics.of(name),
        );
        waited.emails += emails ?? 0;
        waited.messages += messages ?? 0;
        const oldest = metrics.of('latchkey_email_oldest_seconds');
        if (oldest < hang / 2) broken.push(`the oldest email waits for ${oldest.toFixed(0)} s`);
        if (metrics.of('latchkey_webhook_endpoints_failing') !== 1)
          broken.push('the endpoint that hangs counts as working');
        outside.goOn();
        say(`round ${round} of ${rounds}, ${emails} emails and ${messages} messages waited`);
        broken.push(...(await work.check()), ...(await work.finish(ledger)));
      }
      broken.push(...(await ledger.check(true)), ...(await ledger.checkPeople()), ...ledger.wrong);
      const slowest = Math.max(ledger.slowest, work.site.slowest) / 1000;
      if (slowest > slowestAllowed) broken.push(`a request took ${slowest.toFixed(1)} s`);
      return {
        done: `both hung ${rounds} times for ${hang} s, ${people + 6} connections`,
        checks: {
          'emails that waited': waited.emails,
          'webhook messages that waited': waited.messages,
          grants: ledger.grants,
          revocations: ledger.revocations,
          ...work.checks,
        },
        remarks: [`slowest response ${slowest.toFixed(1)} s`],
        broken,
      };
    }),
};
