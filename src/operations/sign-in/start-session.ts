// The end of every way to sign in: a session begins, the browser is known from now on, and the person hears of a browser
// that they have not used before.

import { digestOf } from '../../protocol/digest.ts';
import type { Origin } from '../../protocol/event.ts';
import { newSecret } from '../../protocol/identifiers.ts';
import type { SignInFacts, User } from '../../storage/storage.ts';
import type { Services } from '../services.ts';

/** How somebody has proved who they are, as activity tells it. */
export type SignInMethod =
  | 'password'
  | 'password_and_code'
  | 'password_and_recovery_code'
  | 'password_and_passkey'
  | 'passkey'
  | 'sign_up';

/** What a browser brings along to a sign-in. */
export interface SignInContext {
  /** The authorization request that the person signs in for, as `answered` of the session keeps it. */
  readonly answered: string | null;
  /** The application that the person is on the way to. */
  readonly clientId: string | undefined;
  /** The session that the browser had; it ends, so that no session outlives a sign-in. */
  readonly replacedSession: string | undefined;
  /** The secret of a browser that has signed somebody in before. */
  readonly device: string | undefined;
}

export interface StartedSession {
  readonly sessionSecret: string;
  readonly deviceSecret: string;
}

const amrOf: Record<SignInMethod, readonly string[]> = {
  password: ['pwd'],
  password_and_code: ['pwd', 'otp', 'mfa'],
  password_and_recovery_code: ['pwd', 'otp', 'mfa'],
  password_and_passkey: ['pwd', 'pop', 'mfa'],
  // A passkey is something one has, opened by something one knows or is: the service insists on that.
  passkey: ['pop', 'user', 'mfa'],
  sign_up: ['pwd'],
};

/** Undefined when the person was stopped, or their password was changed, while they were signing in. */
export async function startSession(
  services: Services,
  user: User,
  facts: Pick<SignInFacts, 'knownDevice'>,
  method: SignInMethod,
  context: SignInContext,
  origin: Origin,
): Promise<StartedSession | undefined> {
  const { storage, clock, random, journal, emailQueue, emailTemplates } = services;
  const sessionSecret = newSecret('lks_', random);
  const deviceSecret = context.device ?? newSecret('lkd_', random);
  const now = clock.now();
  const session = {
    digest: digestOf(sessionSecret),
    userId: user.id,
    userGeneration: user.generation,
    createdAt: now,
    lastSeenAt: now,
    authTime: now,
    amr: amrOf[method],
    answered: context.answered,
    device: origin.device ?? null,
    address: origin.address,
  };
  const replaced = context.replacedSession && digestOf(context.replacedSession);
  const passwordAlone = method === 'password';
  const device = digestOf(deviceSecret);
  if (!(await storage.startSession(session, user.passwordHash, replaced, device, passwordAlone))) return undefined;

  const browser = origin.device ?? '';
  const client = context.clientId === undefined ? {} : { clientId: context.clientId };
  journal.note({ kind: 'signed_in', userId: user.id, ...client, detail: { method, device: browser } }, origin);
  if (!facts.knownDevice && method !== 'sign_up') {
    await emailQueue.notify(
      emailTemplates.newDevice({ to: user.email, device: browser, at: now, address: origin.address }),
    );
  }
  return { sessionSecret, deviceSecret };
}
