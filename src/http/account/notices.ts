// What a page says after something was done, or was not.

import type { Confirmation } from '../../operations/sign-in/confirm-password.ts';
import type { AccountRequest } from './account-pages.ts';

/** The notice that the address asks for (`?done=profile`), if it is one of ours. */
export function noticeOf({ request, frame }: AccountRequest): string | undefined {
  const done = new URLSearchParams(request.raw.url?.split('?')[1]).get('done') ?? '';
  const { notices } = frame.messages.account;
  return Object.hasOwn(notices, done) ? notices[done as keyof typeof notices] : undefined;
}

/** The password that was asked for again was wrong, or tried too often. */
export function refusalOf(
  { reply, frame }: AccountRequest,
  refusal: Exclude<Confirmation, { kind: 'confirmed' }>,
): { status: number; problem: string } {
  const m = frame.messages.account;
  if (refusal.kind === 'wrong_password') return { status: 400, problem: m.wrongPassword };
  reply.header('Retry-After', refusal.retryAfterSeconds);
  return { status: 429, problem: m.throttled(Math.ceil(refusal.retryAfterSeconds / 60)) };
}
