// What the forms of a sign-in carry from one step to the next. A stamp proves that the service itself wrote the text, so
// its shape is known; forms that are open while the service is updated have to work afterwards, so the texts stay as
// they are.

import type { LinkedChallenge } from '../../operations/second-factors/first-passkey.ts';
import type { Challenge } from '../../operations/second-factors/passkey-challenge.ts';
import type { Keep, PendingSignIn } from '../../operations/sign-in/advance.ts';
import type { AskedCode } from '../../operations/sign-in/email-codes.ts';
import type { AskedProofCode } from '../../operations/sign-in/prove-by-email.ts';
import type { OfferedKey } from '../../operations/sign-in/set-up-factor.ts';
import type { CodeStep, ProofStep, SecondStep } from '../../operations/sign-in/steps/step-facts.ts';
import type { ProvenUpstream } from '../../operations/sign-in/upstreams/link-and-prove.ts';
import type { StampPurpose } from '../../protocol/purposes.ts';
import type { Parameters } from '../../protocol/reading/parameters.ts';
import { type Destination, formatDestination, parseDestination } from '../../protocol/sign-in/destination.ts';
import type { TicketKind } from '../visit.ts';

/** Where the user is going. */
export const signInTicket: TicketKind<Destination> = {
  purpose: 'sign-in',
  field: 'continue',
  boundTo: 'browser',
  write: formatDestination,
  read: parseDestination,
};

/** "Keep me signed in", as it's ticked on the sign-in page. */
export function keepIn(fields: Parameters): Keep {
  const keep = fields.get('keep');
  return keep === 'remembered' ? keep : keep !== undefined;
}

/** What the password has proved, and where the user is going. */
export const secondStepTicket: TicketKind<SecondStep> = {
  purpose: 'second-step',
  field: 'pending',
  boundTo: 'browser',
  write: ({ pending, destination, keep }) =>
    JSON.stringify({ pending, target: formatDestination(destination), ...(keep && { keep }) }),
  read(text) {
    const carried = JSON.parse(text) as { pending: PendingSignIn; target: string; keep?: Keep };
    const { pending, target, keep = false } = carried;
    const destination = parseDestination(target);
    return destination && { pending, destination, keep };
  },
};

export interface SetUpStep extends SecondStep {
  readonly key: OfferedKey;
}

/** What the password has proved, where the user is going, and the key that is being set up. */
export const setUpTicket: TicketKind<SetUpStep> = {
  purpose: 'set-up',
  field: 'set_up',
  boundTo: 'browser',
  write: ({ key, ...step }) => JSON.stringify({ key, step: secondStepTicket.write(step) }),
  read(text) {
    const { key, step: carried } = JSON.parse(text) as { key: OfferedKey; step: string };
    const step = secondStepTicket.read(carried);
    return step && { ...step, key };
  },
};

/** The code by email that was asked for, and where the user is going. */
export const emailCodeTicket: TicketKind<CodeStep> = {
  purpose: 'email-code',
  field: 'asked',
  boundTo: 'browser',
  write: ({ asked, destination, keep }) => JSON.stringify({ asked, target: formatDestination(destination), keep }),
  read(text) {
    const { asked, target, keep } = JSON.parse(text) as { asked: AskedCode; target: string; keep: Keep };
    const destination = parseDestination(target);
    return destination && { asked, destination, keep };
  },
};

/** The code by email that was asked for as proof of identity. */
export const proofCodeTicket: TicketKind<AskedProofCode> = {
  purpose: 'email-code-proof',
  field: 'asked',
  boundTo: 'session',
  write: (asked) => JSON.stringify(asked),
  read: (text) => JSON.parse(text) as AskedProofCode,
};

/** In a session that has to get a second factor: where its user is going. */
export const verifyTicket: TicketKind<Destination> = {
  purpose: 'verify',
  field: 'verify',
  boundTo: 'session',
  write: formatDestination,
  read: parseDestination,
};

/** Where the user of a session is going, and the key that is being set up. */
export const sessionSetUpTicket: TicketKind<Pick<SetUpStep, 'key' | 'destination'>> = {
  purpose: 'session-set-up',
  field: 'set_up',
  boundTo: 'session',
  write: ({ key, destination }) => JSON.stringify({ key, target: formatDestination(destination) }),
  read(text) {
    const { key, target } = JSON.parse(text) as { key: OfferedKey; target: string };
    const destination = parseDestination(target);
    return destination && { key, destination };
  },
};

/** What an upstream has proved, in the session that it was proved for. */
export const provenTicket: TicketKind<ProofStep> = {
  purpose: 'upstream-proof',
  field: 'proven',
  boundTo: 'session',
  write: ({ proven, destination }) =>
    encodeURIComponent(JSON.stringify({ proven, target: formatDestination(destination) })),
  read(text) {
    const { proven, target } = JSON.parse(decodeURIComponent(text)) as { proven: ProvenUpstream; target: string };
    const destination = parseDestination(target);
    return destination && { proven, destination };
  },
};

type ChallengePurpose = Extract<StampPurpose, `challenge ${string}`>;

function challengeFor<Kind extends Challenge = Challenge>(
  purpose: ChallengePurpose,
  boundTo: TicketKind<Kind>['boundTo'],
): TicketKind<Kind> {
  return {
    purpose,
    field: 'challenge',
    boundTo,
    write: (challenge) => JSON.stringify(challenge),
    read: (text) => JSON.parse(text) as Kind,
  };
}

/** What a passkey has to sign, by what it's for: the answer to one isn't accepted anywhere else. */
export const challengeTickets = {
  signIn: challengeFor('challenge sign-in', 'browser'),
  secondStep: challengeFor('challenge second-step', 'browser'),
  verification: challengeFor('challenge verify', 'session'),
  proof: challengeFor('challenge proof', 'session'),
  registration: challengeFor('challenge registration', 'session'),
};

/** Of challenges that are also for a link, or for a factor that a person is setting up. */
export const linkedChallengeTickets = {
  signUp: challengeFor<LinkedChallenge>('challenge sign-up', 'browser'),
  reset: challengeFor<LinkedChallenge>('challenge reset', 'browser'),
  setUp: challengeFor<LinkedChallenge>('challenge set-up', 'browser'),
};

export type ChallengeUse = keyof typeof challengeTickets;
