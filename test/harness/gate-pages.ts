// One of each page that the gate shows itself.

import type { GatePage } from '../../src/gate/pages/page.ts';

const account = 'ada.lovelace@example.com';
const retry = '/gate/sign-in?to=%2Fwiki%3Fa%3D1%26b';
const signOut = '/gate/sign-out';

export const gatePages: { readonly [Kind in GatePage['kind']]: Extract<GatePage, { kind: Kind }> } = {
  forbidden: { kind: 'forbidden', account, otherAccount: `${retry}&account=other`, signOut },
  unknown_host: { kind: 'unknown_host', host: 'wiki.example:8443' },
  insecure: { kind: 'insecure', host: 'wiki.example' },
  no_cookie: { kind: 'no_cookie', retry },
  sign_in_failed: { kind: 'sign_in_failed', retry },
  canceled: { kind: 'canceled', retry },
  unavailable: { kind: 'unavailable', retry },
  signed_in: { kind: 'signed_in', account, to: '/wiki?a=1&b', signOut },
  sign_out: { kind: 'sign_out', account, action: signOut },
  signed_out: { kind: 'signed_out', signIn: '/gate/sign-in?to=%2F' },
  not_found: { kind: 'not_found' },
};
