// The activity page: a user's own events in words.

import type { EventRecord } from '../../protocol/event.ts';
import { linkButton } from '../components/controls.ts';
import { card, emptyState } from '../components/display.ts';
import type { Messages } from '../languages/languages.ts';
import { deviceInWords } from '../layout/device.ts';
import { html } from '../layout/html.ts';
import { momentTime } from '../layout/time.ts';
import { type AccountFrame, accountLayout } from './account-layout.ts';

export interface ActivityPage {
  readonly events: readonly EventRecord[];
  /** By client ID. */
  readonly clientNames: ReadonlyMap<string, string>;
  /** The last event on this page, when there are older ones. */
  readonly older: string | undefined;
}

export function activityPage(frame: AccountFrame, page: ActivityPage): string {
  const m = frame.messages.account.activity;
  const rows = page.events.flatMap((event) => {
    const words = inWords(frame.messages, event, page.clientNames);
    if (words === undefined) return [];
    const facts = factsOf(frame.messages, event).map((fact) => html`<span>${fact}</span>`);
    return [
      html`<li><span>${words}</span> <span class="quiet facts-line">${facts}${momentTime(frame.messages, event.at)}</span></li>`,
    ];
  });
  const body = html`
${card({
  lead: m.lead,
  body: rows.length === 0 ? emptyState({ icon: 'clock', title: m.none }) : html`<ul class="log">${rows}</ul>`,
  actions:
    page.older === undefined
      ? undefined
      : linkButton({ label: m.older, href: `/account/activity?before=${page.older}` }),
})}`;
  return accountLayout(frame, { section: 'activity', body });
}

/** Undefined for events that are of no interest to the user. */
function inWords(messages: Messages, event: EventRecord, clientNames: ReadonlyMap<string, string>): string | undefined {
  const { ownEvents, activity } = messages.account;
  if (!Object.hasOwn(ownEvents, event.kind)) return undefined;
  const kind = event.kind as keyof typeof ownEvents;
  if (kind === 'identity_linked' || kind === 'identity_unlinked') {
    return ownEvents[kind](String(event.detail?.label ?? event.detail?.upstream ?? ''));
  }
  if (kind === 'user_disabled' && event.detail?.reason === 'inactive') return messages.inactivity.disabled;
  if (kind === 'passkey_added') return ownEvents.passkey_added(String(event.detail?.name ?? ''));
  const words = kind === 'approved' && event.detail?.consent === 'remembered' ? ownEvents.let_in : ownEvents[kind];
  return typeof words === 'string' ? words : words(clientNames.get(event.clientId ?? '') ?? activity.someApp);
}

/** How and where it happened. */
function factsOf(messages: Messages, { detail, actor, address }: EventRecord): string[] {
  const { methods, reasons, activity } = messages.account;
  const byAdministrator = actor !== undefined || address === '' || address === 'command line';
  return [
    ...named(methods, detail?.method),
    ...named(reasons, detail?.reason),
    ...(typeof detail?.device === 'string' ? [deviceInWords(messages, detail.device)] : []),
    byAdministrator ? activity.byAdministrator : address,
  ];
}

function named(names: Readonly<Record<string, string>>, value: unknown): string[] {
  const name = typeof value === 'string' && Object.hasOwn(names, value) ? names[value] : undefined;
  return name === undefined ? [] : [name];
}
