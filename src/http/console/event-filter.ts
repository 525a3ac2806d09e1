// Whom and what a filter of events means. People and applications are typed by name, and chosen when there are several.

import { findClient, listClients } from '../../operations/admin/clients.ts';
import { findUser, listUsers } from '../../operations/admin/users.ts';
import type { Services } from '../../operations/services.ts';
import type { FilterChoices, FilterView } from '../../pages/console/event-filter.ts';
import type { EventsFilter } from '../../pages/console/events.ts';

export interface ResolvedFilter {
  /** The ID of the person, or what was typed. */
  readonly person: string;
  readonly choices: FilterChoices;
  readonly names: FilterView['names'];
}

const mostChoices = 10;

export async function resolveFilter(services: Services, filter: EventsFilter): Promise<ResolvedFilter> {
  const [person, application] = await Promise.all([
    resolvePerson(services, filter.person),
    resolveApplication(services, filter.application),
  ]);
  return {
    person: person.id,
    choices: { person: person.choices, application: application.choices },
    names: { person: person.name, application: application.name },
  };
}

async function resolvePerson(services: Services, text: string) {
  const none = { id: text, name: undefined, choices: [] };
  if (text === '') return none;
  const known = await findUser(services, text);
  if (known.kind === 'done') return { id: known.user.id, name: known.user.name, choices: [] };
  // The events of somebody who was deleted are found by their ID.
  if (text.includes('@') || /^[0-9a-z]{26}$/.test(text)) return none;
  const found = await listUsers(services, { search: text, limit: mostChoices });
  if (found.kind === 'refused') return none;
  const [only, ...more] = found.items;
  if (only !== undefined && more.length === 0) return { id: only.id, name: only.name, choices: [] };
  return { ...none, choices: found.items };
}

/** Several applications that are called alike are all shown, and each can be chosen. */
async function resolveApplication(services: Services, text: string) {
  if (text === '') return { name: undefined, choices: [] };
  const known = await findClient(services, text);
  if (known.kind === 'done') return { name: known.client.name, choices: [] };
  const found = await listClients(services, { search: text, limit: mostChoices });
  return { name: undefined, choices: found.kind === 'done' && found.items.length > 1 ? found.items : [] };
}
