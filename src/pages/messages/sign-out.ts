// What people read when an application signs them out. Part of the catalogue in messages.ts.

import type { ReturnRefusal } from '../../protocol/oauth/logout.ts';

const notConfirmed = "We couldn't confirm which application sent you here, so we didn't send you back to it.";

export const signOutMessages = {
  title: 'Sign out of Latchkey?',
  askedBy: (app: string) => `${app} asked to sign you out.`,
  text: 'This signs you out in this browser. Applications you have open may keep you signed in.',
  confirm: 'Sign out',
  stay: 'Stay signed in',
  /** Why the browser doesn't go back to the application. */
  noReturn: {
    hint_invalid: notConfirmed,
    client_mismatch: notConfirmed,
    client_missing: "We don't know which application sent you here, so we couldn't send you back to it.",
    unknown_client:
      "The application that sent you here isn't registered with this service, so we didn't send you back.",
    client_revoked: "An administrator has stopped sign-in for this application, so we didn't send you back to it.",
    post_logout_redirect_uri_mismatch:
      "The application asked us to send you to a URL that isn't registered for it. To keep you safe, we stopped here.",
  } satisfies Record<ReturnRefusal, string>,
  noReturnTodo:
    "To go back, open the application yourself. If this keeps happening, contact the app's developer and give them the reference below.",
};
