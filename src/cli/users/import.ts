// The command `latchkey user import` and what it takes.

import { listAttributes } from '../../operations/attributes/attributes.ts';
import { passwordsAreOff } from '../../operations/passwords/password-policy.ts';
import type { Storing } from '../../operations/services.ts';
import { findMappedUpstreams } from '../../operations/users/import-extras.ts';
import { ownColumns } from '../../protocol/import/sources/own.ts';
import { importSources, isImportSource, isSourceName, type SourceOptions } from '../../protocol/import/sources.ts';
import { requireDone, UsageError } from '../command.ts';
import { didYouMean } from '../frame/suggest.ts';
import { importUsers } from '../import/import-users.ts';
import { defineStoreCommand } from '../with-services.ts';

const hashParameters = ['hash-key', 'salt-separator', 'rounds', 'mem-cost'] as const;

export const importUsersCommand = defineStoreCommand({
  summary: 'import people from another service, with their passwords',
  createsStore: true,
  details: `Reads what the other service exports:

  keycloak  the file or the folder of "kc.sh export"
  auth0     the file of an export job, and with --password-hashes what Auth0's support exports; or that alone
  authentik the responses of "GET /api/v3/core/users/?include_groups=true", and with --password-hashes its hashes
  firebase  the JSON or CSV file of "firebase auth:export", with the project's password hash parameters
  clerk     the CSV file of the dashboard, or JSON
  logto     the list of "GET /api/users?includePasswordHash=true", or lines of it
  django    the file of "manage.py dumpdata auth.user"
  csv       a file with these columns, of which only email is required:
            ${ownColumns.slice(0, 7).join(', ')},
            ${ownColumns.slice(7, -1).join(', ')},
            groups (comma separated), identity.NAME (the subject at an identity provider), and attribute.NAME for each attribute (a list is comma separated)

Files can be compressed with gzip. The whole file is checked first: if anyone in it can't be imported, nobody is. People you
imported from the same source before are skipped, so an interrupted import can be repeated. People keep their passwords and,
unless you add --new-ids, their IDs, which applications see as "sub". People who were deleted here are
skipped, so that their IDs aren't given out again.`,
  arguments: { file: { label: '<file>', completes: 'file' } },
  options: {
    from: { values: importSources, required: true, about: 'the service that wrote the file' },
    'dry-run': { about: 'only check the file, and show what would be imported' },
    source: { value: 'NAME', about: 'tell two services of the same kind apart (default: the value of --from)' },
    'new-ids': { about: "give people new IDs instead of the other service's" },
    'restore-deleted-ids': { about: 'also import people who were deleted here, with the IDs they had' },
    'skip-invalid': { about: "import the others if some people can't be imported" },
    'drop-refused-hashes': { about: "import people whose password hash isn't accepted without a password" },
    'without-second-factors': {
      about: "import people whose second factor can't be taken over; an email has them set up another one",
    },
    'groups-from-last-part': {
      about: 'keycloak: name groups by the last part of their path, such as dev for /staff/dev',
    },
    'roles-as-groups': { about: 'keycloak: put people into groups named after their roles' },
    'into-existing-groups': {
      about: 'also put people into groups that are protected, give access to an application or are used in a claim',
    },
    'define-attributes': { about: 'define attributes that are missing, as text' },
    upstream: {
      value: 'NAME=OURS',
      many: true,
      about: "link identities at the provider that's called NAME there and OURS here",
    },
    'emails-verified': {
      about: "authentik: count people's email addresses as verified, which authentik doesn't record",
    },
    'password-hashes': {
      value: 'FILE',
      completes: 'file',
      about: "auth0: the hashes that Auth0's support exports; authentik: username,password in CSV",
    },
    'hash-key': { value: 'KEY', about: 'firebase: base64_signer_key' },
    'salt-separator': { value: 'TEXT', about: 'firebase: base64_salt_separator' },
    rounds: { value: 'NUMBER', about: 'firebase: rounds' },
    'mem-cost': { value: 'NUMBER', about: 'firebase: mem_cost' },
  },
  examples: [
    'latchkey user import export/ --from keycloak --dry-run',
    'latchkey user import users.json --from auth0 --password-hashes hashes.json',
    'latchkey user import accounts.json --from firebase --hash-key KEY --salt-separator Bw== --rounds 8 --mem-cost 14',
    'latchkey user import people.csv --from csv --skip-invalid',
  ],
  async run({ services, values, args }) {
    const { from, source = from } = values;
    if (!isImportSource(from))
      throw new UsageError(`--from must be one of: ${importSources.join(' ')}${didYouMean(from, importSources)}`);
    if (!isSourceName(source)) {
      throw new UsageError('--source must be 1 to 40 characters of a-z 0-9 . _ -, and begin with a letter or digit');
    }
    if (values['password-hashes'] !== undefined && from !== 'auth0' && from !== 'authentik') {
      throw new UsageError('--password-hashes is for --from auth0 and --from authentik');
    }
    if (values['emails-verified'] && from !== 'authentik') {
      throw new UsageError('--emails-verified is for --from authentik');
    }
    const options: SourceOptions = {
      from,
      keepIds: !values['new-ids'],
      dropRefusedHashes: values['drop-refused-hashes'],
      withoutSecondFactors: values['without-second-factors'],
      emailsVerified: values['emails-verified'],
      groupsFromLastPart: values['groups-from-last-part'],
      defineAttributes: values['define-attributes'],
      upstreams: await mappedUpstreams(services, values.upstream),
      rolesAsGroups: values['roles-as-groups'],
      now: services.clock.now(),
      passwordsOff: await passwordsAreOff(services),
      firebase: firebaseParameters(
        from,
        hashParameters.map((name) => values[name]),
      ),
    };
    const findings = await importUsers(services, {
      path: args.file,
      source,
      options,
      attributes: await listAttributes(services),
      hashesPath: values['password-hashes'],
      skipInvalid: values['skip-invalid'],
      dryRun: values['dry-run'],
      restoresIds: values['restore-deleted-ids'],
      intoExistingGroups: values['into-existing-groups'],
    });
    if (!values['dry-run']) return findings.print('Imported', values.json);
    const stopped = findings.problemCount > 0 && !values['skip-invalid'];
    findings.print(stopped ? 'Could import' : 'Would import', values.json);
    if (stopped) findings.throwProblems(`${args.file} has problems, so nothing would be imported:`);
  },
});

async function mappedUpstreams(services: Storing, given: readonly string[] = []): Promise<SourceOptions['upstreams']> {
  const pairs = given.map((text) => {
    const at = text.lastIndexOf('=');
    if (at < 1) throw new UsageError('--upstream must be NAME=OURS, such as google=google');
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  return requireDone(await findMappedUpstreams(services, Object.fromEntries(pairs))).upstreams;
}

function firebaseParameters(from: string, given: readonly (string | undefined)[]): SourceOptions['firebase'] {
  const [signerKey, saltSeparator, rounds, memCost] = given;
  if (given.every((value) => value === undefined)) return undefined;
  if (from !== 'firebase') throw new UsageError('the hash parameters are for --from firebase');
  const numbers = [rounds, memCost].map((text) => (/^\d{1,3}$/.test(text ?? '') ? Number(text) : undefined));
  if (signerKey === undefined || saltSeparator === undefined || numbers.includes(undefined)) {
    throw new UsageError('firebase needs all of --hash-key, --salt-separator, --rounds and --mem-cost');
  }
  return { signerKey, saltSeparator, rounds: numbers[0] ?? 0, memCost: numbers[1] ?? 0 };
}
