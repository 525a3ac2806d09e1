// `latchkey export` and `latchkey import`: everything in a store as lines of JSON, to move it to another store.

import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { readConfig } from '../../platform/config.ts';
import { isSystemError, messageOf } from '../../protocol/reading/caught-errors.ts';
import type { Driver } from '../../storage/driver.ts';
import { StorageConflict } from '../../storage/storage.ts';
import { CommandFailed } from '../command.ts';
import { defineCommand } from '../frame/define.ts';
import { summaries } from '../summaries.ts';
import { noteOnTerminal, writeOut } from '../terminal/output.ts';
import { writeCompletely } from '../unfinished-file.ts';
import { type Exported, exportLines, sum } from './export-lines.ts';
import { importLines, incomplete } from './import-lines.ts';
import { ensureSchema, openStore } from './open-store.ts';

export const exportCommand = defineCommand({
  summary: summaries.export,
  details: `Writes people, applications, groups, grants, sessions, settings, webhooks, events and everything else, as one JSON value per
line. Passwords are Argon2id hashes, and secrets are digests or encrypted, as in the store, but keep the output as safe as
the store.

The service can go on running: the export is the store as of one moment. To move to another store, stop the service first, or
what changes after that moment is missing there. The keys aren't included: give the new service the same ones
(LATCHKEY_KEYS or LATCHKEY_KEYS_FILE), so that access tokens, webhook secrets and open forms keep working.`,
  options: {
    output: {
      value: 'FILE',
      completes: 'file',
      about: 'write to a new file that only you can read, instead of standard output',
    },
  },
  examples: [
    'latchkey export --output latchkey.jsonl',
    'latchkey export | DATABASE_URL=postgres://latchkey@db.example/latchkey latchkey import',
  ],
  async run({ values: { output }, environment }) {
    if (output === undefined && process.stdout.isTTY) {
      throw new CommandFailed('export writes to a file or a pipe, not to a terminal. Use --output FILE.');
    }
    if (output !== undefined && existsSync(output)) {
      throw new CommandFailed(`${output} already exists. Choose another file.`);
    }
    const config = readConfig(environment);
    const { rows } = await withStore(config, 'refuse', (driver) =>
      output === undefined ? exportLines(driver, writeOut) : exportToFile(driver, output, 'the export failed'),
    );
    noteOnTerminal(`Exported ${rows.toLocaleString('en')} rows.`);
  },
});

/** The file is there once it's complete. */
export async function exportToFile(driver: Driver, target: string, complaint: string): Promise<Exported> {
  let exported: Exported = { rows: 0, heldFor: 0 };
  await writeCompletely(target, async (unfinished) => {
    const file = await open(unfinished, 'wx', 0o600);
    try {
      exported = await exportLines(driver, (text) => file.appendFile(text));
      await file.sync();
    } finally {
      await file.close();
    }
  }).catch((error) => {
    throw isSystemError(error) ? new CommandFailed(`${complaint}: ${messageOf(error)}.`) : error;
  });
  return exported;
}

export const importCommand = defineCommand({
  summary: summaries.import,
  details: `Reads the output of "latchkey export" into the configured store. Existing rows are replaced with those from the file, so
you can simply repeat an import that was interrupted.`,
  examples: ['latchkey import < latchkey.jsonl'],
  async run({ environment }) {
    if (process.stdin.isTTY) throw new CommandFailed('import reads from a file or a pipe, not from a terminal.');
    const config = readConfig(environment);
    await withStore(config, 'announce', async (driver) => {
      // Not before the store is open: what is read until someone asks for lines is lost.
      const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
      try {
        const { counts, ended } = await importLines(driver, lines);
        if (!ended) throw new CommandFailed(`${incomplete} Everything before that was imported.`);
        noteOnTerminal(`Imported ${sum(counts).toLocaleString('en')} rows.`);
      } catch (error) {
        if (!(error instanceof StorageConflict)) throw error;
        throw new CommandFailed(`the store already has a different row with the same key (${error.message}).`);
      }
    });
  },
});

export async function withStore<Result>(
  config: ReturnType<typeof readConfig>,
  ifMissing: 'announce' | 'refuse',
  work: (driver: Driver) => Promise<Result>,
): Promise<Result> {
  const driver = await openStore(config, { busyTimeout: 10_000, ifMissing });
  try {
    await ensureSchema(config, driver);
    return await work(driver);
  } finally {
    await driver.close();
  }
}
