// `latchkey upstream …`: the identity providers that people can sign in with, from the command line.

import type { Services } from '../../operations/services.ts';
import { lookUpEndpoints, refreshUpstream } from '../../operations/upstreams/refresh-upstream.ts';
import { upstreamActions } from '../../operations/upstreams/subject.ts';
import { endpointsJson, upstreamDetailsJson, upstreamJson } from '../../operations/upstreams/upstream-json.ts';
import {
  callbackUrl,
  changeUpstream,
  createUpstream,
  listUpstreams,
  upstreamDetails,
} from '../../operations/upstreams/upstreams.ts';
import { counted } from '../../pages/messages/counts.ts';
import { upstreamFields } from '../../protocol/resources/upstream.ts';
import type { Upstream } from '../../storage/storage.ts';
import { line, printDiff } from '../apply/diff.ts';
import { requireDone, UsageError } from '../command.ts';
import type { Said } from '../frame/define.ts';
import { fieldLines, fieldOptions, givenByOptions } from '../frame/field-options.ts';
import { limitOption, shownOf } from '../frame/lists.ts';
import type { Command, CommandGroup } from '../frame/spec.ts';
import { actionCommands } from '../frame/subject-commands.ts';
import { givenSecret, neededSecret, secretOptions } from '../secret-input.ts';
import { summaries } from '../summaries.ts';
import { styled } from '../terminal/output.ts';
import { shownTime } from '../terminal/times.ts';
import { defineStoreCommand } from '../with-services.ts';

const upstreamArgument = { name: { label: '<name>', completes: 'upstream' } } as const;

const commands: Record<string, Command> = {
  create: defineStoreCommand({
    summary: 'add an identity provider that people can sign in with',
    createsStore: true,
    details: `Register the printed callback URL at the identity provider. The client secret is read from a file, standard input or a hidden
prompt, and stored encrypted. The identity provider has to be reachable, because its endpoints are looked up.`,
    arguments: { name: { label: '<name>', about: "a-z, 0-9 and -; part of the callback URL; can't be changed later" } },
    options: { ...fieldOptions(upstreamFields, 'create'), ...secretOptions },
    examples: [
      'latchkey upstream create google --issuer https://accounts.google.com --client-id 1234.apps.googleusercontent.com --label Google --trusted-domain gmail.com --create-accounts --secret-file google-secret.txt',
      'latchkey upstream create github --kind github --client-id Ov23liAbCdEfGhIjKlMn --label GitHub --secret-stdin < github-secret.txt',
    ],
    async run({ services, values, args: { name }, requester }) {
      const given = givenByOptions(upstreamFields, 'create', values);
      const input = { ...given, name, secret: await neededSecret(values) };
      const { upstream } = requireDone(await createUpstream(services, input, requester));
      const added = `Added ${JSON.stringify(upstream.label)}. Register this callback URL at the identity provider:`;
      return { json: upstreamJson(services, upstream), text: `${added}\n\n  ${callbackUrl(services, name)}` };
    },
  }),
  list: defineStoreCommand({
    summary: 'list identity providers',
    options: limitOption,
    examples: ['latchkey upstream list'],
    async run({ services, values }) {
      const { items: upstreams, rest } = shownOf(values, await listUpstreams(services));
      const json = upstreams.map((upstream) => upstreamJson(services, upstream));
      const rows = upstreams.map((upstream) => [
        upstream.name,
        statusOf(upstream),
        upstream.createsAccounts ? 'created' : 'not created',
        upstream.label,
        upstream.issuer,
      ]);
      const table = [['NAME', 'STATUS', 'NEW ACCOUNTS', 'LABEL', 'ISSUER'], ...rows];
      return { json, list: table, none: 'No identity providers yet. Add one with "latchkey upstream create".', rest };
    },
  }),
  show: defineStoreCommand({
    summary: 'show an identity provider',
    arguments: upstreamArgument,
    examples: ['latchkey upstream show google'],
    run: ({ services, args: { name } }) => report(services, name),
  }),
  update: defineStoreCommand({
    summary: 'change an identity provider',
    details: `The domains and values that you give replace all of their kind. The name and the issuer can't be changed: delete the identity
provider and add another one instead.`,
    arguments: upstreamArgument,
    options: { ...fieldOptions(upstreamFields, 'change'), ...secretOptions },
    examples: [
      'latchkey upstream update google --trusted-domain gmail.com --trusted-domain example.com',
      'latchkey upstream update okta --trusted-amr mfa --create-accounts yes',
      'latchkey upstream update microsoft --secret-stdin < new-secret.txt',
    ],
    async run({ services, values, args: { name }, requester }) {
      const change = { ...givenByOptions(upstreamFields, 'change', values), secret: await givenSecret(values) };
      if (Object.values(change).every((value) => value === undefined)) throw new UsageError('nothing to change');
      requireDone(await changeUpstream(services, name, change, requester));
      return report(services, name);
    },
  }),
  refresh: defineStoreCommand({
    summary: "look up an identity provider's endpoints again",
    details: `Endpoints are looked up when an identity provider is added, and kept even if it announces others later: secrets and sign-ins go
there. Check the difference with --dry-run first.`,
    arguments: upstreamArgument,
    options: { 'dry-run': { about: 'show what would change, and change nothing' } },
    examples: ['latchkey upstream refresh google --dry-run', 'latchkey upstream refresh google'],
    async run({ services, values, args: { name }, requester }) {
      const dryRun = values['dry-run'];
      const outcome = dryRun
        ? await lookUpEndpoints(services, name)
        : await refreshUpstream(services, name, undefined, requester);
      const { changes } = requireDone(outcome);
      const shown = changes.map((change) => [change.name, { from: change.before, to: change.after }]);
      const json = { dry_run: dryRun, changes: Object.fromEntries(shown) };
      if (changes.length === 0) return { json, text: 'Nothing has changed.' };
      if (!values.json) {
        printDiff(
          changes.map((each) => line('~', `${each.name}: ${shownValue(each.before)} → ${shownValue(each.after)}`)),
        );
      }
      return { json, text: dryRun ? '\nDry run: nothing was changed.' : '\nThe new endpoints are in use.' };
    },
  }),
  ...actionCommands(
    {
      command: 'upstream',
      completes: 'upstream',
      key: { name: 'name', example: 'google' },
      label: '<name>',
      report,
    },
    upstreamActions,
  ),
};

export const upstream: CommandGroup = {
  summary: summaries.upstream,
  examples: [
    'latchkey upstream create google --issuer https://accounts.google.com --client-id 1234.apps.googleusercontent.com --label Google --secret-file google-secret.txt',
    'latchkey upstream list',
    'latchkey upstream refresh google --dry-run',
  ],
  commands,
};

async function report(services: Services, name: string): Promise<Said> {
  const details = requireDone(await upstreamDetails(services, name));
  const { upstream: shown, people } = details;
  return {
    json: upstreamDetailsJson(services, details),
    fields: [
      ['name', shown.name],
      ['label', shown.label],
      ['status', statusOf(shown)],
      ...fieldLines(upstreamFields, shown, ['name', 'label', 'algorithm']),
      ['callback URL', callbackUrl(services, name)],
      ['linked people', counted(people.all)],
      ['without another way in', counted(people.withoutOtherWay)],
      ...Object.entries(endpointsJson(shown.metadata)).map(([what, value]) => [what, shownValue(value)]),
      ['created', shownTime(shown.createdAt)],
    ],
  };
}

function shownValue(value: string | boolean | readonly string[] | null): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : value.join(' ');
}

function statusOf({ disabledAt }: Upstream) {
  return disabledAt === null ? styled('green', 'active') : styled('red', 'disabled');
}
