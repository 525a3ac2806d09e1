// `latchkey client people` and `latchkey client check`: who can use an application, and why.

import {
  checkAccess,
  firstSince,
  listPeopleWithAccess,
  personWithAccessJson,
  reasonJson,
} from '../../operations/clients/people-with-access.ts';
import { accessFilters, type WrittenAccessFilters } from '../../protocol/admin/access-filters.ts';
import type { AccessReason } from '../../storage/storage.ts';
import { requireDone } from '../command.ts';
import { limitOption, searchList } from '../frame/lists.ts';
import { briefTime, shownTime } from '../terminal/times.ts';
import { defineStoreCommand } from '../with-services.ts';
import { clientNamed } from './named-client.ts';

const named = { label: '<client_id|name>', completes: 'client' } as const;
const only = (about: string) => `only those ${about}`;

export const people = defineStoreCommand({
  summary: 'list the people who can use an application now, and why',
  details: 'If everyone can use the application, this lists the people who have connected it.',
  arguments: { client: named },
  options: {
    search: { value: 'TEXT', about: 'only those with a word in the name or email address that begins with TEXT' },
    reason: { values: accessFilters.reason.values, about: only(accessFilters.reason.about) },
    group: { value: 'NAME', completes: 'group', about: only(accessFilters.group.about) },
    'expires-within': { value: 'DAYS', about: only(accessFilters.expires_within.about) },
    unused: { value: 'DAYS', about: only(accessFilters.unused.about) },
    ...limitOption,
  },
  examples: [
    'latchkey client people photos',
    'latchkey client people "Photo album" --unused 90d',
    'latchkey client people photos --group Staff --json',
  ],
  async run({ services, values, args }) {
    const { search, reason, group, unused } = values;
    const filters: WrittenAccessFilters = { reason, group, expires_within: values['expires-within'], unused };
    const { id } = await clientNamed(services, args.client);
    const { items, rest } = await searchList(services, values, async (request) => {
      const found = await listPeopleWithAccess(services, id, { ...request, ...filters });
      return found.kind === 'refused' ? found : { kind: 'done', ...found.people };
    });
    const rows = items.map(({ person, reasons, expiresAt, lastUsedAt }) => {
      const since = firstSince(reasons);
      return [
        person.id,
        person.email,
        person.name,
        reasons.map(({ kind, group }) => group?.name ?? inWords[kind]).join(', '),
        since === null ? '' : briefTime(since),
        expiresAt === null ? '' : briefTime(expiresAt),
        lastUsedAt === null ? '' : briefTime(lastUsedAt),
      ];
    });
    const isFiltered = [search, ...Object.values(filters)].some((given) => given !== undefined);
    return {
      json: items.map(personWithAccessJson),
      list: [['ID', 'EMAIL', 'NAME', 'BY', 'SINCE', 'EXPIRES', 'LAST USED'], ...rows],
      none: isFiltered ? 'No people match.' : 'Nobody can use it now.',
      rest,
    };
  },
});

export const check = defineStoreCommand({
  summary: 'check whether a person can use an application now, and why',
  details:
    'The person is named by email address, username or ID. The exit status is 0 for access, 1 for none, and 2 for anything else.',
  failure: 2,
  arguments: { client: named, person: { label: '<email|username|id>', completes: 'person' } },
  examples: ['latchkey client check photos ada@example.com', 'latchkey client check photos ada@example.com --json'],
  async run({ services, args }) {
    const { id } = await clientNamed(services, args.client);
    const checked = requireDone(await checkAccess(services, id, args.person));
    const { client, user, allowed, reasons, standing } = checked;
    const who = `${user.email} ${allowed ? 'can' : "can't"} use ${JSON.stringify(client.name)}`;
    const denials = [
      ...(standing === 'active' ? [] : [standings[standing]]),
      ...(client.revokedAt === null ? [] : ['the application is revoked']),
      ...(reasons.length > 0 ? [] : ["the application's list has neither them nor a group of theirs"]),
    ];
    return {
      json: { allowed, reasons: reasons.map(reasonJson) },
      text: allowed
        ? [`${who}:`, ...reasons.map((reason) => `  ${sentenceOf(reason)}`)].join('\n')
        : `${who}: ${denials.join(', and ')}.`,
      status: allowed ? 0 : 1,
    };
  },
});

const inWords = { everyone: 'everyone', person: 'directly', group: '' } as const;
const standings = {
  waiting: 'the account is waiting for approval',
  expired: "the account's access has ended",
  disabled: 'the account is disabled',
} as const;

function sentenceOf({ kind, group, expiresAt }: AccessReason): string {
  const by = kind === 'everyone' ? 'everyone can' : kind === 'person' ? 'directly' : `through ${group?.name}`;
  return expiresAt === null ? by : `${by}, until ${shownTime(expiresAt)}`;
}
