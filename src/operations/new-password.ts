// What a person may choose as a password.

import { canonicalPassword, passwordLength } from '../protocol/password.ts';
import { hasControlCharacters } from '../protocol/text.ts';
import type { Services } from './services.ts';

export type PasswordFault = 'too_short' | 'too_long' | 'not_text' | 'common' | 'personal';

/** `personal` are words that are no secret: the person's address and names. */
export function newPasswordProblem(
  services: Services,
  password: string,
  personal: readonly (string | null)[],
): PasswordFault | undefined {
  const length = [...password].length;
  if (length < passwordLength.least) return 'too_short';
  if (length > passwordLength.most) return 'too_long';
  if (!password.isWellFormed() || hasControlCharacters(password)) return 'not_text';
  const words = personal.flatMap((text) => [text, text?.split('@')[0]]);
  const plain = canonicalPassword(password).toLowerCase();
  if (words.some((word) => word && canonicalPassword(word).toLowerCase() === plain)) return 'personal';
  return services.isCommonPassword(password) ? 'common' : undefined;
}
