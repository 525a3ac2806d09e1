// The applications in the file of `latchkey apply`.

import { refused } from '../../operations/admin/outcome.ts';
import { exportClients } from '../../operations/apply/export-file.ts';
import {
  applyChange,
  type ChangingStep,
  isChange,
  planChanges,
  type Step,
} from '../../operations/clients/apply-clients.ts';
import type { DescribedClient } from '../../operations/clients/client-file.ts';
import { listAllClients } from '../../operations/clients/clients.ts';
import type { Services } from '../../operations/services.ts';
import { clientLinkNames } from '../../protocol/oauth/client-links.ts';
import { OutcomeUnknown, StorageUnavailable } from '../../storage/storage.ts';
import { CommandFailed, commandRequester } from '../command.ts';
import { changeLine, type DiffLine, line, listLines, memberLine } from './diff.ts';
import { countSteps, type Report, type Section } from './section.ts';
import { imageSigns } from './settings-section.ts';

/** The steps that have been taken, by client ID. */
type Done = Map<string, { readonly secret: string | undefined }>;

export const applicationsSection: Section = {
  name: 'applications',

  async plan({ services, described: { clients }, prune, access: { lists } }) {
    const steps = clients ? planChanges(await listAllClients(services), clients, prune, lists) : [];
    const revoked = new Set(clients?.filter((client) => client.revoked).map(({ id }) => id));
    const done: Done = new Map();
    return {
      diff: steps.flatMap((step) => [...diffOf(step), ...(revoked.has(step.id) ? [] : revokedLines(step))]),
      counts: countSteps(steps),
      kept: steps.flatMap((step) => (step.kind === 'leave' ? [named(step)] : [])),
      apply: (report) => takeSteps(services, steps.filter(isChange), done, report),
      json: () => steps.map((step) => toJson(step, done)),
    };
  },

  export: exportClients,
};

async function takeSteps(
  services: Services,
  steps: readonly ChangingStep[],
  done: Done,
  report: Report,
): Promise<void> {
  const requester = commandRequester();
  for (const step of steps) {
    const outcome = await applyChange(services, step, requester).catch((error: Error) => {
      if (!(error instanceof StorageUnavailable) || error instanceof OutcomeUnknown) throw error;
      return refused(error.message);
    });
    if (outcome.kind === 'refused') {
      const before = report.hasChanges() ? 'Earlier changes are saved' : 'Nothing was changed';
      throw new CommandFailed(`Can't apply ${step.id}: ${outcome.problem}. ${before}; apply the file again.`);
    }
    done.set(step.id, outcome);
    report.changed(1);
    if (outcome.secret !== undefined) report.secret({ client_id: step.id, client_secret: outcome.secret });
  }
}

function named(step: Step): string {
  const name = step.kind === 'create' ? step.described.name : step.client.name;
  return `application ${JSON.stringify(name)} (${step.id})`;
}

function diffOf(step: Step): DiffLine[] {
  switch (step.kind) {
    case 'create':
      return [line('+', named(step)), ...newLines(step.described)];
    case 'update':
      return [line('~', named(step)), ...changeLines(step)];
    case 'delete':
      return [line('-', named(step))];
    default:
      return [];
  }
}

function newLines(described: DescribedClient): DiffLine[] {
  const { redirectUris, postLogoutRedirectUris, scopes, isPublic, access, allowed, secondFactor, logo } = described;
  const each = (name: string, added: readonly string[] = []) => listLines(name, { added, removed: [] });
  const one = (name: string, value: unknown) =>
    value === undefined || value === null ? [] : [memberLine('+', name, value)];
  return [
    ...each('redirect_uris', redirectUris),
    ...each('post_logout_redirect_uris', postLogoutRedirectUris),
    ...each('scopes', scopes),
    memberLine('+', 'public', isPublic ? 'true' : 'false (it gets a secret)'),
    ...one('access', access),
    ...each('allowed people', allowed?.people),
    ...each('allowed groups', allowed?.groups),
    ...one('second_factor', secondFactor),
    ...one('upstream', described.upstream),
    ...one('logo', logo ? 'added' : undefined),
    ...clientLinkNames.flatMap((link) => one(link, described.links?.[link])),
    ...one('revoked', described.revoked),
  ];
}

function changeLines({ changes }: Step & { kind: 'update' }): DiffLine[] {
  const { name, redirectUris, postLogoutRedirectUris, scopes, isPublic, access, secondFactor, logo, revoked } = changes;
  const quoted = name && { from: JSON.stringify(name.from), to: JSON.stringify(name.to) };
  const effect = isPublic?.to ? 'true (its secrets stop working)' : 'false (it gets a secret)';
  return [
    ...(quoted ? [changeLine('name', quoted)] : []),
    ...listLines('redirect_uris', redirectUris),
    ...listLines('post_logout_redirect_uris', postLogoutRedirectUris),
    ...listLines('scopes', scopes),
    ...(isPublic ? [changeLine('public', { from: isPublic.from, to: effect })] : []),
    ...(access ? [changeLine('access', access)] : []),
    ...listLines('allowed people', changes.allowedPeople),
    ...listLines('allowed groups', changes.allowedGroups),
    ...(secondFactor ? [changeLine('second_factor', secondFactor)] : []),
    ...(changes.upstream ? [changeLine('upstream', changes.upstream)] : []),
    ...(logo ? [memberLine(imageSigns[logo], 'logo', logo)] : []),
    ...clientLinkNames.flatMap((link) => {
      const change = changes.links?.[link];
      return change === undefined ? [] : [changeLine(link, change)];
    }),
    ...(revoked ? [changeLine('revoked', revoked)] : []),
  ];
}

function revokedLines(step: Step): DiffLine[] {
  if ((step.kind !== 'update' && step.kind !== 'unchanged') || step.client.revokedAt === null) return [];
  return [line('!', `${named(step)} stays revoked (restore it with "latchkey client restore ${step.id}")`)];
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
