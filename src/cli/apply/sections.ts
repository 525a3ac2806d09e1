// The sections of the file for `latchkey apply`.

import { fieldChanges, givenChanges } from '../../operations/admin/applied-resource.ts';
import { refusalClause, refused } from '../../operations/admin/outcome.ts';
import {
  applyAttribute,
  attributeSyntax,
  exportAttributes,
  planAttributes,
} from '../../operations/attributes/apply-attributes.ts';
import { allowedIn, allowedUntilIn, applyGroup, type GroupStep } from '../../operations/clients/apply-access.ts';
import {
  applyClient,
  clientSyntax,
  exportClients,
  isRevokedIn,
  planClients,
  stepProblem,
} from '../../operations/clients/apply-clients.ts';
import { exportGroups } from '../../operations/groups/groups.ts';
import type { EndsByName } from '../../operations/groups/listed-ends.ts';
import {
  changeSettings,
  currentSettings,
  exportSettings,
  settingsWithGroups,
} from '../../operations/settings/change-settings.ts';
import {
  applyUpstream,
  exportUpstreams,
  planUpstreams,
  upstreamSyntax,
} from '../../operations/upstreams/apply-upstreams.ts';
import { applyWebhook, exportWebhooks, planWebhooks, webhookSyntax } from '../../operations/webhooks/apply-webhooks.ts';
import type { Webhook } from '../../operations/webhooks/endpoints.ts';
import type { attributeFields } from '../../protocol/resources/attribute.ts';
import type { clientFields } from '../../protocol/resources/client.ts';
import { settingFields } from '../../protocol/resources/settings.ts';
import type { upstreamFields } from '../../protocol/resources/upstream.ts';
import type { webhookFields } from '../../protocol/resources/webhook.ts';
import type { Attribute, Client, Upstream } from '../../storage/storage.ts';
import { CommandFailed, commandRequester, requireDone } from '../command.ts';
import { changeLine, line, listLines, memberLine } from './diff.ts';
import {
  type AppliedKind,
  changeLines,
  changesJson,
  planOf,
  requirePlanned,
  resourceSection,
  type Section,
} from './section-plan.ts';

const applications: AppliedKind<Client, typeof clientFields> = {
  name: 'applications',
  syntax: clientSyntax,
  secretKey: 'client_secret',
  deletes: 'in order',

  plan({ services, described: { clients: inFile }, prune, access: { lists, claims } }) {
    if (inFile === undefined) return undefined;
    const clients = inFile.map((each) =>
      claims.has(each.id) ? { ...each, given: { ...each.given, claims: claims.get(each.id) } } : each,
    );
    return services.storage.listClients().then((existing) => {
      const steps = planClients(existing, clients, prune, lists);
      const problem = steps.map(stepProblem).find((each) => each !== undefined);
      return problem === undefined ? { kind: 'done', steps } : refused(problem);
    });
  },

  take: applyClient,

  named(step) {
    const name = step.kind === 'create' ? step.described.given.name : step.item.name;
    return `application ${JSON.stringify(name)} (${step.id})`;
  },

  newLines({ item }) {
    const { people = [], groups = [] } = allowedIn(item) ?? {};
    const until = allowedUntilIn(item);
    const ends = (of: EndsByName = {}) => Object.entries(of).map(([name, end]) => `${name} ${end}`);
    return [
      ...listLines('allowed people', { added: people, removed: [] }),
      ...listLines('allowed groups', { added: groups, removed: [] }),
      ...listLines('allowed people until', { added: ends(until.people), removed: [] }),
      ...listLines('allowed groups until', { added: ends(until.groups), removed: [] }),
    ];
  },

  shown(name, value, when) {
    if (name === 'name') return JSON.stringify(value);
    if (name !== 'public' || when === 'before' || (when === 'new' && value)) return value;
    return `${value} (${value ? 'its secrets stop working' : 'it gets a secret'})`;
  },

  remarks(step) {
    if (step.kind !== 'update' && step.kind !== 'unchanged') return [];
    if (step.item.revokedAt === null || isRevokedIn(step.described)) return [];
    const restore = `restore it with "latchkey client restore ${step.id}"`;
    return [line('!', `${applications.named(step)} stays revoked (${restore})`)];
  },

  json: ({ revokedAt }) => ({ revoked: revokedAt !== null }),
  export: exportClients,
};

const groups: Section = {
  name: 'groups',

  async plan({ services, described, access }) {
    const named = ({ name }: GroupStep) => `group ${JSON.stringify(name)}`;
    return planOf({
      steps: described.groups && access.groups,
      deletes: 'last',
      named,
      lines: (step) =>
        'members' in step
          ? [
              ...(step.protected === undefined
                ? []
                : [changeLine('protected', { from: !step.protected, to: step.protected })]),
              ...listLines('member', step.members),
              ...listLines('member until', step.until?.items),
            ]
          : [],
      async take(step, report) {
        const outcome = await applyGroup(services, step, commandRequester());
        if (outcome.kind === 'refused') {
          throw new CommandFailed(`can't apply the ${named(step)}: ${refusalClause(outcome)}. Apply the file again.`);
        }
        report.changed(1);
        return {};
      },
      json(step) {
        if (!('members' in step)) return [{ name: step.name }, {}];
        const until = step.until?.items && { members_until: step.until.items };
        const protect = step.protected !== undefined && { protected: { from: !step.protected, to: step.protected } };
        return [{ name: step.name }, { changes: { ...protect, members: step.members, ...until } }];
      },
    });
  },

  export: (services) => exportGroups(services),
};

const settings: Section = {
  name: 'settings',

  async plan({ services, described }) {
    const given = requirePlanned(await settingsWithGroups(services, described.settings, described.groups)).given;
    const changes = fieldChanges(settingFields, await currentSettings(services), { given });
    const change = changes.length;
    return {
      diff: change === 0 ? [] : [line('~', 'settings'), ...changes.flatMap((each) => changeLines(each))],
      counts: { create: 0, change, delete: 0, unchanged: Object.keys(given).length - change },
      kept: [],
      async apply(report) {
        const wanted = givenChanges(settingFields, { given }, changes);
        requireDone(await changeSettings(services, wanted, commandRequester()));
        report.changed(change);
      },
      json: () => ({ changes: changesJson(changes) }),
    };
  },

  export: exportSettings,
};

const attributes: AppliedKind<Attribute, typeof attributeFields> = {
  name: 'attributes',
  syntax: attributeSyntax,
  secretKey: 'secret',
  // Until then, applications may use them.
  deletes: 'last',

  plan({ services, described, prune }) {
    return described.attributes && planAttributes(services, described.attributes, described.clients, prune);
  },

  take: applyAttribute,
  named: ({ id }) => `attribute ${id}`,
  shown: (name, value) => (name === 'values' && value === null ? 'any' : value),
  export: exportAttributes,
};

const upstreams: AppliedKind<Upstream, typeof upstreamFields> = {
  name: 'upstreams',
  syntax: upstreamSyntax,
  secretKey: 'secret',
  // Deleting one makes room for another with the same issuer.
  deletes: 'first',
  plan: ({ services, described, prune }) => described.upstreams && planUpstreams(services, described.upstreams, prune),
  take: applyUpstream,
  named: ({ id }) => `identity provider ${id}`,
  export: exportUpstreams,
};

const webhooks: AppliedKind<Webhook, typeof webhookFields> = {
  name: 'webhooks',
  syntax: webhookSyntax,
  secretKey: 'secret',
  keyWithSecret: 'webhook',
  // Their number is limited.
  deletes: 'first',

  plan({ services, described, prune }) {
    const clientIds = described.clients?.map(({ id }) => id);
    return described.webhooks && planWebhooks(services, described.webhooks, prune, clientIds);
  },

  take: applyWebhook,
  /** With its URL, because a generated ID says nothing. The URL of a new one is on another line. */
  named: (step) => `webhook ${step.id}${step.kind === 'create' ? '' : ` (${step.item.url})`}`,
  newLines: ({ given }) => (given.types ? [] : [memberLine('+', 'types', 'all')]),
  shown: (name, value) => (name === 'types' && value === null ? 'all' : value),
  export: exportWebhooks,
};

/**
 * In the order in which they are applied and written: upstreams and groups are there before the settings and applications
 * that name them, attributes before applications, and applications before their webhooks.
 */
export const sections: readonly Section[] = [
  resourceSection(upstreams),
  groups,
  settings,
  resourceSection(attributes),
  resourceSection(applications),
  resourceSection(webhooks),
];
