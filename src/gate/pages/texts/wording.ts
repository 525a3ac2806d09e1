// What each language says on the gate's pages. Names of accounts and hosts stand by themselves, never inside a sentence, so
// they don't change its grammar or its direction. What is in `backticks` is code.

import type { GatePage } from '../page.ts';

type Kind = GatePage['kind'];

export interface Texts {
  readonly titles: Readonly<Record<Kind, string>>;
  /** Below the title. Where someone is signed in, the account says it all. */
  readonly texts: Readonly<Record<Exclude<Kind, 'signed_in'>, string>>;
  /** What only an administrator can do about it. */
  readonly forAdministrators: Readonly<Record<'unknown_host' | 'insecure', string>>;
  /** What stands above the account. */
  readonly signedInAs: string;
  readonly actions: Readonly<
    Record<'signIn' | 'signOut' | 'otherAccount' | 'tryAgain' | 'continue' | 'cancel', string>
  >;
}
