// A signed-in user changes their password. Somebody who can't sign in resets it: sign-in/reset-password.ts.

import { digestOf } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import { newSecret } from '../../protocol/identifiers.ts';
import type { PasswordProblem } from '../../protocol/sign-in/password-rules.ts';
import type { SignedIn } from '../../storage/storage.ts';
import type { Linking, Mailing, PasswordRules, Recording, Services } from '../services.ts';
import { newPasswordProblem, personalOf } from './new-password.ts';

type ChangeServices = Recording & Linking & Mailing & PasswordRules & Pick<Services, 'passwords'>;

export type PasswordChangeOutcome =
  | { kind: 'invalid_password'; problem: PasswordProblem }
  /** The password was changed at the same moment, or the user disabled. */
  | { kind: 'not_possible' }
  /** The session goes on under a new secret: a copy of the old one is worth nothing. */
  | { kind: 'changed'; sessionSecret: string };

export async function changePassword(
  services: ChangeServices,
  signedIn: SignedIn,
  input: { newPassword: string; marks: readonly string[] },
  requester: Requester,
): Promise<PasswordChangeOutcome> {
  const { storage, clock, passwords, random, journal, emailQueue, emailsFor, issuer } = services;
  const { user, session } = signedIn;
  const problem = await newPasswordProblem(services, input.newPassword, personalOf(user));
  if (problem !== undefined) return { kind: 'invalid_password', problem };
  const sessionSecret = newSecret('lks_', random);
  const { knownDevice } = await storage.findSignInFacts(user.id, input.marks.map(digestOf));
  const change = {
    passwordHash: await passwords.hash(input.newPassword),
    proof: { kind: 'password', currentHash: user.passwordHash },
    session: { ...session, digest: digestOf(sessionSecret) },
    keptDevice: knownDevice,
  } as const;
  const event = journal.event({ kind: 'password_changed', userId: user.id }, requester);
  if (!(await storage.changePassword(user.id, change, clock.now(), event))) return { kind: 'not_possible' };
  await emailQueue.notify(emailsFor(user.locale).passwordChanged({ to: user.email, url: `${issuer}/reset-password` }));
  return { kind: 'changed', sessionSecret };
}
