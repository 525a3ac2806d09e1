// Whom and what a filter of events means. People and applications are typed by name, and chosen when there are several.

import { refusalSentence } from '../../../operations/admin/outcome.ts';
import { findClient, listClients } from '../../../operations/clients/clients.ts';
import { clientsCalled, hasEvents } from '../../../operations/events/events.ts';
import type { Services } from '../../../operations/services.ts';
import { findUser, listUsers } from '../../../operations/users/users.ts';
import type { EventsFilter, FilterChoices, FilterView } from '../../../pages/console/events/event-filter.ts';
import type { Messages } from '../../../pages/languages/languages.ts';
import { visibleEvents } from '../../../protocol/admin/event-subjects.ts';
import type { Authority } from '../../../protocol/admin/rights.ts';

export interface ResolvedFilter {
  /** The person who was found, or what was typed. */
  readonly person: string | { readonly id: string };
  readonly choices: FilterChoices;
  readonly names: FilterView['names'];
  /** Why it isn't clear whose events are meant: then none are listed. */
  readonly unclear: string | undefined;
}

const mostChoices = 10;

export async function resolveFilter(
  services: Services,
  messages: Messages,
  filter: EventsFilter,
  authority: Authority | undefined,
): Promise<ResolvedFilter> {
  const [person, application] = await Promise.all([
    resolvePerson(services, messages, filter.person, authority),
    resolveApplication(services, messages, filter.application),
  ]);
  return {
    person: person.meant,
    choices: { person: person.choices, application: application.choices },
    names: { person: person.name, application: application.name },
    unclear: person.unclear ?? application.unclear,
  };
}

async function resolvePerson(services: Services, messages: Messages, text: string, authority: Authority | undefined) {
  const m = messages.admin.events;
  const clear = { meant: text, name: undefined, choices: undefined, unclear: undefined };
  const only = ({ id, name }: { id: string; name: string }) => ({ ...clear, meant: { id }, name });
  if (text === '') return clear;
  const known = await findUser(services, text);
  if (known.kind === 'done') return only(known.user);
  // The events of a person who was deleted are found by their ID.
  if (text.includes('@') || /^[0-9a-z]{26}$/.test(text)) return clear;
  const listed = await listUsers(services, { search: text, limit: mostChoices });
  if (listed.kind === 'refused') return clear;
  const { items: found, next } = listed;
  const [first, ...more] = found;
  if (first === undefined)
    return (await hasEvents(services, text, visibleEvents(authority)))
      ? clear
      : { ...clear, unclear: m.noPerson(text) };
  if (more.length === 0) return only(first);
  const title = next === undefined ? m.severalPeople(text) : m.tooManyPeople(mostChoices);
  return { ...clear, choices: { title, found }, unclear: title };
}

/** The events of several applications that are called alike are all shown, unless there are too many of them. */
async function resolveApplication(services: Services, messages: Messages, text: string) {
  const clear = { name: undefined, choices: undefined, unclear: undefined };
  if (text === '') return clear;
  const known = await findClient(services, text);
  if (known.kind === 'done') return { ...clear, name: known.client.name };
  const [called, listed] = await Promise.all([
    clientsCalled(services, text),
    listClients(services, { search: text, limit: mostChoices }),
  ]);
  const unclear = called.kind === 'refused' ? refusalSentence(called) : undefined;
  if (listed.kind === 'refused' || listed.items.length < 2) return { ...clear, unclear };
  const title = unclear ?? messages.admin.events.chooseApplication;
  return { ...clear, choices: { title, found: listed.items }, unclear };
}
