// What an account page says after a form: that something was done.

import type { AccountRequest } from './account-pages.ts';

/** The notice that the query asks for (`?done=profile`); undefined for anything that isn't one of ours. */
export function noticeOf(
  { query, frame }: AccountRequest,
  notices: Readonly<Record<string, string>> = frame.messages.account.notices,
): string | undefined {
  const done = query.get('done') ?? '';
  return Object.hasOwn(notices, done) ? notices[done] : undefined;
}
