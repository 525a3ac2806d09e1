// Requests of people who lack access to an application: what they can say, how often they can ask, and how long a request waits.

import { DAY, HOUR, SECOND } from '../durations.ts';
import { isPlainText, withoutInvisible } from '../reading/control-characters.ts';

export const requestStatuses = ['open', 'allowed', 'declined', 'expired'] as const;
export type RequestStatus = (typeof requestStatuses)[number];

/** Of any applications, in a day. */
export const mostRequestsADay = 5;
export const requestDay = DAY;

/** An undecided request ends after this long. */
export const longestRequest = 30 * DAY;

/** The note is removed so long after the decision. */
export const noteKept = 30 * DAY;

/** Those who decide get one email in this time. */
export const requestNoticeInterval = HOUR;
/** What is being stored when the list is read belongs to the next email. */
export const requestNoticeDelay = 10 * SECOND;

/** The end of access that the console preselects, in days. */
export const preselectedDays = 90;

export const noteLimit = 300;

/** What a person has typed, as it's stored. */
export function cleanNote(given: string): string {
  return withoutInvisible(given.replaceAll(/\r\n?/g, '\n')).trim();
}

/** Whether it's too long, or has characters that aren't text. It can have several lines. */
export function isNote(note: string): boolean {
  return [...note].length <= noteLimit && isPlainText(note.replaceAll('\n', ' '));
}

/** When a request that was asked at this time or before has ended without a decision. */
export function askedTooLongAgo(now: number): number {
  return now - longestRequest;
}

/** Its status now: the end of one that waited for too long counts before it's written. */
export function statusOf(
  { status, askedAt }: { readonly status: RequestStatus; readonly askedAt: number },
  now: number,
): RequestStatus {
  return status === 'open' && askedAt <= askedTooLongAgo(now) ? 'expired' : status;
}

/** Why someone can't ask for access now. */
export type AskRefusal = 'open' | 'declined' | 'too_many' | 'off';
