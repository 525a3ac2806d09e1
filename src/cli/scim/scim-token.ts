// `latchkey scim-token …`: creates, lists and revokes tokens of directories.

import { createScimToken, listScimTokens, revokeScimToken, scimTokenJson } from '../../operations/scim/scim-tokens.ts';
import { newScimTokenFields } from '../../protocol/resources/scim-token.ts';
import { requireDone } from '../command.ts';
import { fieldOptions, givenByOptions } from '../frame/field-options.ts';
import type { CommandGroup } from '../frame/spec.ts';
import { summaries } from '../summaries.ts';
import { styled } from '../terminal/output.ts';
import { briefTime } from '../terminal/times.ts';
import { defineStoreCommand } from '../with-services.ts';

export const scimToken: CommandGroup = {
  summary: summaries['scim-token'],
  details: 'A SCIM token lets a directory, such as Entra ID or Okta, manage its people and groups at /scim/v2.',
  examples: ['latchkey scim-token create --source entra --name Production', 'latchkey scim-token list'],
  commands: {
    create: defineStoreCommand({
      summary: 'create a token and print it once',
      createsStore: true,
      options: fieldOptions(newScimTokenFields, 'create'),
      examples: [
        'latchkey scim-token create --source entra --name Production',
        'latchkey scim-token create --source okta --name Okta --adopt --days 365',
        'latchkey scim-token create --source entra --name Entra --upstream company --subject-claim oid',
      ],
      async run({ services, values, requester }) {
        const input = givenByOptions(newScimTokenFields, 'create', values);
        const { token, secret } = requireDone(await createScimToken(services, input, requester));
        const made = `Created SCIM token ${JSON.stringify(token.name)} for the source ${token.source}.`;
        const url = `${services.issuer}/scim/v2`;
        const copy = "Copy the token now. You won't be able to see it again.";
        return {
          json: { ...scimTokenJson({ ...token, ended: false }), token: secret },
          text: `${made}\n\n  id     ${token.id}\n  url    ${url}\n  token  ${secret}\n\n${copy}`,
        };
      },
    }),
    list: defineStoreCommand({
      summary: 'list tokens',
      examples: ['latchkey scim-token list'],
      async run({ services }) {
        const tokens = await listScimTokens(services);
        const rows = tokens.map((token) => [
          token.id,
          token.lastFour === null ? '' : `…${token.lastFour}`,
          token.ended ? styled('dim', 'expired') : styled('green', 'active'),
          token.source,
          token.adopts ? 'yes' : 'no',
          token.upstream === null ? '' : `${token.upstream} (${token.subjectClaim})`,
          briefTime(token.createdAt),
          briefTime(token.expiresAt),
          briefTime(token.lastUsedAt),
          token.name,
        ]);
        const titles = [
          'ID',
          'TOKEN',
          'STATUS',
          'SOURCE',
          'ADOPTS',
          'UPSTREAM',
          'CREATED',
          'EXPIRES',
          'LAST USED',
          'NAME',
        ];
        const none = 'No SCIM tokens yet. Create one with "latchkey scim-token create".';
        return { json: tokens.map(scimTokenJson), table: [titles, ...rows], none };
      },
    }),
    revoke: defineStoreCommand({
      summary: 'revoke a token; people and groups of its source stay',
      arguments: { id: { label: '<id>', completes: 'scim-token' } },
      examples: ['latchkey scim-token revoke 6vhp3ewcjxhvrg8cvwbfwnwr7h'],
      async run({ services, args, requester }) {
        const { id } = requireDone(await revokeScimToken(services, args.id, requester));
        return { json: { id, revoked: true }, text: `Revoked SCIM token ${id}. It no longer works.` };
      },
    }),
  },
};
