// Who can sign up, and whether the setting or the environment variable decides it.

import type { Environment } from '../../platform/config.ts';
import { readSettings, type Settings } from '../../protocol/resources/settings.ts';
import type { Storage } from '../../storage/storage.ts';

export interface SignUpSource {
  readonly settings: Settings;
  readonly from: 'the setting sign_up' | 'LATCHKEY_SIGN_UP' | 'default';
  /** Says which of the two counts, if both are set and differ. */
  readonly conflict: string | undefined;
}

export async function signUpSource(
  storage: Pick<Storage, 'listSettings'>,
  { signUp }: { readonly signUp: Settings['sign_up'] },
  environment: Environment,
): Promise<SignUpSource> {
  const stored = new Map((await storage.listSettings()).map(({ name, value }) => [name, value]));
  const settings = readSettings(stored, { sign_up: signUp });
  const isStored = stored.has('sign_up');
  const isGiven = (environment.LATCHKEY_SIGN_UP ?? '') !== '';
  const differs = isStored && isGiven && settings.sign_up !== signUp;
  return {
    settings,
    from: isStored ? 'the setting sign_up' : isGiven ? 'LATCHKEY_SIGN_UP' : 'default',
    conflict: differs
      ? `The setting sign_up is "${settings.sign_up}" and counts. LATCHKEY_SIGN_UP is "${signUp}" and doesn't: it counted until the setting was changed.`
      : undefined,
  };
}
