// A refused sign-in, as events and metrics record it.

import type { EventDetail, EventFacts, Requester } from '../protocol/event.ts';
import type { SignInRefusal } from '../protocol/sign-in/outcomes.ts';
import type { Services } from './services.ts';

export function noteRefusedSignIn(
  { journal, meters }: Pick<Services, 'journal' | 'meters'>,
  about: Pick<EventFacts, 'userId' | 'clientId'>,
  reason: SignInRefusal,
  requester: Requester,
  more: EventDetail = {},
): void {
  journal.noteRateLimited({ kind: 'sign_in_failed', ...about, detail: { reason, ...more } }, requester);
  meters.signIns.add({ result: 'refused', reason });
}
