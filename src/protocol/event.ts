// Events: what a record of one holds, and how text from outside is made safe to record. An event never holds a secret.

import type { Authority } from './admin/rights.ts';
import type { EventKind } from './events/kinds.ts';
import type { LanguageTag } from './languages.ts';
import { replaceMisleading } from './reading/control-characters.ts';

export type EventDetail = Readonly<Record<string, string | number | readonly string[]>>;

/** Who asks for something, and from where: a request to the service, or the command line. Events record it. */
export interface Requester {
  readonly address: string;
  readonly requestId: string;
  /** The W3C trace that the request belongs to, if it has one. */
  readonly traceId?: string | undefined;
  /** Browser and device ("Firefox on Linux"), if known. */
  readonly device?: string;
  /** The language of the page that it came from, if there is one. */
  readonly language?: LanguageTag;
  readonly actor?: Actor;
  /** What the actor may do; undefined for the command line and the service itself, which may do everything. */
  readonly authority?: Authority;
}

/** Who made a change to another user or a client. */
export interface Actor {
  readonly kind: 'administrator' | 'api_key' | 'scim_token';
  readonly id: string;
}

export interface EventFacts {
  readonly kind: EventKind;
  readonly userId?: string;
  readonly clientId?: string;
  readonly detail?: EventDetail;
}

export interface EventRecord extends EventFacts, Omit<Requester, 'device' | 'language' | 'authority'> {
  readonly id: string;
  readonly at: number;
  /** Isn't stored: the requester has less than admin access, so whether they may is asked again when it's written. */
  readonly limited?: true;
  /** Isn't stored, either: with the change, the requester can sign in as the person. */
  readonly takesOver?: true;
}

/** The detail as the API and the command line print it, where the actor is a member called `by`. */
export function detailWithActor({ detail, actor }: EventRecord): EventDetail {
  return { ...detail, ...(actor && { by: `${actor.kind} ${actor.id}` }) };
}

/** The longest redirect URI: a refused one is shown in full next to the registered ones. */
const textLimit = 2000;

const clientIdForm = /^[a-z0-9_-]{1,40}$/;

/** A client ID from a request. Anything that doesn't look like one may be a misplaced secret, so it isn't recorded. */
export function quotedClientId(text: string): string {
  return clientIdForm.test(text) ? text : '(not of the form of a client id)';
}

/** Text from outside, shortened and without misleading characters, so that an event can hold it. */
export function quoted(text: string): string {
  const clean = replaceMisleading(text.toWellFormed(), () => '\ufffd');
  return clean.length > textLimit ? `${clean.slice(0, textLimit).toWellFormed()}…` : clean;
}
