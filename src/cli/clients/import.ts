// `latchkey client import`: makes a file for `latchkey apply` of the applications of another service, and says what of
// each doesn't fit. It changes nothing, and opens no store.

import { statSync, writeFileSync } from 'node:fs';
import { convertAuth0Client } from '../../protocol/import/clients/auth0.ts';
import type { ConvertedClient } from '../../protocol/import/clients/converted.ts';
import { convertKeycloakClient } from '../../protocol/import/clients/keycloak.ts';
import { messageOf } from '../../protocol/reading/caught-errors.ts';
import { includes } from '../../protocol/reading/includes.ts';
import { CommandFailed, UsageError } from '../command.ts';
import { defineCommand } from '../frame/define.ts';
import { didYouMean } from '../frame/suggest.ts';
import { findImportFile, readObjects } from '../import/records.ts';
import { printError, printJson, styled } from '../terminal/output.ts';

const sources = ['keycloak', 'auth0'] as const;

export const importClientsCommand = defineCommand({
  summary: "convert another service's applications into a file for apply",
  details: `Reads a Keycloak realm export (a file, or the folder of "kc.sh export"), or the list of applications that Auth0 gives
("auth0 apps list --json", or "GET /api/v2/clients"). Writes a file for "latchkey apply" to standard output, or with
--output to a file, and lists on standard error what couldn't be converted. Nothing is registered yet.

Secrets aren't imported: "latchkey apply" makes a new one for each application that isn't public, and prints it once.`,
  arguments: { file: { label: '<file>', completes: 'file' } },
  options: {
    from: { values: sources, required: true, about: 'the service that wrote the file' },
    output: { value: 'FILE', completes: 'file', about: 'where to write the file for apply' },
  },
  examples: [
    'latchkey client import export/ --from keycloak --output applications.json',
    'latchkey client import apps.json --from auth0 > applications.json',
  ],
  async run({ values: { from, output }, args }) {
    if (!includes(sources, from))
      throw new UsageError(`--from must be one of: ${sources.join(' ')}${didYouMean(from, sources)}`);
    const clients = await convertAll(args.file, from);
    for (const client of clients) report(client);
    const applications = clients.flatMap(({ application }) => (application === undefined ? [] : [application]));
    if (applications.length === 0) throw new CommandFailed(`nothing in ${args.file} can be registered here.`);
    if (output === undefined) return printJson({ applications });
    write(output, `${JSON.stringify({ applications }, null, 2)}\n`);
    const count = applications.length === 1 ? '1 application' : `${applications.length} applications`;
    printError(`\nWrote ${count} to ${output}. Look through it, then run "latchkey apply --file ${output}".`);
  },
});

async function convertAll(path: string, from: (typeof sources)[number]): Promise<ConvertedClient[]> {
  const { paths } = findImportFile(path, from);
  const takenIds = new Set<string>();
  const clients: ConvertedClient[] = [];
  const convert = from === 'keycloak' ? convertKeycloakClient : convertAuth0Client;
  for (const each of paths) {
    for await (const records of readObjects(each, from === 'keycloak' ? 'clients' : undefined)) {
      for (const { value, problem, place } of records) {
        if (value === undefined) throw new CommandFailed(`${place.file}, line ${place.line}: ${problem}.`);
        const converted = convert(value, takenIds);
        if (converted.kind === 'client') clients.push(converted);
      }
    }
  }
  return clients;
}

function report({ oldId, name, application, notes }: ConvertedClient): void {
  const sign = application === undefined ? styled('red', '✗ left out') : styled('green', '✓');
  printError(sign, ` ${name} (${oldId})`);
  for (const note of notes) printError(`    ${note}`);
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    const exists = statSync(file, { throwIfNoEntry: false }) !== undefined;
    throw new CommandFailed(exists ? `${file} exists already.` : `can't write ${file}: ${messageOf(error)}.`);
  }
}
