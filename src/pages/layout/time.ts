// Times, in UTC as the service knows them. assets/times.js puts them into the reader's time zone, in the way that
// `data-time` names, and the exact time into a tooltip.

import type { Messages } from '../messages/messages.ts';
import { type Html, html } from './html.ts';

export function dayTime(messages: Messages, at: number): Html {
  return timeElement('day', messages.dates.day(at), at);
}

export function momentTime(messages: Messages, at: number): Html {
  return timeElement('moment', messages.dates.moment(at), at);
}

/** "Today", "Yesterday", or the day. */
export function recentTime(messages: Messages, at: number, now: number): Html {
  return timeElement('recent', messages.dates.recently(at, now), at);
}

function timeElement(kind: 'day' | 'moment' | 'recent', text: string, at: number): Html {
  return html`<time datetime="${new Date(at).toISOString()}" data-time="${kind}">${text}</time>`;
}
