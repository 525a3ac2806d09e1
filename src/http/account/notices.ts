// What an account page says after a form: that something was done, or why the password or the second factor wasn't accepted.

import type { FactorRefusal } from '../../operations/sign-in/confirm-second-factor.ts';
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

/** How to answer when the current password or the second factor was wrong, or was tried too often. */
export function refusalOf(
  { reply, frame }: AccountRequest,
  refusal: FactorRefusal,
): { status: number; problem: string } {
  const m = frame.messages.account;
  switch (refusal.kind) {
    case 'wrong_password':
      return { status: 400, problem: m.wrongPassword };
    case 'wrong_second_factor':
      return { status: 400, problem: m.secondStep.failed };
    case 'throttled':
      return throttledAttempt(reply, refusal, m.throttled);
    case 'codes_throttled':
      return throttledAttempt(reply, refusal, m.secondStep.tooManyCodes);
  }
}
