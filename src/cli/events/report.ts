// How events are printed: for programs as they always were, with the console's explanation at the end, and on a terminal
// in the console's words.

import type { NamedEvent } from '../../operations/downloads/list-download.ts';
import { detailsOf, explanationOf } from '../../pages/console/events/event-words.ts';
import { english } from '../../pages/languages/languages.ts';
import { detailWithActor, type EventRecord } from '../../protocol/event.ts';
import { failureKinds } from '../../protocol/events/kinds.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import { escapeMisleading } from '../../protocol/reading/control-characters.ts';
import { type Part, print, styled, terminalWidth } from '../terminal/output.ts';
import { localTime } from '../terminal/times.ts';
import { padTo, wrapped } from '../terminal/width.ts';

export function eventJson(event: EventRecord) {
  return {
    id: event.id,
    at: isoTime(event.at),
    kind: event.kind,
    user_id: event.userId ?? null,
    client_id: event.clientId ?? null,
    address: event.address,
    request_id: event.requestId,
    ...(event.traceId !== undefined && { trace_id: event.traceId }),
    detail: detailWithActor(event),
    explanation: explanationOf(english, event) ?? null,
  };
}

/** One line per event. What comes after `explanation=` is the console's sentence, to the end of the line. */
export function eventLine(event: EventRecord): string {
  const detail = Object.entries(detailWithActor(event)).map(
    ([name, value]) => `${name}=${typeof value === 'object' ? value.join(',') : value}`,
  );
  const named = (name: string, value: string | undefined) => (value ? [`${name}=${value}`] : []);
  const about = [
    ...named('user', event.userId),
    ...named('client', event.clientId),
    ...detail,
    ...named('from', event.address),
    ...named('request', event.requestId),
    ...named('trace', event.traceId),
    ...named('explanation', explanationOf(english, event)),
  ];
  // A line break in a value would forge another event.
  return escapeMisleading(`${isoTime(event.at)}  ${event.kind.padEnd(24)}  ${about.join(' ')}`);
}

/** The event in one sentence or two: what it is, and why something failed. */
export function sentenceOf(event: EventRecord): string {
  const explanation = explanationOf(english, event);
  const name = english.admin.kinds[event.kind];
  return explanation === undefined ? name : `${name}: ${explanation}`;
}

const nameWidth = 30;

/** On a terminal: what happened to whom, and below it why, and the details. */
export function printEvent({ event, email, application, actor }: NamedEvent): void {
  const { events: m, kinds } = english.admin;
  const { detail, userId, clientId, address, requestId, traceId } = event;
  const name = escapeMisleading(padTo(kinds[event.kind], nameWidth));
  const programs = { api_key: m.apiKey(actor ?? ''), scim_token: m.directory };
  const by =
    event.actor &&
    m.byActor(event.actor.kind === 'administrator' ? (actor ?? event.actor.id) : programs[event.actor.kind]);
  const about = [email ?? userId, application ?? clientId, by, address].filter(Boolean);
  print(
    styled('dim', localTime(event.at)),
    '  ',
    failureKinds.includes(event.kind) ? styled('red', name) : styled('bold', name),
    escapeMisleading(` ${about.join(' · ')}`),
  );
  const explanation = explanationOf(english, event);
  if (explanation !== undefined) printBelow(explanation, (line) => line);
  const facts = detailsOf(english, detail).map(({ label, value }) => `${label}: ${value}`);
  const more = [
    ...facts,
    ...(requestId === '' ? [] : [`${m.reference}: ${requestId}`]),
    ...(traceId === undefined ? [] : [`${m.trace}: ${traceId}`]),
  ];
  if (more.length > 0) printBelow(more.join(' · '), (line) => styled('dim', line));
}

const indent = '    ';

function printBelow(text: string, style: (line: string) => Part): void {
  const width = (terminalWidth() ?? Number.POSITIVE_INFINITY) - indent.length;
  for (const line of wrapped(escapeMisleading(text), width)) print(style(`${indent}${line}`));
}
