// `latchkey sweep`: says whether what has expired is deleted, and lets an operator vouch for the clock when it isn't.

import { confirmClock, findSweepPause } from '../operations/journal/sweep.ts';
import { isoTime } from '../protocol/iso-time.ts';
import { type Command, print, printJson, readArguments } from './command.ts';
import { pauseReasons } from './service/sweep-report.ts';
import { withServices } from './with-services.ts';

export const sweep: Command = {
  usage: `Usage: latchkey sweep [--resume] [--json]

Says whether the service deletes what has expired. It pauses when the clock was set, or when most grants and sessions
would be deleted at once, because a wrong clock would delete them for good. It goes on by itself when the clock is right
again. --resume says that it is right already: after a month without the service, most of it has in fact expired.`,

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
      if (pause === undefined) return print('Not paused: what has expired is deleted.');
      print(`Paused since ${isoTime(pause.since)}: ${pauseReasons[pause.reason]}.`);
      if (resumes) print(`It is ${isoTime(services.clock.now())}, you say. The service goes on within a minute.`);
      else print(`It is ${isoTime(services.clock.now())} here. If that is right, run "latchkey sweep --resume".`);
    });
  },
};
