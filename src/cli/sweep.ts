// `latchkey sweep`: says whether what has expired is deleted, and lets an operator vouch for the clock when it isn't.

import { confirmClock, findSweepPause } from '../operations/housekeeping/sweep.ts';
import { isoTime } from '../protocol/iso-time.ts';
import { pauseReasons } from './service/sweep-report.ts';
import { localTime, shownTime } from './terminal/times.ts';
import { defineStoreCommand } from './with-services.ts';

export const sweep = defineStoreCommand({
  summary: 'show whether expired data is being deleted, or resume it',
  details: `The service stops deleting when the clock jumps, or when most grants and sessions would be deleted at once, because a
wrong clock would delete them for good. It continues once the clock is right again. Use --resume to confirm that the clock
is right: after a month of downtime, for example, most of them really have expired.`,
  options: { resume: { about: 'confirm that the clock is right, so that deletion resumes' } },
  examples: ['latchkey sweep', 'latchkey sweep --resume'],
  async run({ services, values }) {
    const pause = await findSweepPause(services);
    const resumes = pause !== undefined && values.resume;
    if (resumes) await confirmClock(services);
    const paused = pause && { since: isoTime(pause.since), reason: pause.reason };
    const json = { paused: paused ?? null, resumes };
    if (pause === undefined) return { json, text: 'Not paused. Expired data is being deleted.' };
    const now = process.stdout.isTTY ? localTime(services.clock.now()) : isoTime(services.clock.now());
    const since = `Paused since ${shownTime(pause.since)}: ${pauseReasons[pause.reason]}.`;
    const next = resumes
      ? `Confirmed that it's ${now}. Deletion resumes within a minute.`
      : `This machine's clock says ${now}. If that's right, run "latchkey sweep --resume".`;
    return { json, text: `${since}\n${next}` };
  },
});
