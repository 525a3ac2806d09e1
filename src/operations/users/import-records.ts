// A batch of people as another service writes them, each with what has become of it. Those who can't be imported don't
// keep the others out.

import type { Requester } from '../../protocol/event.ts';
import type { ImportedPerson } from '../../protocol/import/person.ts';
import { readPerson, type SourceOptions } from '../../protocol/import/sources.ts';
import type { Json } from '../../protocol/reading/strict-json.ts';
import type { Services } from '../services.ts';
import { importPeople, planImport } from './import-users.ts';

export interface RecordOutcome {
  readonly result: 'imported' | 'already_imported' | 'skipped' | 'refused';
  /** Of whoever is imported, unless it was a dry run and they get a new one. */
  readonly id: string | undefined;
  readonly problems: readonly string[];
  readonly left: readonly string[];
}

export interface RecordBatch {
  readonly source: string;
  readonly records: readonly Json[];
  readonly options: SourceOptions;
  readonly dryRun: boolean;
}

export async function importRecords(
  services: Pick<Services, 'storage' | 'clock' | 'random' | 'journal'>,
  { source, records, options, dryRun }: RecordBatch,
  requester: Requester,
): Promise<readonly RecordOutcome[]> {
  const readings = records.map((record) => readPerson(record, options));
  const people = readings.flatMap((reading) => (reading.kind === 'person' ? [reading.person] : []));
  const outcomes = dryRun
    ? await planImport(services, source, people)
    : await importPeople(services, source, people, requester);
  const outcomeOf = new Map<ImportedPerson, (typeof outcomes)[number]>();
  for (const [index, person] of people.entries()) outcomeOf.set(person, outcomes[index]);
  return readings.map((reading): RecordOutcome => {
    const nothing = { id: undefined, problems: [], left: [] };
    if (reading.kind === 'skipped') return { ...nothing, result: 'skipped' };
    if (reading.kind === 'invalid') return { ...nothing, result: 'refused', problems: reading.problems };
    const { person, left } = reading;
    const outcome = outcomeOf.get(person);
    if (outcome?.kind === 'present') return { ...nothing, result: 'already_imported' };
    if (outcome?.kind === 'refused') return { ...nothing, result: 'refused', problems: outcome.problems };
    return { ...nothing, result: 'imported', id: outcome?.id ?? person.id, left };
  });
}
