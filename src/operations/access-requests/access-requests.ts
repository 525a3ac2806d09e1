// Requests for access, as those see them who decide: administrators and people with the role `applications` all of them, owners
// those for their applications. Whoever asks for one of another application gets the answer that there's none.

import {
  askedTooLongAgo,
  type RequestStatus,
  requestStatuses,
  statusOf,
} from '../../protocol/account/access-requests.ts';
import { cleanMessage, messageProblem, standingOf } from '../../protocol/account/standing.ts';
import { type Authority, may, ownedOnly, type Right } from '../../protocol/admin/rights.ts';
import { type Total, totalOf } from '../../protocol/admin/totals.ts';
import type { Requester } from '../../protocol/event.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import { problemWith } from '../../protocol/problem.ts';
import { launchUrlOf } from '../../protocol/resources/client.ts';
import { type EntryInput, entryFields } from '../../protocol/resources/entry.ts';
import { recordedValues } from '../../protocol/resources/resource.ts';
import type { ListedRequest } from '../../storage/storage.ts';
import { type Outcome, type Refused, refused, refusedFields } from '../admin/outcome.ts';
import { findEach, type ListPage, type ListRequest, namesById, readPage } from '../admin/paging.ts';
import { findClient } from '../clients/clients.ts';
import { afterExpiredEntries } from '../groups/expired-entries.ts';
import { readEntry } from '../groups/listed-ends.ts';
import type { Mailing, Recording, Timing } from '../services.ts';
import { findUserCalled } from '../users/users.ts';

export const requestFilterNames = ['status', 'application', 'person'] as const;

/** As they are written in a URL. An empty text is no filter. */
export type WrittenRequestFilters = { readonly [Name in (typeof requestFilterNames)[number]]?: string | undefined };

/** Its status now, and the name of the person who decided, if it was one who still exists. */
export interface ShownRequest extends ListedRequest {
  readonly decider: string | undefined;
}

export async function listAccessRequests(
  services: Timing,
  request: ListRequest & WrittenRequestFilters,
  { authority }: Pick<Requester, 'authority'>,
): Outcome<ListPage<ShownRequest>> {
  const { storage } = services;
  const filters = await filtersIn(services, request);
  if (filters.kind === 'refused') return filters;
  const among = amongThose(authority, 'access_requests.read');
  const page = await readPage(request, (part) => storage.pageAccessRequests(part, { ...filters.by, among }));
  return page.kind === 'refused' ? page : { ...page, items: await shown(services, page.items) };
}

/** Undefined for those who have the right for every application. */
function amongThose(authority: Authority | undefined, right: Right): readonly string[] | undefined {
  const owned = ownedOnly(authority, right);
  return owned && [...owned];
}

async function filtersIn(services: Timing, { status, application, person }: WrittenRequestFilters) {
  const known = requestStatuses.find((each) => each === status);
  if (status && known === undefined) {
    return refused({ field: 'status', says: `"status" must be one of: ${requestStatuses.join(', ')}` });
  }
  // Whoever may not look people up learns nothing about who exists: nobody's requests are none.
  const named = person ? await findUserCalled(services, person) : undefined;
  const userId = named?.kind === 'refused' ? '' : named?.user.id;
  const askedAfter = known === 'open' ? askedTooLongAgo(services.clock.now()) : undefined;
  return { kind: 'done', by: { status: known, clientId: application || undefined, userId, askedAfter } } as const;
}

async function shown({ storage, clock }: Timing, requests: readonly ListedRequest[]): Promise<ShownRequest[]> {
  const deciders = requests.flatMap(({ decidedByKind: kind, decidedById: id }) =>
    kind === 'administrator' && id !== null ? [id] : [],
  );
  const names = namesById(await findEach(deciders, (id) => storage.findUser(id)));
  const now = clock.now();
  return requests.map((each) => ({
    ...each,
    status: statusOf(each, now),
    decider: names.get(each.decidedById ?? ''),
  }));
}

export function requestJson(request: ShownRequest) {
  const { id, person, application, status, note, askedAt, decidedAt, decidedByKind, decidedById, expiresAt } = request;
  const isDecided = status === 'allowed' || status === 'declined';
  return {
    id,
    person: { id: person.id, name: person.name, email: person.email },
    application: { client_id: application.id, name: application.name },
    status,
    note,
    asked_at: isoTime(askedAt),
    decided_at: isDecided ? isoTime(decidedAt) : null,
    decided_by: decidedByKind === null ? null : { kind: decidedByKind, id: decidedById ?? '' },
    expires_at: isoTime(expiresAt),
  };
}

/** More aren't shown as a number. */
const mostCounted = 100;

/** How many wait for those who may decide. */
export async function countWaitingRequests(
  { storage, clock }: Timing,
  authority: Authority | undefined,
): Promise<Total> {
  const among = amongThose(authority, 'access_requests.change');
  const waiting = { status: 'open', askedAfter: askedTooLongAgo(clock.now()), among } as const;
  return totalOf(await storage.countAccessRequests(waiting, mostCounted), mostCounted);
}

/** Its application is looked at before anything else: to others, a request doesn't exist. */
export async function findAccessRequest(
  services: Timing,
  id: string,
  { authority }: Pick<Requester, 'authority'>,
  right: Right = 'access_requests.change',
): Outcome<{ request: ShownRequest }> {
  const found = await services.storage.findAccessRequest(id);
  if (found === undefined || !may(authority, right, found.clientId)) {
    return refused(`there is no request "${id.slice(0, 60)}"`, 'not_found');
  }
  const [request = { ...found, decider: undefined }] = await shown(services, [found]);
  return { kind: 'done', request };
}

type Deciding = Recording & Mailing;

/** Adds the person to the application's list, until the end that is given. */
export async function allowAccessRequest(
  services: Deciding,
  id: string,
  given: EntryInput,
  requester: Requester,
): Outcome<{ request: ShownRequest }> {
  const { storage, journal, emailQueue, emailsFor } = services;
  const found = await findAccessRequest(services, id, requester);
  if (found.kind === 'refused') return found;
  const read = readEntry(services, given);
  if (read.kind === 'refused') return read;
  const { request } = found;
  const { clientId, userId, person, application } = request;
  if (isOwn(request, requester)) return refused('someone else has to decide about your own request', 'forbidden');
  const client = await findClient(services, clientId);
  if (client.kind === 'refused') return client;
  const { expiresAt = null } = read.values;
  const about = { userId, clientId };
  const ends = recordedValues(entryFields, { expiresAt });
  const event = journal.event(
    { kind: 'access_request_allowed', ...about, detail: { request: id, ...ends } },
    requester,
  );
  const nobody = { people: [], groups: [] };
  const listed = journal.event({ kind: 'access_allowed', ...about, detail: ends }, requester);
  const change = {
    access: undefined,
    allow: { people: [{ id: userId, expiresAt, event: listed }], groups: [] },
    disallow: nobody,
  };
  const email = emailsFor(person.locale).accessRequestAllowed({
    to: person.email,
    application: application.name,
    url: launchUrlOf(client.client) ?? undefined,
    expiresAt,
  });
  const done = await emailQueue.queueWith([email], (emails) =>
    afterExpiredEntries(services, () =>
      storage.allowRequest(decisionOf(services, request, requester, expiresAt), change, event, emails),
    ),
  );
  return done ? findAccessRequest(services, id, requester) : whyUndecided(services, id, requester);
}

/** The person is told, with the reason if there is one. It isn't stored. */
export async function declineAccessRequest(
  services: Deciding,
  id: string,
  given: string,
  requester: Requester,
): Outcome<{ request: ShownRequest }> {
  const { storage, journal, emailQueue, emailsFor } = services;
  const found = await findAccessRequest(services, id, requester);
  if (found.kind === 'refused') return found;
  const reason = cleanMessage(given);
  const refusal = reasonRefusal(services, reason);
  if (refusal !== undefined) return refusal;
  const { request } = found;
  const { clientId, userId, person, application } = request;
  if (isOwn(request, requester)) return refused('someone else has to decide about your own request', 'forbidden');
  const about = { userId, clientId, detail: { request: id } };
  const event = journal.event({ kind: 'access_request_declined', ...about }, requester);
  const email = emailsFor(person.locale).accessRequestDeclined({
    to: person.email,
    application: application.name,
    reason,
  });
  const done = await emailQueue.queueWith([email], (emails) =>
    storage.declineRequest(decisionOf(services, request, requester, null), event, emails),
  );
  return done ? findAccessRequest(services, id, requester) : whyUndecided(services, id, requester);
}

/** Owners don't give themselves access. */
function isOwn({ userId }: ListedRequest, { actor, authority }: Requester): boolean {
  return userId === actor?.id && !may(authority, 'access_requests.change');
}

function reasonRefusal({ emailQueue }: Mailing, reason: string): Refused | undefined {
  if (reason !== '' && !emailQueue.works) return refused("email is not set up, so a reason can't be sent", 'conflict');
  const problem = messageProblem(reason);
  return refusedFields(problemWith('reason', problem && `the reason ${problem}`));
}

function decisionOf(
  { clock }: Timing,
  { id, userId, clientId }: ListedRequest,
  { actor }: Requester,
  expiresAt: number | null,
) {
  const at = clock.now();
  return { id, userId, clientId, by: actor, at, askedAfter: askedTooLongAgo(at), expiresAt };
}

const decidedWords: Readonly<Record<Exclude<RequestStatus, 'open'>, string>> = {
  allowed: 'was allowed before',
  declined: 'was declined before',
  expired: 'has expired',
};

async function whyUndecided(services: Timing, id: string, requester: Requester): Promise<Refused> {
  const found = await findAccessRequest(services, id, requester);
  if (found.kind === 'refused') return found;
  const { request } = found;
  if (request.status !== 'open') return refused(`the request ${decidedWords[request.status]}`, 'conflict');
  const user = await services.storage.findUser(request.userId);
  if (user !== undefined && standingOf(user, services.clock.now()) !== 'active') {
    return refused({ subject: user.email, says: "can't sign in" }, 'conflict');
  }
  return refused('the request is being changed by someone else; try again', 'conflict');
}
