// Merges the snapshots of several processes. Counters never go back: those of an ended process stay in the sum, and for one
// that doesn't respond its last snapshot is used.

import type { FamilyDescription, Snapshot } from './registry.ts';

export class CombinedSnapshots {
  /** The last snapshot of each process that runs. */
  readonly #last = new Map<number, Snapshot>();
  /** The counters of ended processes, summed. */
  #ended: Snapshot = { families: [], values: [] };

  update(process: number, snapshot: Snapshot): void {
    this.#last.set(process, snapshot);
  }

  forget(process: number): void {
    const last = this.#last.get(process);
    if (last === undefined) return;
    this.#last.delete(process);
    // Gauges such as queues and memory end with the process.
    const kept = last.families.map(({ type }) => type !== 'gauge');
    this.#ended = combined([
      this.#ended,
      {
        families: last.families.filter((_, index) => kept[index]),
        values: last.values.filter((_, index) => kept[index]),
      },
    ]);
  }

  total(own: Snapshot): Snapshot {
    return combined([own, ...this.#last.values(), this.#ended]);
  }
}

/** By the names of families: a process of another version may have others. */
function combined(snapshots: readonly Snapshot[]): Snapshot {
  const families: FamilyDescription[] = [];
  const values: Float64Array[] = [];
  const places = new Map<string, number>();
  for (const snapshot of snapshots) {
    for (const [index, family] of snapshot.families.entries()) {
      const added = snapshot.values[index] ?? new Float64Array();
      const place = places.get(family.name);
      const sum = place === undefined ? undefined : values[place];
      if (sum === undefined) {
        places.set(family.name, families.push(family) - 1);
        values.push(added.slice());
      } else if (sum.length === added.length) addTo(sum, added, family.combination);
    }
  }
  return { families, values };
}

function addTo(sum: Float64Array, added: Float64Array, combination: FamilyDescription['combination']): void {
  for (const [index, value] of added.entries()) {
    const before = sum[index] ?? 0;
    sum[index] = combination === 'max' ? Math.max(before, value) : before + value;
  }
}
