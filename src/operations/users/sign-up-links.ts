// Links that an administrator gives to people who may create an account themselves. A link is shown once and stored as a
// digest. Using one is part of sign-in/sign-up.ts.

import { digestOf } from '../../protocol/digest.ts';
import { DAY } from '../../protocol/durations.ts';
import type { Requester } from '../../protocol/event.ts';
import { newId, newSecret } from '../../protocol/identifiers.ts';
import { readNew } from '../../protocol/resources/resource.ts';
import { newSignUpLinkFields, type SignUpLinkInput } from '../../protocol/resources/sign-up-link.ts';
import { type SignUpLinkEnd, signUpLinkEnd } from '../../protocol/sign-in/sign-up-rules.ts';
import type { SignUpLink } from '../../storage/storage.ts';
import { type Maker, makerNames, type NotedMaker } from '../admin/makers.ts';
import { findJoinableGroups } from '../admin/named-groups.ts';
import { type Outcome, problemsAt, refused, wholeOrRefused } from '../admin/outcome.ts';
import { findEach, type ListPage, type ListRequest, namesById, readPage } from '../admin/paging.ts';
import type { Linking, Recording, Timing } from '../services.ts';
import { administratorBehind } from './users.ts';

/** They're found without an index, and none is needed for so few. */
const mostLinks = 10_000;
const form = /^lku_[A-Za-z0-9_-]{43}$/;

/** With the names of its groups that exist, who made it, and why it can't be used any more. */
export interface ShownSignUpLink extends SignUpLink {
  readonly groups: readonly string[];
  readonly maker: Maker;
  readonly end: SignUpLinkEnd | undefined;
}

export async function createSignUpLink(
  services: Recording & Linking,
  input: SignUpLinkInput,
  requester: Requester,
): Outcome<{ link: ShownSignUpLink; url: string }> {
  const { storage, clock, random, journal, issuer } = services;
  const read = readNew(newSignUpLinkFields, input);
  const named = await findJoinableGroups(services, read.values.groups ?? [], requester);
  if (named.kind === 'refused' && named.reason === 'forbidden') return named;
  const whole = wholeOrRefused(read, problemsAt('groups', named));
  if (whole.kind === 'refused') return whole;
  const { days, uses, note } = whole.values;
  const groups = named.kind === 'done' ? named.groups : [];
  const now = clock.now();
  const secret = newSecret('lku_', random);
  const link: SignUpLink = {
    id: newId(random),
    uses,
    used: 0,
    groupIds: groups.map(({ id }) => id),
    note,
    createdBy: await administratorBehind(services, requester.actor),
    createdByKey: requester.actor?.kind === 'api_key' ? requester.actor.id : null,
    createdAt: now,
    expiresAt: now + days * DAY,
    revokedAt: null,
  };
  const names = groups.map(({ name }) => name);
  const detail = { link: link.id, uses, days, ...(names.length > 0 && { groups: names }), ...(note && { note }) };
  const event = journal.event({ kind: 'sign_up_link_created', detail }, requester);
  if (!(await storage.createSignUpLink(link, digestOf(secret), mostLinks, event))) {
    const isFull = (await storage.countSignUpLinks()) >= mostLinks;
    const full = `there are ${mostLinks.toLocaleString('en')} sign-up links; they're deleted 30 days after they have ended`;
    return refused(isFull ? full : 'you may not create sign-up links any more', 'conflict');
  }
  const nameOf = await makerNames(services, [requester.actor]);
  const shown = { ...link, groups: names, maker: nameOf(requester.actor), end: undefined };
  return { kind: 'done', link: shown, url: `${issuer}/sign-up?link=${secret}` };
}

/** The newest first. Those that have ended are listed for some time. */
export async function listSignUpLinks(services: Timing, request: ListRequest): Outcome<ListPage<ShownSignUpLink>> {
  const page = await readPage(request, (part) => services.storage.pageSignUpLinks(part));
  return page.kind === 'refused' ? page : { ...page, items: await shownLinks(services, page.items) };
}

async function shownLinks(services: Timing, links: readonly SignUpLink[]): Promise<ShownSignUpLink[]> {
  const { storage, clock } = services;
  const groupIds = links.flatMap((link) => link.groupIds);
  const [groups, nameOf] = await Promise.all([
    findEach(groupIds, (id) => storage.findGroupById(id)),
    makerNames(services, links.map(madeBy)),
  ]);
  const groupNames = namesById(groups);
  return links.map((link) => ({
    ...link,
    groups: link.groupIds.flatMap((id) => groupNames.get(id) ?? []),
    maker: nameOf(madeBy(link)),
    end: signUpLinkEnd(link, clock.now()),
  }));
}

function madeBy({ createdBy, createdByKey }: SignUpLink): NotedMaker {
  return createdByKey === null ? createdBy : { kind: 'api_key', id: createdByKey };
}

export async function findShownLink(services: Timing, id: string): Promise<ShownSignUpLink | undefined> {
  const found = await findSharedLink(services, { id });
  return found && (await shownLinks(services, [found.link]))[0];
}

/** Anyone who has it can't create an account any more, even if they've asked for the email. Accounts made with it stay. */
export async function revokeSignUpLink(
  { storage, clock, journal }: Recording,
  id: string,
  requester: Requester,
): Outcome<{ id: string }> {
  const now = clock.now();
  const link = await storage.findSignUpLink({ id }, now);
  if (link === undefined) return refused(`there is no sign-up link "${id.slice(0, 60)}"`, 'not_found');
  const event = journal.event({ kind: 'sign_up_link_revoked', detail: { link: id } }, requester);
  return (await storage.revokeSignUpLink(id, now, event))
    ? { kind: 'done', id }
    : refused('the sign-up link was revoked before', 'conflict');
}

/** Undefined for one that doesn't exist. */
export async function findSharedLink(
  { storage, clock }: Timing,
  by: { readonly secret: string } | { readonly id: string },
): Promise<{ link: SignUpLink; end: SignUpLinkEnd | undefined } | undefined> {
  if ('secret' in by && !form.test(by.secret)) return undefined;
  const now = clock.now();
  const link = await storage.findSignUpLink('id' in by ? by : { digest: digestOf(by.secret) }, now);
  return link && { link, end: signUpLinkEnd(link, now) };
}
