// Text that a form carries and its reader must not see: sealed for the session, the person and the URL that it was typed in, and
// worth nothing 15 minutes later, or sooner.

import type { SealKind, SealPurpose } from '../../protocol/purposes.ts';
import { proofLifetime } from '../../protocol/sign-in/proof.ts';
import type { SignedIn } from '../../storage/storage.ts';
import type { Visit } from '../visit.ts';

interface Sender {
  readonly visit: Visit;
  readonly signedIn: SignedIn;
}

export function sealForSession(sender: Sender, kind: SealKind, text: string, url?: string): string {
  const { keys, clock } = sender.visit.services;
  return keys.seal(purposeOf(sender, kind, url), `${clock.now()}\n${text}`);
}

/** Undefined when it was sealed for another session, person or URL, or too long ago. */
export function openForSession(
  sender: Sender,
  kind: SealKind,
  sealed: string,
  url?: string,
  lifetime = proofLifetime,
): string | undefined {
  const { keys, clock } = sender.visit.services;
  const text = keys.unseal(purposeOf(sender, kind, url), sealed);
  if (text === undefined) return undefined;
  const end = text.indexOf('\n');
  return clock.now() - Number(text.slice(0, end)) > lifetime ? undefined : text.slice(end + 1);
}

function purposeOf({ visit, signedIn }: Sender, kind: SealKind, url = visit.request.raw.url): SealPurpose {
  return `${kind} ${signedIn.session.digest} ${signedIn.user.id} ${url}`;
}
