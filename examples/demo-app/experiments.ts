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
    what: 'Signs you in, but sends a different PKCE verifier first.',
    lesson: `The exchange with the wrong verifier is refused with 400 and OAUTH_INVALID_GRANT. It doesn't use up the code, so
      the right verifier still works. A client keeps its verifier on the server, together with the state.`,
  },
  'replayed-code': {
    title: 'Replayed code',
    what: 'Signs you in, then exchanges the same code a second time.',
    lesson: `The second exchange is refused with 400 and OAUTH_INVALID_GRANT: a code works once. A client exchanges each code
      once, and starts a new sign-in if its callback is loaded again.`,
  },
  'expired-code': {
    title: 'Expired code',
    what: 'Gets a code, then waits 60 seconds until it expires.',
    lesson: `The late exchange is refused with 400 and OAUTH_INVALID_GRANT. A client exchanges the code right away, and lets
      people start over if it was too late.`,
  },
  'cancelled-consent': {
    title: 'Canceled consent',
    what: 'Asks for your consent again. Select Cancel on Latchkey’s page.',
    lesson: `Latchkey sends the browser back with error=access_denied, along with the state and iss that the client checks as
      usual. There's no code and there are no tokens. A client says that the sign-in was canceled, and doesn't retry.`,
  },
  'removed-application': {
    title: 'Removed application',
    what: 'Shows what the application can still do after you remove its access.',
    lesson: `The refresh is refused with 400 and OAUTH_INVALID_GRANT, userinfo with 401 and TOKEN_INVALID, both before
      the tokens expire. A client retries neither: it deletes the tokens and asks people to sign in again.`,
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
