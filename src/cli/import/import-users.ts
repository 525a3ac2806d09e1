// `latchkey user import`: the whole file is checked first, then it's read again and written in batches. Every batch is
// one write, and people who were imported before are skipped, so an interrupted import can simply be repeated.

import { setTimeout as pause } from 'node:timers/promises';
import { listAttributes } from '../../operations/attributes/attributes.ts';
import type { Services } from '../../operations/services.ts';
import { defineAttributes, NewAttributes } from '../../operations/users/import-extras.ts';
import { checkPeople, importBatch, importPeople, secondFactorOf } from '../../operations/users/import-users.ts';
import { emailKey } from '../../protocol/account/email-address.ts';
import { usernameKey } from '../../protocol/account/names.ts';
import { MINUTE } from '../../protocol/durations.ts';
import type { ImportedPerson } from '../../protocol/import/person.ts';
import { readAuth0Hash } from '../../protocol/import/sources/auth0.ts';
import { readAuthentikHash } from '../../protocol/import/sources/authentik.ts';
import { type ImportSource, readPerson, type SourceOptions } from '../../protocol/import/sources.ts';
import { type Attribute, identityKey, StorageUnavailable } from '../../storage/storage.ts';
import { CommandFailed, commandRequester, requireDone } from '../command.ts';
import { withProgress } from '../terminal/progress.ts';
import { Findings, shownProblems } from './findings.ts';
import { findImportFile, type ImportFile, type Place, readObjects, readRecords, readTable } from './records.ts';
import { Scratch } from './scratch.ts';

export interface UserImport {
  readonly path: string;
  /** What (source, old id) names: the service, or one of several of its kind. */
  readonly source: string;
  readonly options: SourceOptions;
  /** Those that a column can name. */
  readonly attributes: readonly Attribute[];
  /** Auth0's support exports hashes apart from everything else, and authentik's are in its database only. */
  readonly hashesPath: string | undefined;
  readonly skipInvalid: boolean;
  readonly dryRun: boolean;
  /** Whether people come back who were deleted here. */
  readonly restoresIds: boolean;
  readonly intoExistingGroups: boolean;
}

interface Found {
  readonly person: ImportedPerson;
  readonly place: Place;
}

export async function importUsers(services: Services, given: UserImport): Promise<Findings> {
  const file = findImportFile(given.path, given.options.from);
  const scratch = new Scratch();
  try {
    if (given.hashesPath !== undefined) await readHashes(given.hashesPath, given.options.from, scratch);
    const { attributes } = given;
    const options = { ...given.options, attributes, hashOf: (id: string) => scratch.hashOf(id) };
    const further = new NewAttributes(attributes);
    const work = { ...given, options, file, further };
    const checked = await checkFile(services, work, scratch);
    if (given.dryRun) return checked;
    if (checked.problemCount > 0 && !given.skipInvalid) {
      checked.throwProblems(`${given.path} has problems, so nothing was imported:`);
    }
    if (further.names.size > 0) {
      requireDone(await defineAttributes(services, further.names, commandRequester()));
      const defined = await listAttributes(services);
      return await writeFile(services, { ...work, attributes: defined, options: { ...options, attributes: defined } });
    }
    return await writeFile(services, work);
  } finally {
    scratch.close();
  }
}

interface Work extends UserImport {
  readonly file: ImportFile;
  readonly further: NewAttributes;
}

async function checkFile(services: Services, work: Work, scratch: Scratch): Promise<Findings> {
  const findings = new Findings();
  await forEachBatch('Checking', work, findings, async (batch) => {
    const people = batch.map(({ person }) => person);
    const outcomes = await checkPeople(services, { ...work, people, since: work.options.now });
    for (const [index, { person, place }] of batch.entries()) {
      const outcome = outcomes[index];
      findings.count(outcome, place);
      if (outcome?.kind !== 'imported') continue;
      findings.countFactor(secondFactorOf(person));
      scratch.add('id', person.oldId, place);
      scratch.add('email address', emailKey(person.email), place);
      if (person.username !== null) scratch.add('username', usernameKey(person.username), place);
      for (const each of person.identities) scratch.add('identity', identityKey(each), place);
    }
  });
  const { groups, surplus } = scratch.duplicates(shownProblems);
  findings.duplicates(groups, surplus);
  findings.imported -= surplus;
  return findings;
}

async function writeFile(services: Services, work: Work): Promise<Findings> {
  const findings = new Findings();
  const requester = commandRequester();
  await forEachBatch('Importing', work, findings, async (batch) => {
    const people = batch.map(({ person }) => person);
    const outcomes = await untilAvailable(() =>
      importPeople(services, { ...work, people, since: work.options.now }, requester),
    );
    for (const [index, { person, place }] of batch.entries()) {
      findings.count(outcomes[index], place);
      if (outcomes[index]?.kind === 'imported') findings.countFactor(secondFactorOf(person));
    }
    if (findings.problemCount > 0 && !work.skipInvalid) {
      const written = `${findings.imported.toLocaleString('en')} people are imported`;
      findings.throwProblems(`Since the file was checked, the store or the file has changed. ${written}; not these:`);
    }
  });
  return findings;
}

/** While one batch is with the store, the next one is read. */
async function forEachBatch(
  label: string,
  { file, options, further }: Work,
  findings: Findings,
  take: (batch: readonly Found[]) => Promise<void>,
): Promise<void> {
  let read = 0;
  let batch: Found[] = [];
  let underWay: Promise<void> | undefined;
  const hand = async () => {
    await underWay;
    underWay = take(batch);
    // Its failure is thrown where it is awaited next.
    underWay.catch(() => {});
    batch = [];
  };
  await withProgress({ label, share: () => read / Math.max(1, file.size) }, async (progress) => {
    for await (const records of readRecords(file, options.from, (bytes) => (read += bytes), options)) {
      for (const { value, problem, place } of records) {
        const reading = value === undefined ? undefined : readPerson(value, options);
        const full = reading?.kind === 'person' ? further.take(reading.person) : [];
        for (const text of full) findings.problem(place, text);
        if (full.length > 0) continue;
        if (reading?.kind === 'person') {
          findings.leave(reading.left);
          batch.push({ person: reading.person, place });
          if (batch.length === importBatch) await hand();
        } else if (reading?.kind === 'skipped') findings.skip(reading.what);
        else {
          if (reading?.lostFactor) findings.countFactor('not_taken_over');
          for (const text of reading?.problems ?? [problem ?? 'cannot be read']) findings.problem(place, text);
        }
      }
      progress.add(0);
    }
    if (batch.length > 0) await hand();
    await underWay;
  });
}

/** In milliseconds. A store that fails over is back by then. */
const patience = MINUTE;

/** A batch can be repeated: people who were written before the answer was lost are skipped. */
async function untilAvailable<Result>(attempt: () => Promise<Result>): Promise<Result> {
  const since = performance.now();
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StorageUnavailable) || performance.now() - since > patience) throw error;
      await pause(1000);
    }
  }
}

async function readHashes(path: string, from: ImportSource, scratch: Scratch): Promise<void> {
  const [all, readHash] =
    from === 'authentik' ? [readTable(path), readAuthentikHash] : [readObjects(path, undefined), readAuth0Hash];
  for await (const records of all) {
    for (const { value, place } of records) {
      const read = value === undefined ? undefined : readHash(value);
      const where = `${place.file}, line ${place.line}`;
      if (read === undefined)
        throw new CommandFailed(
          `${where}: there is no ${from === 'authentik' ? 'username' : 'id'} with a password hash.`,
        );
      if (!scratch.setHash(read.id, read.hash)) throw new CommandFailed(`${where}: ${read.id} appears twice.`);
    }
  }
}
