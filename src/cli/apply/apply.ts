// `latchkey apply`: makes the clients, groups and settings match a file, and shows the difference first.

import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { applyGroup, type GroupStep, planAccess } from '../../operations/admin/access/apply-access.ts';
import {
  applyChange,
  type ChangingStep,
  isChange,
  planChanges,
  type Step,
} from '../../operations/admin/apply/apply-clients.ts';
import { type Description, readApplyFile } from '../../operations/admin/apply/apply-file.ts';
import { listAllClients } from '../../operations/admin/clients.ts';
import { type AdminOutcome, refused } from '../../operations/admin/outcome.ts';
import type { Services } from '../../operations/services.ts';
import { clientLinkNames } from '../../protocol/oauth/client-links.ts';
import { OutcomeUnknown, StorageUnavailable } from '../../storage/storage.ts';
import { CommandFailed, commandOrigin, UsageError } from '../command.ts';
import { defineCommand, jsonOption } from '../frame/define.ts';
import { print, printJson } from '../terminal/output.ts';
import { withServices } from '../with-services.ts';
import { groupLines, groupStepJson, items } from './groups.ts';
import {
  applySettings,
  planSettings,
  type SettingSteps,
  settingChanges,
  settingLines,
  settingSummary,
} from './settings.ts';

interface Choices {
  readonly dryRun: boolean;
  readonly prune: boolean;
  readonly json: boolean;
}

/** The steps that have been taken, by client ID. */
type Done = Map<string, { readonly secret: string | undefined }>;

export const apply = defineCommand(
  {
    summary: 'apply a file that describes applications, groups and settings',
    details: `Shows what changes, and changes it:

  {"applications": [{
    "client_id": "photos",                 you choose it; it identifies the application
    "name": "Photos",
    "redirect_uris": ["https://photos.example/callback"],
    "post_logout_redirect_uris": [],       where people can be sent after signing out; default: none
    "scopes": ["openid", "email"],         default: all three
    "public": false,                       default: false
    "access": "listed",                    or "everyone"; default: unchanged
    "allowed": {"people": ["ada@example.com"], "groups": ["Staff"]},   default for each: unchanged
    "second_factor": "required",           or "optional"; default: unchanged
    "logo": "photos.png",                  relative to FILE; default: unchanged; null removes it
    "client_uri": "https://photos.example"   also policy_uri, tos_uri, launch_url; default: unchanged; null removes it
  }],
  "groups": [{"name": "Staff", "members": ["ada@example.com"]}],       default: unchanged
  "settings": {"second_factor": "everyone"}}   see "latchkey settings get"; default: unchanged;
                                               images are paths relative to FILE, or null

The whole file is checked before anything changes. New secrets are printed once. Revoked applications stay revoked. Applying
the same file again changes nothing.`,
    options: {
      file: { value: 'FILE', short: 'f', completes: 'file', about: 'the file to apply; "-" reads standard input' },
      'dry-run': { about: 'show what would change, and change nothing' },
      prune: { about: "delete applications that aren't in FILE, and groups too if FILE has any; otherwise they stay" },
      ...jsonOption,
    },
    examples: ['latchkey apply -f latchkey.json --dry-run', 'latchkey apply -f latchkey.json'],
  },
  async ({ values }, environment) => {
    if (values.file === undefined) throw new UsageError('-f FILE is required');
    const choices = { dryRun: values['dry-run'], prune: values.prune, json: values.json };
    const described = await readDescription(values.file);
    await withServices(environment, (services) => applyTo(services, described, choices));
  },
);

async function applyTo(services: Services, described: Description, { dryRun, prune, json }: Choices): Promise<void> {
  const { groups, lists } = requireKnown(await planAccess(services, described, prune));
  const steps = described.clients ? planChanges(await listAllClients(services), described.clients, prune, lists) : [];
  const settings = await planSettings(services, described.settings);
  const lines = [
    ...settingLines(settings),
    ...groups.flatMap(groupLines),
    ...steps.flatMap((step) => [...differenceLines(step), ...revokedLines(step)]),
  ];
  if (!json) for (const line of lines) print(line);
  const done: Done = new Map();
  const doneGroups = new Set<GroupStep>();
  try {
    if (!dryRun) {
      await applySettings(services, settings);
      await takeGroupSteps(
        services,
        groups.filter(({ kind }) => kind !== 'delete'),
        doneGroups,
      );
      await takeSteps(services, steps.filter(isChange), done, json);
      await takeGroupSteps(
        services,
        groups.filter(({ kind }) => kind === 'delete'),
        doneGroups,
      );
    }
  } finally {
    // Even when a later step fails: a secret that isn't shown now is lost.
    const applications = steps.map((step) => toJson(step, done));
    const groupsJson = groups.map((step) => groupStepJson(step, doneGroups.has(step)));
    if (json) {
      printJson({
        ...{ dry_run: dryRun, applications, ...(described.groups && { groups: groupsJson }) },
        settings: { changes: settingChanges(settings) },
      });
    }
  }
  if (json) return;
  if (lines.length > 0) print('');
  print(`${dryRun ? 'Dry run: nothing was changed. ' : ''}${summary(steps, settings, dryRun)}`);
}

async function takeSteps(services: Services, steps: readonly ChangingStep[], done: Done, json: boolean): Promise<void> {
  const origin = commandOrigin();
  for (const step of steps) {
    const outcome = await applyChange(services, step, origin).catch((error: Error) => {
      if (!(error instanceof StorageUnavailable) || error instanceof OutcomeUnknown) throw error;
      return refused(error.message);
    });
    if (outcome.kind === 'refused') {
      const before = done.size === 0 ? 'Nothing was changed' : 'Earlier changes are saved';
      throw new CommandFailed(`Can't apply ${step.id}: ${outcome.problem}. ${before}; apply the file again.`);
    }
    done.set(step.id, outcome);
    if (!json && outcome.secret !== undefined) printSecret(step.id, outcome.secret);
  }
}

/** Groups are there before the applications that name them, and are deleted after those. */
async function takeGroupSteps(services: Services, steps: readonly GroupStep[], done: Set<GroupStep>): Promise<void> {
  for (const step of steps) {
    const outcome = await applyGroup(services, step, commandOrigin());
    if (outcome.kind === 'refused') {
      throw new CommandFailed(
        `Can't apply the group ${JSON.stringify(step.name)}: ${outcome.problem}. Apply the file again.`,
      );
    }
    done.add(step);
  }
}

function requireKnown<Result>(outcome: AdminOutcome<Result>): Result {
  if (outcome.kind === 'refused') throw new CommandFailed(`${outcome.problem}. Nothing was changed.`);
  return outcome;
}

function printSecret(id: string, secret: string): void {
  print(
    `\n  client_id      ${id}\n  client_secret  ${secret}\n\nCopy the secret now. You won't be able to see it again.`,
  );
}

async function readDescription(file: string): Promise<Description> {
  const name = file === '-' ? 'standard input' : file;
  const folder = file === '-' ? '.' : dirname(file);
  const text = decode(name, await readSource(name, file));
  const read = readApplyFile(text, (path) => {
    try {
      return readFileSync(resolve(folder, path));
    } catch (error) {
      return `can't read the image: ${(error as Error).message}`;
    }
  });
  if (read.kind === 'read') return read;
  const problems = read.problems.map((problem) => `  - ${problem}`).join('\n');
  throw new CommandFailed(`${name} has problems. Nothing was changed:\n${problems}`);
}

async function readSource(name: string, file: string): Promise<Uint8Array> {
  try {
    if (file !== '-') return readFileSync(file);
    const chunks: Uint8Array[] = [];
    for await (const chunk of process.stdin) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch (error) {
    throw new CommandFailed(`Can't read ${name}: ${(error as Error).message}.`);
  }
}

function decode(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CommandFailed(`${name} isn't UTF-8 text.`);
  }
}

function differenceLines(step: Step): string[] {
  switch (step.kind) {
    case 'create':
      return [`+ ${step.id}  create ${JSON.stringify(step.described.name)}`];
    case 'update': {
      const [first, ...others] = changeLines(step);
      return [`~ ${step.id}  ${first}`, ...others.map((line) => `  ${line}`)];
    }
    case 'unchanged':
      return [];
    case 'leave':
      return [`- ${step.id}  not in the file (kept; --prune deletes it)`];
    case 'delete':
      return [`- ${step.id}  delete ${JSON.stringify(step.client.name)}`];
  }
}

function changeLines({ changes }: Step & { kind: 'update' }): string[] {
  const { name, redirectUris, postLogoutRedirectUris, scopes, isPublic, access, secondFactor, logo } = changes;
  const { allowedPeople, allowedGroups } = changes;
  return [
    ...(name ? [`name: ${JSON.stringify(name.from)} -> ${JSON.stringify(name.to)}`] : []),
    ...(redirectUris ? [`redirect_uris: ${items(redirectUris)}`] : []),
    ...(postLogoutRedirectUris ? [`post_logout_redirect_uris: ${items(postLogoutRedirectUris)}`] : []),
    ...(scopes ? [`scopes: ${items(scopes)}`] : []),
    ...(isPublic
      ? [`public: ${isPublic.from} -> ${isPublic.to}${isPublic.to ? ' (its secrets stop working)' : ''}`]
      : []),
    ...(access ? [`access: ${access.from} -> ${access.to}`] : []),
    ...(allowedPeople ? [`allowed people: ${items(allowedPeople)}`] : []),
    ...(allowedGroups ? [`allowed groups: ${items(allowedGroups)}`] : []),
    ...(secondFactor ? [`second_factor: ${secondFactor.from} -> ${secondFactor.to}`] : []),
    ...(logo ? [`logo: ${logo}`] : []),
    ...clientLinkNames.flatMap((link) => linkLine(link, changes.links?.[link])),
  ];
}

function linkLine(name: string, change: { from: string | null; to: string | null } | undefined): string[] {
  return change === undefined ? [] : [`${name}: ${change.from ?? '(none)'} -> ${change.to ?? '(none)'}`];
}

function revokedLines(step: Step): string[] {
  if ((step.kind !== 'update' && step.kind !== 'unchanged') || step.client.revokedAt === null) return [];
  return [`! ${step.id}  stays revoked (restore it with "latchkey client restore ${step.id}")`];
}

function summary(steps: readonly Step[], settings: SettingSteps, dryRun: boolean): string {
  const count = (kind: Step['kind']) => steps.filter((step) => step.kind === kind).length;
  const [created, changed, deleted] = [count('create'), count('update'), count('delete')];
  const text = dryRun
    ? `${created} to create, ${changed} to change, ${deleted} to delete`
    : `${created} created, ${changed} changed, ${deleted} deleted`;
  return `${text}, ${count('unchanged')} unchanged.${settingSummary(settings, dryRun)}`;
}

function toJson(step: Step, done: Done) {
  const secret = done.get(step.id)?.secret;
  return {
    client_id: step.id,
    action: step.kind,
    ...(isChange(step) && { applied: done.has(step.id) }),
    ...(secret !== undefined && { client_secret: secret }),
    ...(step.kind === 'update' && { changes: changesToJson(step) }),
    ...(step.kind !== 'create' && { revoked: step.client.revokedAt !== null }),
  };
}

function changesToJson({ changes }: Step & { kind: 'update' }) {
  const { redirectUris, postLogoutRedirectUris, isPublic, secondFactor, links, ...rest } = changes;
  const { allowedPeople: people, allowedGroups: groups, ...others } = rest;
  return {
    ...others,
    ...(redirectUris && { redirect_uris: redirectUris }),
    ...(postLogoutRedirectUris && { post_logout_redirect_uris: postLogoutRedirectUris }),
    ...(isPublic && { public: isPublic }),
    ...((people || groups) && { allowed: { ...(people && { people }), ...(groups && { groups }) } }),
    ...(secondFactor && { second_factor: secondFactor }),
    ...links,
  };
}
