// The experiments that go wrong on purpose: the text of each, and what it does with the code.

import { randomBytes } from 'node:crypto';
import { type LatchkeyClient, type PendingSignIn, SignInFailed, type Tokens } from './latchkey-client.ts';
import type { Recording } from './recording.ts';
import { steps } from './steps.ts';

export type ExperimentName =
  | 'wrong-verifier'
  | 'replayed-code'
  | 'expired-code'
  | 'cancelled-consent'
  | 'removed-application';

interface Experiment {
  readonly title: string;
  readonly what: string;
  /** What Latchkey answers, and what a client should do about it. */
  readonly lesson: string;
}

export const experiments: Readonly<Record<ExperimentName, Experiment>> = {
  'wrong-verifier': {
    title: 'Wrong verifier',
    what: 'Signs you in, but offers another PKCE verifier first.',
    lesson: `The exchange with the wrong verifier is refused with 400 and OAUTH_INVALID_GRANT. It leaves the code as it was, so
      the right verifier still works. A client keeps its verifier on the server, together with the state.`,
  },
  'replayed-code': {
    title: 'Replayed code',
    what: 'Signs you in, and exchanges the same code a second time.',
    lesson: `The second exchange is refused with 400 and OAUTH_INVALID_GRANT: a code works once. A client exchanges each code
      once, and answers a repeated callback with a new sign-in.`,
  },
  'expired-code': {
    title: 'Expired code',
    what: 'Gets a code, and waits until its 60 seconds are over. This takes a minute.',
    lesson: `The late exchange is refused with 400 and OAUTH_INVALID_GRANT. A client exchanges the code at once, and when it
      is too late lets the person start again.`,
  },
  'cancelled-consent': {
    title: 'Cancelled consent',
    what: 'Asks for your consent again. Press Cancel on Latchkey’s page.',
    lesson: `Latchkey sends the browser back with error=access_denied, and with the state and iss that the client checks as
      always. There is no code and there are no tokens. A client says that the sign-in was cancelled, and leaves it there.`,
  },
  'removed-application': {
    title: 'Removed application',
    what: 'Shows what is left of the access after you have taken it away.',
    lesson: `The refresh is refused with 400 and OAUTH_INVALID_GRANT, userinfo with 401 and TOKEN_INVALID, both long before
      the tokens expire. A client tries neither again: it forgets the tokens and lets the person sign in anew.`,
  },
};

/** Exchanges the code the way the experiment does, and returns the tokens that the sign-in ends with. */
export async function redeem(
  latchkey: LatchkeyClient,
  code: string,
  { codeVerifier, experiment }: PendingSignIn,
  recording: Recording,
): Promise<Tokens> {
  const guessing = experiment === 'wrong-verifier';
  if (guessing) {
    const wrong = randomBytes(32).toString('base64url');
    const guessed = await latchkey.exchange(code, wrong, recording, steps.wrongVerifier);
    if (guessed === undefined) recording.experiment = experiment;
  }
  const words = guessing ? steps.rightVerifier : steps.exchange;
  const tokens = await latchkey.exchange(code, codeVerifier, recording, words);
  if (tokens === undefined) throw new SignInFailed('the code was refused');
  if (experiment === 'replayed-code') {
    const replayed = await latchkey.exchange(code, codeVerifier, recording, steps.replay);
    if (replayed === undefined) recording.experiment = experiment;
  }
  return tokens;
}
