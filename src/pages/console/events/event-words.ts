// Events in words: why something failed, and the details that were recorded.

import type { EventDetail, EventRecord } from '../../../protocol/event.ts';
import type { EventKind } from '../../../protocol/events/kinds.ts';
import type { Messages } from '../../languages/languages.ts';

/** Why something failed and what to do about it; undefined when there is nothing to explain. */
export function explanationOf(messages: Messages, event: EventRecord): string | undefined {
  const { events: m, reasons } = messages.admin;
  const known = reasons[event.kind];
  const { reason, reasons: several = reason, description, requested_client: requested } = event.detail ?? {};
  if (known === undefined || several === undefined) return undefined;
  // A mail server's error codes are its own; every other reason has its words, or brings a description.
  const other = (name: string) =>
    event.kind === 'mail_delayed' || event.kind === 'mail_given_up' ? m.mailServer(name) : String(description ?? '');
  const sentences = [several].flat().map((name) => known[String(name)] ?? other(String(name)));
  return [...sentences, ...(typeof requested === 'string' ? [m.requested(requested)] : [])].join(' ');
}

/** The details that name what an event is about, besides a person and an application. */
const subjects = ['group', 'attribute', 'label', 'upstream', 'host', 'note', 'device', 'list'] as const;
/** Where the name isn't that of the person or the application beside it. */
const named: readonly EventKind[] = [
  'api_key_created',
  'api_key_ended',
  'scim_token_created',
  'scim_token_ended',
  'passkey_added',
  'client_deleted',
];

/** The name of what an event is about, and why something failed. It's as it was at the time. */
export function aboutOf(messages: Messages, event: EventRecord): string | undefined {
  const { detail = {}, kind } = event;
  const subject =
    kind === 'settings_changed' ? 'changed' : named.includes(kind) ? 'name' : subjects.find((name) => detail[name]);
  const value = subject && detail[subject];
  const words = subject && value && (detailsOf(messages, { [subject]: value })[0]?.value ?? String(value));
  return [words, explanationOf(messages, event)].filter(Boolean).join(' · ') || undefined;
}

/** The details that have a label, each with its value in words. */
export function detailsOf(
  messages: Messages,
  detail: EventDetail = {},
): { label: string; value: string; isCode: boolean }[] {
  const { details: labels, values } = messages.admin.events;
  return Object.entries(detail).flatMap(([name, stored]) => {
    const label = labels[name];
    if (label === undefined) return [];
    const words = values[name] ?? {};
    const inWords = (value: string) =>
      (Object.hasOwn(words, value) ? words[value] : undefined) ?? (name in values ? spaced(value) : value);
    const value = [stored].flat().map((each) => (typeof each === 'number' ? each.toLocaleString('en') : inWords(each)));
    // The end of a secret is no word.
    return [{ label, value: value.length === 0 ? '–' : value.join(', '), isCode: name === 'last_four' }];
  });
}

/** A word of the program that has no words of its own, such as a setting that is new. */
function spaced(value: string): string {
  // The name of an attribute, which a person has chosen.
  if (value.includes('.')) return value;
  const text = value
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
