// What `latchkey migrate --rehearse` says.

import type { Config } from '../../../platform/config.ts';
import { SECOND } from '../../../protocol/durations.ts';
import type { Said } from '../../frame/define.ts';
import { withProgress } from '../../terminal/progress.ts';
import { type GoingBack, type Rehearsal, rehearse, type Step } from './rehearse.ts';

export async function sayRehearsal(config: Config, target: string | undefined): Promise<Said> {
  const rehearsal = await withProgress({ label: 'Rehearsing' }, () => rehearse(config, target));
  const { steps, before, after, made, longestLockWait, disk, goingBack } = rehearsal;
  const held = steps.every(({ problem }) => problem === undefined);
  return {
    json: {
      held,
      schema_before: before ?? null,
      schema_after: after ?? null,
      copied_with: made ?? null,
      steps: steps.map(({ name, took, problem }) => ({ name, milliseconds: took, problem: problem ?? null })),
      longest_lock_wait_ms: longestLockWait ?? null,
      disk_bytes: disk ?? null,
      going_back: goingBack ?? null,
    },
    fields: steps.map(stepRow),
    text: [...facts(rehearsal), verdict(steps)].join('\n'),
    status: held ? 0 : 1,
  };
}

function stepRow({ name, took, problem }: Step): [string, string] {
  return [name, problem === undefined ? seconds(took) : `failed after ${seconds(took)}`];
}

const seconds = (milliseconds: number) => `${(milliseconds / SECOND).toFixed(2)} s`;

function facts({ before, after, made, longestLockWait, disk, goingBack }: Rehearsal): string[] {
  return [
    ...(made === undefined ? [] : [`Copied with ${made}.`]),
    ...(after === undefined ? [] : [`Schema ${before} became ${after}.`]),
    ...(longestLockWait === undefined
      ? []
      : [`The longest wait for a lock of 10 requests a second during the migration: ${seconds(longestLockWait)}.`]),
    ...(disk === undefined ? [] : [`The copy needed ${Math.ceil(disk / 1e6).toLocaleString('en')} MB on disk.`]),
    ...(goingBack === undefined ? [] : [goingBackSentence(goingBack)]),
  ];
}

function goingBackSentence({ possible, unknown }: GoingBack): string {
  if (!possible) {
    return 'Going back afterwards is only possible with a backup, and would lose everything since then: the earlier version is too old for the new schema.';
  }
  if (unknown.length === 0) return 'Going back afterwards would lose nothing.';
  return (
    'Going back afterwards would lose what only the new version knows and enforces; what is in these stays in the store, unused: ' +
    `${unknown.join(', ')}.`
  );
}

function verdict(steps: readonly Step[]): string {
  const failed = steps.find(({ problem }) => problem !== undefined);
  if (failed === undefined) return 'Everything held. The store is unchanged, and the copy is removed.';
  return `The rehearsal failed: ${failed.name}: ${failed.problem}\nThe store is unchanged, and the copy is removed.`;
}
