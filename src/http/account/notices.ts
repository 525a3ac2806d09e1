// What an account page says after a form: that something was done, or why the password wasn't accepted.

import type { Confirmation } from '../../operations/sign-in/confirm-password.ts';
import { throttledAttempt } from '../throttled.ts';
import type { AccountRequest } from './account-pages.ts';

/** The notice that the query asks for (`?done=profile`); undefined for anything that isn't one of ours. */
export function noticeOf(
  { query, frame }: AccountRequest,
  notices: Readonly<Record<string, string>> = frame.messages.account.notices,
): string | undefined {
  const done = query.get('done') ?? '';
  return Object.hasOwn(notices, done) ? notices[done] : undefined;
}

/** How to answer when the current password was wrong, or was tried too often. */
export function refusalOf(
  { reply, frame }: AccountRequest,
  refusal: Exclude<Confirmation, { kind: 'confirmed' }>,
): { status: number; problem: string } {
  const m = frame.messages.account;
  if (refusal.kind === 'wrong_password') return { status: 400, problem: m.wrongPassword };
  return throttledAttempt(reply, refusal, m.throttled);
}
