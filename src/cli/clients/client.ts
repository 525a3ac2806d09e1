// `latchkey client …`: everything an administrator does with clients, from the command line. Registering one is in create.ts.

import { type AllowedList, changeAllowed, readAllowed } from '../../operations/clients/access-list.ts';
import { allowedJson, clientJson } from '../../operations/clients/client-json.ts';
import { listClients, rotateClientSecret } from '../../operations/clients/clients.ts';
import { type GivenOwners, ownersJson, readOwners, updateClientAndOwners } from '../../operations/clients/owners.ts';
import { clientActions } from '../../operations/clients/subject.ts';
import type { Services } from '../../operations/services.ts';
import { claimsJson } from '../../protocol/oauth/claim-json.ts';
import { claimLine } from '../../protocol/oauth/claim-lines.ts';
import { clientFields } from '../../protocol/resources/client.ts';
import { entryFields } from '../../protocol/resources/entry.ts';
import type { Client } from '../../storage/storage.ts';
import { UsageError } from '../command.ts';
import { fieldLines, fieldOptions, givenByOptions } from '../frame/field-options.ts';
import { limitOption, searchList } from '../frame/lists.ts';
import type { Command, CommandGroup } from '../frame/spec.ts';
import { actionCommands } from '../frame/subject-commands.ts';
import { summaries } from '../summaries.ts';
import { print, styled } from '../terminal/output.ts';
import { shownTime, untilText } from '../terminal/times.ts';
import { defineStoreCommand } from '../with-services.ts';
import { type Bridged, bridgedAt, bridgedJson, bridgeOption, printBridged } from './bridged.ts';
import { claimOptions, claimSources, claimsIn } from './claim-options.ts';
import { create, redirectRules, secretText } from './create.ts';
import { importClientsCommand } from './import.ts';
import { clientNamed, requireDoneById } from './named-client.ts';
import { check, people } from './people.ts';
import { preview } from './preview.ts';

const clientArgument = { clientId: { label: '<client_id>', completes: 'client' } } as const;

const allowDetails =
  " People and groups that are already on the list get the new end. Without --expires, access doesn't end.";

const ownerOptions = {
  owner: {
    value: 'EMAIL',
    many: true,
    about: 'a person who decides who has access; replaces all owners',
    completes: 'person',
  },
  'owner-group': {
    value: 'NAME',
    many: true,
    about: 'a protected group whose members decide it; replaces all owners',
    completes: 'group',
  },
  'no-owners': { about: 'remove all owners' },
} as const;

const commands: Record<string, Command> = {
  create,
  import: importClientsCommand,
  list: defineStoreCommand({
    summary: 'list applications',
    options: {
      search: {
        value: 'TEXT',
        about: "only those with TEXT in the name, or at the beginning of a redirect URI's host or of the client ID",
      },
      owner: { value: 'PERSON', about: 'only those that this person owns; "none" for those without an owner' },
      ...limitOption,
    },
    examples: ['latchkey client list', 'latchkey client list --search photo'],
    async run({ services, values, config: { dataDir } }) {
      const { search, owner } = values;
      const oldestFirst = search === undefined ? { sort: 'created' } : {};
      const { items: clients, rest } = await searchList(services, values, (request) =>
        listClients(services, { ...request, ...oldestFirst, owner }),
      );
      const rows = clients.map((client) => [
        client.id,
        client.isPublic ? 'public' : 'confidential',
        client.revokedAt === null ? styled('green', 'active') : styled('red', 'revoked'),
        client.name,
      ]);
      const none =
        owner !== undefined
          ? 'No applications match.'
          : search
            ? `No applications match ${JSON.stringify(search)}.`
            : `No applications in ${dataDir} yet. Register one with "latchkey client create".`;
      const json = clients.map((client) => clientJson(client));
      return { json, list: [['CLIENT_ID', 'TYPE', 'STATUS', 'NAME'], ...rows], none, rest };
    },
  }),
  show: defineStoreCommand({
    summary: 'show an application',
    arguments: { client: { label: '<client_id|name>', completes: 'client' } },
    examples: ['latchkey client show photos', 'latchkey client show "Photo album"'],
    async run({ services, args }) {
      return report(services, await clientNamed(services, args.client));
    },
  }),
  update: defineStoreCommand({
    summary: 'change an application',
    details: `The URIs that you give replace all of their kind. ${redirectRules}

With --access listed, everyone who isn't on the list loses access with the next request, so fill the list first.

People who have agreed to other claims are asked again before the application gets new or changed ones.

With --bridge, the URIs that the application has, or those that you give, go into its section of the bridge's file, which is
printed, and the client gets those of the bridge.`,
    sections: [claimSources],
    arguments: clientArgument,
    options: { ...fieldOptions(clientFields, 'change'), ...claimOptions.change, ...ownerOptions, bridge: bridgeOption },
    examples: [
      'latchkey client update photos --name "Photos 2"',
      'latchkey client update photos --redirect-uri https://photos.example/a --redirect-uri https://photos.example/b',
      'latchkey client update photos --access listed --second-factor required',
      'latchkey client update photos --owner ada@example.com --owner-group Staff',
      "latchkey client update photos --claim groups=groups --claim 'role=if-group:Admins=admin;else=viewer' --claim-label role=Role",
    ],
    async run({ services, values, args, requester, config: { baseUrl } }) {
      const change = givenByOptions(clientFields, 'change', values);
      const claims = await claimsIn(values);
      const owners = ownersIn(values);
      if (
        Object.keys(change).length === 0 &&
        claims === undefined &&
        owners === undefined &&
        values.bridge === undefined
      ) {
        throw new UsageError('nothing to change');
      }
      let bridged: Bridged | undefined;
      const update = (current: Client) => {
        if (values.bridge !== undefined) bridged = bridgedAt(values.bridge, baseUrl, change, current);
        return { ...change, ...(claims !== undefined && { claims: claims(current) }), ...bridged?.registered };
      };
      const outcome = await updateClientAndOwners(services, args.clientId, update, owners, requester);
      const { client, secret } = await requireDoneById(services, args.clientId, outcome);
      const said = await report(services, client, secret);
      if (bridged !== undefined) {
        if (values.json) return { json: { ...said.json, bridge: bridgedJson(bridged, client) } };
        print(
          `${JSON.stringify(client.name)} now signs in over the bridge.${secret === undefined ? '' : `\n\n${secretText(client, secret)}`}`,
        );
        printBridged(bridged, client, secret);
        return undefined;
      }
      if (secret === undefined) return said;
      const text = `\n${JSON.stringify(client.name)} is now a confidential client.\n\n${secretText(client, secret)}`;
      return { ...said, text };
    },
  }),
  preview,
  people,
  check,
  allow: changingAllowed('allow', "add people and groups to an application's access list"),
  disallow: changingAllowed('disallow', 'remove people and groups from the access list'),
  'rotate-secret': defineStoreCommand({
    summary: 'create a new secret; the previous one keeps working, an older one stops',
    arguments: clientArgument,
    examples: ['latchkey client rotate-secret photos'],
    async run({ services, args, requester }) {
      const outcome = await rotateClientSecret(services, args.clientId, requester);
      const { client, secret, retired } = await requireDoneById(services, args.clientId, outcome);
      const made = `Created a new secret for ${JSON.stringify(client.name)}. The previous one keeps working.\n`;
      const oldest = retired && `The oldest one (last used: ${shownTime(retired.usedAt)}) no longer works.\n`;
      return { json: clientJson(client, secret), text: `${made}${oldest ?? ''}\n${secretText(client, secret)}` };
    },
  }),
  ...actionCommands(
    {
      command: 'client',
      completes: 'client',
      key: { name: 'client_id', example: 'photos' },
      label: '<client_id>',
      require: requireDoneById,
    },
    clientActions,
  ),
};

export const client: CommandGroup = {
  summary: summaries.client,
  examples: [
    'latchkey client create --name "My app" --redirect-uri https://app.example/callback',
    'latchkey client list',
    'latchkey client revoke photos',
  ],
  commands,
};

/** Undefined if the options say nothing about owners. */
function ownersIn(values: {
  readonly owner?: readonly string[] | undefined;
  readonly 'owner-group'?: readonly string[] | undefined;
  readonly 'no-owners'?: boolean | undefined;
}): GivenOwners | undefined {
  const { owner: people, 'owner-group': groups, 'no-owners': none } = values;
  const isGiven = people !== undefined || groups !== undefined;
  if (none && isGiven) throw new UsageError("--no-owners can't be combined with owners");
  return isGiven || none ? { people: people ?? [], groups: groups ?? [] } : undefined;
}

function changingAllowed(action: 'allow' | 'disallow', summary: string): Command {
  return defineStoreCommand({
    summary,
    details: `If any name is unknown, nothing changes.${action === 'allow' ? allowDetails : ''}`,
    arguments: {
      ...clientArgument,
      people: { label: '<email|id>', many: true, optional: true, completes: 'person' },
    },
    options: {
      group: { value: 'NAME', many: true, completes: 'group', about: 'a group of people' },
      ...(action === 'allow' ? fieldOptions(entryFields, 'create') : {}),
    },
    examples: [
      `latchkey client ${action} photos ada@example.com bob@example.com`,
      `latchkey client ${action} photos --group Staff`,
      ...(action === 'allow' ? ['latchkey client allow photos ada@example.com --expires 30d'] : []),
    ],
    async run({ services, values: { group: groups = [], ...values }, args: { clientId, people }, requester }) {
      if (people.length + groups.length === 0) throw new UsageError('<email|id> or --group is required');
      const named = { people, groups, ...givenByOptions(entryFields, 'create', values) };
      const outcome = await changeAllowed(services, clientId, action, named, requester);
      const { client, allowed } = await requireDoneById(services, clientId, outcome);
      const advice =
        '\nThe list takes effect with "latchkey client update --access listed". Until then, everyone can use the application.';
      return {
        json: { ...clientJson(client), ...allowedJson(allowed) },
        fields: allowedRows(client, allowed),
        text: client.access === 'everyone' ? advice : undefined,
      };
    },
  });
}

function allowedRows(client: Client, { people, groups }: AllowedList): string[][] {
  return [
    ['access', client.access],
    ...people.map(({ email, listedUntil }) => ['allowed', `${email}${untilText(listedUntil)}`]),
    ...groups.map(({ name, listedUntil }) => ['allowed group', `${name}${untilText(listedUntil)}`]),
  ];
}

async function report(services: Services, client: Client, secret?: string) {
  const allowed = await readAllowed(services, client.id);
  const owners = await readOwners(services, client.id);
  const { revokedAt } = client;
  const json: Record<string, unknown> = {
    ...clientJson(client, secret),
    ...allowedJson(allowed),
    owners: ownersJson(owners),
  };
  return {
    json,
    fields: [
      ['client_id', client.id],
      ['name', client.name],
      ['type', client.isPublic ? 'public' : 'confidential'],
      ['status', revokedAt === null ? styled('green', 'active') : styled('red', `revoked ${shownTime(revokedAt)}`)],
      ...allowedRows(client, allowed),
      ...owners.people.map(({ email }) => ['owner', email]),
      ...owners.groups.map(({ name }) => ['owner group', name]),
      ...fieldLines(clientFields, client, ['name', 'public', 'access', 'claims']),
      ...claimsJson(client.claims).map((claim) => ['claim', claimLine(claim)]),
      ...(json.backchannel_logout === null ? [] : [['back-channel logout', String(json.backchannel_logout)]]),
      ...client.secrets.map(({ lastFour, createdAt, usedAt }) => [
        'secret',
        `${lastFour === null ? '' : `…${lastFour}, `}created ${shownTime(createdAt)}, ${usedAt === null ? 'never used' : `last used ${shownTime(usedAt)}`}`,
      ]),
      ['created', shownTime(client.createdAt)],
    ],
  };
}
