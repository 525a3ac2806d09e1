// `latchkey sweep`: says whether what has expired is deleted, and lets an operator vouch for the clock when it isn't.

import { confirmClock, findSweepPause } from '../operations/journal/sweep.ts';
import { isoTime } from '../protocol/iso-time.ts';
import { type Command, print, printJson, readArguments } from './command.ts';
import { pauseReasons } from './service/sweep-report.ts';
import { withServices } from './with-services.ts';

export const sweep: Command = {
  usage: `Usage: latchkey sweep [--resume] [--json]

Shows whether the service is deleting expired data. It stops when the clock jumps, or when most grants and sessions would
be deleted at once, because a wrong clock would delete them for good. It continues once the clock is right again. Use
--resume to confirm that the clock is right: after a month of downtime, for example, most of them really have expired.`,

  async run(args, environment) {
    const { values } = readArguments(args, { resume: { type: 'boolean' }, json: { type: 'boolean' } }, []);
    await withServices(environment, async (services) => {
      const pause = await findSweepPause(services);
      const resumes = pause !== undefined && values.resume === true;
      if (resumes) await confirmClock(services);
      if (values.json) {
        const paused = pause && { since: isoTime(pause.since), reason: pause.reason };
        return printJson({ paused: paused ?? null, resumes });
      }
      if (pause === undefined) return print('Not paused. Expired data is being deleted.');
      print(`Paused since ${isoTime(pause.since)}: ${pauseReasons[pause.reason]}.`);
      if (resumes) print(`Confirmed that it's ${isoTime(services.clock.now())}. Deletion resumes within a minute.`);
      else
        print(
          `This machine's clock says ${isoTime(services.clock.now())}. If that's right, run "latchkey sweep --resume".`,
        );
    });
  },
};
