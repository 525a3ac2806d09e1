// Which events someone with less than all rights sees: those about people without a role, or about applications.

import { type EventKind, eventKinds, kindsOfEvents, type Subject } from '../events/kinds.ts';
import { type Authority, may } from './rights.ts';

/** The kinds that are seen, if the event is about a person without a role, or about an application. */
export interface VisibleEvents {
  readonly ofPeople: readonly EventKind[];
  readonly ofApplications: readonly EventKind[];
}

/** Undefined for those who see every event: administrators, auditors, keys with a permission, and the command line. */
export function visibleEvents(authority: Authority | undefined): VisibleEvents | undefined {
  if (authority === undefined || 'permission' in authority) return undefined;
  if (authority.roles.some((role) => role === 'administrator' || role === 'auditor')) return undefined;
  const about = (...subjects: Subject[]) => eventKinds.filter((kind) => subjects.includes(kindsOfEvents[kind].about));
  return {
    ofPeople: may(authority, 'people.read') ? about('person', 'both') : [],
    ofApplications: may(authority, 'applications.read') ? about('application', 'both') : [],
  };
}
