// What the forms of a sign-in carry from one step to the next. A stamp proves that the service itself wrote the text, so
// its shape is known; forms that are open while the service is updated have to work afterwards, so the texts stay as
// they are.

import type { PendingSignIn } from '../../operations/sign-in/second-step.ts';
import type { OfferedKey } from '../../operations/sign-in/set-up-factor.ts';
import { type Destination, formatDestination, parseDestination } from '../../protocol/sign-in/destination.ts';
import type { TicketKind } from '../tickets.ts';

/** Where the user is going. */
export const signInTicket: TicketKind<Destination> = {
  purpose: 'sign-in',
  field: 'continue',
  boundTo: 'browser',
  write: formatDestination,
  read: parseDestination,
};

export interface SecondStep {
  readonly pending: PendingSignIn;
  readonly destination: Destination;
}

/** What the password has proved, and where the user is going. */
export const secondStepTicket: TicketKind<SecondStep> = {
  purpose: 'second-step',
  field: 'pending',
  boundTo: 'browser',
  write: ({ pending, destination }) => JSON.stringify({ pending, target: formatDestination(destination) }),
  read(text) {
    const { pending, target } = JSON.parse(text) as { pending: PendingSignIn; target: string };
    const destination = parseDestination(target);
    return destination && { pending, destination };
  },
};

export interface SetUpStep extends SecondStep {
  readonly key: OfferedKey;
}

/** The same, and the key that is being set up for whoever gave the password. */
export const setUpTicket: TicketKind<SetUpStep> = {
  purpose: 'set-up',
  field: 'set_up',
  boundTo: 'browser',
  write: ({ pending, key, destination }) => JSON.stringify({ pending, key, target: formatDestination(destination) }),
  read(text) {
    const { pending, key, target } = JSON.parse(text) as { pending: PendingSignIn; key: OfferedKey; target: string };
    const destination = parseDestination(target);
    return destination && { pending, key, destination };
  },
};

/** In a session that has to get a second factor: where its user is going. */
export const verifyTicket: TicketKind<Destination> = {
  purpose: 'verify',
  field: 'verify',
  boundTo: 'session',
  write: formatDestination,
  read: parseDestination,
};

/** The same, and the key that is being set up. */
export const sessionSetUpTicket: TicketKind<Omit<SetUpStep, 'pending'>> = {
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
