// What `latchkey doctor` says about the servers that events are on, with Citus: whether each answers, and how long a change waits
// that was interrupted between them.

import type { Storage } from '../../storage/storage.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const about = 'event servers';

/** In milliseconds: until it's decided, an interrupted transaction keeps others from its rows. */
const longestRecovery = 5000;

export async function* examineEventServers(storage: Storage): AsyncGenerator<Finding> {
  const { servers, recoveryInterval = 0 } = await storage.findOtherServers();
  let isFine = true;
  for (const { name, problem: reason, undecided } of servers) {
    if (reason !== undefined) {
      isFine = false;
      yield problem(
        about,
        `${name} doesn't answer: ${reason}. What needs an event there gets 503; everything else is served.`,
      );
    }
    if (undecided > 0) {
      isFine = false;
      const what = undecided === 1 ? '1 transaction has' : `${undecided} transactions have`;
      yield problem(
        about,
        `on ${name}, ${what} waited for a decision for more than 5 s. The coordinator decides them once it reaches ${name}; see its log.`,
      );
    }
  }
  if (recoveryInterval > longestRecovery) {
    const todo =
      'On the coordinator, run "ALTER SYSTEM SET citus.recover_2pc_interval = \'5s\'; SELECT pg_reload_conf()".';
    yield warning(about, `an interrupted transaction is decided after up to ${recoveryInterval / 1000} s. ${todo}`);
  }
  if (servers.length > 0 && isFine) yield ok(about, `${servers.length} answer.`);
}
