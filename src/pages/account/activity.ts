// The activity page: a user's own events in words.

import type { EventRecord } from '../../protocol/event.ts';
import { html } from '../layout/html.ts';
import type { Messages } from '../messages/messages.ts';
import { type AccountFrame, accountLayout, time } from './account-layout.ts';

export interface ActivityPage {
  readonly events: readonly EventRecord[];
  /** By client ID. */
  readonly clientNames: ReadonlyMap<string, string>;
  /** The last event on this page, when there are older ones. */
  readonly older: string | undefined;
}

export function activityPage(frame: AccountFrame, page: ActivityPage): string {
  const m = frame.messages.account;
  const rows = page.events.flatMap((event) => {
    const words = inWords(frame.messages, event, page.clientNames);
    if (words === undefined) return [];
    const byAdministrator = event.actor !== undefined || event.address === '' || event.address === 'command line';
    const where = byAdministrator ? m.activity.byAdministrator : m.activity.from(event.address);
    return [
      html`<li><span>${words}</span> <span class="quiet">${where}, ${time(m.moment(event.at), event.at)}</span></li>`,
    ];
  });
  const body = html`
<p>${m.activity.lead}</p>
${rows.length === 0 ? html`<p class="quiet">${m.activity.none}</p>` : html`<ul class="log">${rows}</ul>`}
${page.older !== undefined && html`<p><a href="/account/activity?before=${page.older}">${m.activity.older}</a></p>`}`;
  return accountLayout(frame, { section: 'activity', body });
}

/** Undefined for events that are of no interest to the user. */
function inWords(messages: Messages, event: EventRecord, clientNames: ReadonlyMap<string, string>): string | undefined {
  const { ownEvents } = messages.account;
  const { kind } = event;
  if (!(kind in ownEvents)) return undefined;
  const words = ownEvents[kind as keyof typeof ownEvents];
  if (typeof words === 'string') return words;
  const text = (name: string) => String(event.detail?.[name] ?? '');
  const app = clientNames.get(event.clientId ?? '') ?? messages.account.activity.someApp;
  switch (kind) {
    case 'signed_in':
      return ownEvents.signed_in(text('method'), text('device'));
    case 'sign_in_failed':
      return ownEvents.sign_in_failed(text('reason'));
    case 'second_step_asked':
      return ownEvents.second_step_asked(text('device'));
    case 'device_trusted':
      return ownEvents.device_trusted(text('device'));
    case 'approved':
      return text('consent') === 'remembered' ? ownEvents.let_in(app) : ownEvents.approved(app);
    case 'passkey_added':
      return ownEvents.passkey_added(text('name'));
    default:
      return (words as (app: string) => string)(app);
  }
}
