// Requests for access, as those read about them who decide. Part of console.ts.

import type { RequestStatus } from '../../protocol/account/access-requests.ts';

export const accessRequestMessages = {
  title: 'Access requests',
  tile: 'Access requests waiting',
  lead: 'People without access can ask for it if the application’s Access tab says so. Requests end after 30 days.',
  none: 'No access requests.',
  noneOpen: 'No access requests are waiting.',
  filter: 'Status',
  statuses: {
    open: 'Waiting',
    allowed: 'Allowed',
    declined: 'Declined',
    expired: 'Expired',
  } satisfies Record<RequestStatus, string>,
  person: 'Person',
  application: 'Application',
  asked: 'Asked',
  decided: 'Decided',
  decidedBy: (name: string) => `by ${name}`,
  decide: 'Decide',
  allow: 'Allow',
  decline: 'Decline',
  allowTitle: (name: string) => `Allow ${name} to use this application?`,
  allowText: (name: string, app: string) => `${name} is added to the access list of ${app}, and is notified by email.`,
  allowConfirm: 'Allow access',
  end: 'Access ends',
  declineTitle: (name: string) => `Decline ${name}’s request?`,
  declineText: (name: string, app: string) => `${name} doesn't get access to ${app}, and can ask again after a day.`,
  declineConfirm: 'Decline request',
  reason: 'Message (optional)',
  reasonHint: (most: number) => `They get it by email. Plain text, at most ${most} characters.`,
};
