// What `latchkey doctor` says about the instances that run on the store: whether they have the same settings, keys and time, and
// which of them a new key is waiting for.

import { type LiveInstances, mismatched } from '../../operations/instances/instances.ts';
import { clockAdvice, clockSentences, mismatchSentence } from '../service/instance-watch.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const about = 'instances';

export function* examineInstances(found: LiveInstances): Generator<Finding> {
  const { instances, waiting } = found;
  if (instances.length === 0) return;
  const clocks = clockSentences(found);
  const differ = mismatched(instances).length > 0;
  if (differ) {
    yield problem(
      about,
      `${mismatchSentence(instances)} Give them all the same; "latchkey instances" shows what they have.`,
    );
  }
  if (clocks.length > 0) yield problem(about, `${clocks.join(' ')} ${clockAdvice}`);
  if (!differ && clocks.length === 0) {
    const count = instances.length === 1 ? '1 is running' : `${instances.length} are running, with the same settings`;
    yield ok(about, `${count}.`);
  }
  const versions = [...new Set(instances.map(({ version }) => version))];
  if (versions.length > 1)
    yield warning(about, `running different versions: ${versions.join(', ')}. Finish the upgrade.`);
  for (const { keyId, lacking } of waiting) {
    const todo = 'Give them the same keys as the others, or stop them.';
    yield warning(
      about,
      `the new key ${keyId} isn't used yet, because some don't have it: ${lacking.join(', ')}. ${todo}`,
    );
  }
}
