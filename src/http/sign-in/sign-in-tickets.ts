// What the forms of a sign-in carry from one step to the next. A stamp proves that the service itself wrote the text, so
// its shape is known; forms that are open while the service is updated have to work afterwards, so the texts stay as
// they are.

import type { PendingSignIn } from '../../operations/sign-in/second-step.ts';
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
  /** "Keep me signed in", as it was ticked with the password. */
  readonly keep: boolean;
}

/** What the password has proved, and where the user is going. */
export const secondStepTicket: TicketKind<SecondStep> = {
  purpose: 'second-step',
  field: 'pending',
  boundTo: 'browser',
  write: ({ pending, destination, keep }) =>
    JSON.stringify({ pending, target: formatDestination(destination), ...(keep && { keep }) }),
  read(text) {
    const carried = JSON.parse(text) as { pending: PendingSignIn; target: string; keep?: boolean };
    const { pending, target, keep = false } = carried;
    const destination = parseDestination(target);
    return destination && { pending, destination, keep };
  },
};
