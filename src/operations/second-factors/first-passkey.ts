// A passkey for a person without a session, who has a link: to an account that they are about to create, or to one whose
// password it replaces. Its challenge is for that link alone.

import { sameText } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import type { NewPasskey, Passkey } from '../../storage/storage.ts';
import type { Services, Timing } from '../services.ts';
import { type Challenge, newChallenge, spendChallenge } from './passkey-challenge.ts';
import { passkeyName } from './second-factors.ts';

export interface LinkedChallenge extends Challenge {
  /** The digest of the link. */
  readonly link: string;
  /** Whose passkey it will be. Passkeys keep the account's ID, so it's chosen before there is an account. */
  readonly userId: string;
}

export interface PasskeyOffered {
  readonly kind: 'offered';
  readonly challenge: LinkedChallenge;
  readonly options: object;
}

/** What a browser answers such a challenge with; undefined if what it sent isn't one of ours. */
export interface CreatedPasskey {
  readonly answer: string;
  readonly challenge: LinkedChallenge | undefined;
}

export async function offerFirstPasskey(
  services: Pick<Services, 'clock' | 'random' | 'webauthn'>,
  user: { readonly id: string; readonly email: string; readonly name: string },
  linkDigest: string,
  known: readonly Passkey[] = [],
): Promise<PasskeyOffered> {
  const challenge = { ...newChallenge(services), link: linkDigest, userId: user.id };
  const options = await services.webauthn.creationOptions(user, challenge.text, known);
  return { kind: 'offered', challenge, options };
}

/** Uses the challenge up. Undefined when the answer isn't valid, or the challenge was for another link. */
export async function readFirstPasskey(
  services: Timing & Pick<Services, 'webauthn'>,
  { answer, challenge }: CreatedPasskey,
  linkDigest: string,
  requester: Requester,
): Promise<NewPasskey['passkey'] | undefined> {
  if (challenge === undefined || !sameText(challenge.link, linkDigest)) return undefined;
  if (!(await spendChallenge(services, challenge))) return undefined;
  const created = await services.webauthn.readCreated(answer, challenge.text);
  if (created === undefined) return undefined;
  const name = passkeyName('', requester) ?? 'Passkey';
  return { ...created, userId: challenge.userId, name, createdAt: services.clock.now(), lastUsedAt: null };
}
