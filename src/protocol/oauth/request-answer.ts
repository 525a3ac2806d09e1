// Which authorization request a session has answered, and how. Without this, `prompt=login` and `prompt=select_account`
// would ask again as soon as the user had answered.

import { digestOf } from '../digest.ts';

/** What the user has just done for the request: signed in, or chosen an account. */
export type CompletedPrompt = 'signed_in' | 'chose_account';

/** How long a sign-in counts as the answer to the request that asked for it. */
const signInLifetime = 10 * 60 * 1000;

const prefixes: Record<CompletedPrompt, string> = { signed_in: 'sign-in', chose_account: 'account' };

/** What a session stores as its `answered`. */
export function formatAnswer(answer: CompletedPrompt, rawQuery: string): string {
  return `${prefixes[answer]} ${digestOf(rawQuery)}`;
}

/** How the session has answered this request; undefined when it has not, or answered another one. */
export function answerTo(
  rawQuery: string,
  session: { readonly answered: string | null; readonly createdAt: number },
  now: number,
): CompletedPrompt | undefined {
  if (session.answered === null) return undefined;
  if (session.answered === formatAnswer('signed_in', rawQuery)) {
    return now - session.createdAt < signInLifetime ? 'signed_in' : undefined;
  }
  return session.answered === formatAnswer('chose_account', rawQuery) ? 'chose_account' : undefined;
}
