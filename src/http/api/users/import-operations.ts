// `/api/people/import`: people from another service, some hundred at a time.

import { Type } from 'typebox';
import { refused } from '../../../operations/admin/outcome.ts';
import { findMappedUpstreams } from '../../../operations/users/import-extras.ts';
import { importRecords, type SecondFactorOutcome } from '../../../operations/users/import-users.ts';
import { importSources, isSourceName } from '../../../protocol/import/sources.ts';
import type { Json } from '../../../protocol/reading/strict-json.ts';
import { type ApiOperation, done, operationsAt, strict } from '../define-operation.ts';
import { Count, nullable, Text } from '../schemas.ts';

/** Reading a body takes the event loop, so others wait for it. */
const peopleAtOnce = 500;
const bodyLimit = 1024 * 1024;

const Result = Type.Object({
  result: Type.Enum(['imported', 'already_imported', 'skipped', 'refused'], {
    description:
      'Skipped is a record that is no person, such as a service account, or has the ID of someone who was deleted here.',
  }),
  id: nullable(Text),
  problems: Type.Array(Text, { description: 'Why it was refused, or skipped because of its ID.' }),
  not_taken_over: Type.Array(Text, { description: 'What the record says and Latchkey has no place for.' }),
});

export const importOperations: readonly ApiOperation[] = [
  operationsAt({ tag: 'people', path: '/api/people/import', area: 'people' })('importPeople', 'POST', {
    summary: 'Import people from another service, with their passwords; those who were imported before are skipped',
    powerful: true,
    bodyLimit,
    body: Type.Object(
      {
        from: Type.Enum(importSources, { description: 'Whose records these are; csv for the columns of our own.' }),
        people: Type.Array(Type.Unknown(), {
          minItems: 1,
          maxItems: peopleAtOnce,
          description: `Records as the service exports them, at most ${peopleAtOnce} and 1 MB.`,
        }),
        source: Type.Optional(Type.String({ description: 'Tells two services of the same kind apart.' })),
        new_ids: Type.Optional(Type.Boolean({ description: 'Whether people get new IDs.' })),
        drop_refused_hashes: Type.Optional(
          Type.Boolean({ description: "Whether people whose hash isn't accepted come without a password." }),
        ),
        without_second_factors: Type.Optional(
          Type.Boolean({
            description:
              "Whether people are imported whose second factor can't be taken over; an email has them set up another one.",
          }),
        ),
        groups_from_last_part: Type.Optional(
          Type.Boolean({ description: 'keycloak: whether a group is called like the last part of its path.' }),
        ),
        roles_as_groups: Type.Optional(
          Type.Boolean({ description: 'keycloak: whether people get groups for their roles.' }),
        ),
        into_existing_groups: Type.Optional(
          Type.Boolean({
            description:
              'Whether people also join groups that are protected, give access to an application or are used in a claim.',
          }),
        ),
        emails_verified: Type.Optional(
          Type.Boolean({ description: "authentik: whether people's email addresses count as verified." }),
        ),
        password_hashes: Type.Optional(
          Type.Record(Type.String(), Type.String(), {
            description: 'Hashes that are apart from the records: auth0 by ID, authentik by username.',
          }),
        ),
        define_attributes: Type.Optional(
          Type.Boolean({ description: 'Whether attributes that are missing are defined, as text.' }),
        ),
        upstream: Type.Optional(
          Type.Record(Type.String(), Type.String(), {
            description:
              "Names of identity providers here, by what the other service calls them: people's identities are linked.",
          }),
        ),
        dry_run: Type.Optional(Type.Boolean({ description: 'Whether to check the records only.' })),
        firebase: Type.Optional(
          Type.Object(
            {
              signer_key: Text,
              salt_separator: Text,
              rounds: Type.Integer({ minimum: 1, maximum: 999 }),
              mem_cost: Type.Integer({ minimum: 1, maximum: 999 }),
            },
            { ...strict, description: "The project's password hash parameters." },
          ),
        ),
      },
      strict,
    ),
    data: Type.Object({
      imported: Count,
      already_imported: Count,
      skipped: Count,
      refused: Count,
      second_factors: Type.Object(
        { taken_over: Count, not_taken_over: Count },
        { description: 'Of people who are imported, and of those who are refused because of it.' },
      ),
      results: Type.Array(Result),
    }),
    message: 'Import finished.',
    run: async (services, { body }, requester) => {
      const { from, source = from, firebase } = body;
      if (!isSourceName(source)) return refused('the source must be 1 to 40 characters of a-z 0-9 . _ -');
      const hashes = new Map(Object.entries(body.password_hashes ?? {}));
      const mapped = await findMappedUpstreams(services, body.upstream ?? {});
      if (mapped.kind === 'refused') return refused(mapped.problems[0].says);
      const options = {
        from,
        keepIds: body.new_ids !== true,
        dropRefusedHashes: body.drop_refused_hashes === true,
        withoutSecondFactors: body.without_second_factors === true,
        groupsFromLastPart: body.groups_from_last_part === true,
        emailsVerified: body.emails_verified === true,
        hashOf: (name: string) => hashes.get(name),
        defineAttributes: body.define_attributes === true,
        upstreams: mapped.upstreams,
        rolesAsGroups: body.roles_as_groups === true,
        now: services.clock.now(),
        firebase: firebase && {
          signerKey: firebase.signer_key,
          saltSeparator: firebase.salt_separator,
          rounds: firebase.rounds,
          memCost: firebase.mem_cost,
        },
      };
      // The body was read as JSON, and the schema leaves the records as they are.
      const batch = {
        source,
        records: body.people as Json[],
        options,
        intoExistingGroups: body.into_existing_groups === true,
        dryRun: body.dry_run === true,
      };
      const imported = await importRecords(services, batch, requester);
      if (imported.kind === 'refused') return imported;
      const { outcomes } = imported;
      const count = (result: string) => outcomes.filter((outcome) => outcome.result === result).length;
      const factors = (what: SecondFactorOutcome) =>
        outcomes.filter(({ secondFactor }) => secondFactor === what).length;
      return done({
        imported: count('imported'),
        already_imported: count('already_imported'),
        skipped: count('skipped'),
        refused: count('refused'),
        second_factors: { taken_over: factors('taken_over'), not_taken_over: factors('not_taken_over') },
        results: outcomes.map(({ result, id, problems, left }) => ({
          result,
          id: id ?? null,
          problems: [...problems],
          not_taken_over: [...left],
        })),
      });
    },
  }),
];
