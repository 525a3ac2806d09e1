// What administrators read in the console, which is in English. The words about each section are in files of their own.

import type { Total } from '../../protocol/admin/totals.ts';
import { accessRequestMessages } from './console-access-requests.ts';
import { accessMessages, applicationMessages, ownerMessages } from './console-applications.ts';
import { attributeMessages } from './console-attributes.ts';
import { claimMessages } from './console-claims.ts';
import { connectMessages } from './console-connect.ts';
import { eventListMessages } from './console-event-list.ts';
import { eventKindNames, eventReasons } from './console-events.ts';
import { firstStepMessages } from './console-first-steps.ts';
import { groupMessages } from './console-groups.ts';
import { keyMessages } from './console-keys.ts';
import { overviewMessages } from './console-overview.ts';
import {
  endMessages,
  invitationMessages,
  peopleMessages,
  roleMessages,
  signUpLinkMessages,
  waitingMessages,
} from './console-people.ts';
import { personMessages } from './console-person.ts';
import { reviewMessages } from './console-reviews.ts';
import { managedMessages, scimMessages } from './console-scim.ts';
import { searchMessages } from './console-search.ts';
import { settingsMessages } from './console-settings.ts';
import { upstreamMessages } from './console-upstreams.ts';
import { logoutMessages, webhookMessages } from './console-webhooks.ts';
import { counted, countOf } from './counts.ts';

export const consoleMessages = {
  nav: 'Administration',
  sections: {
    search: 'Search',
    overview: 'Overview',
    owned: 'Your applications',
    applications: 'Applications',
    people: 'People',
    groups: 'Groups',
    reviews: 'Reviews',
    events: 'Events',
    keys: 'API keys',
    scim: 'SCIM tokens',
    providers: 'Identity providers',
    webhooks: 'Webhooks',
    settings: 'Settings',
  },
  yourAccount: 'Your account',
  search: 'Search',
  pages: 'Pages',
  previous: 'Previous',
  next: 'Next',
  moved: 'This page has moved.',
  firstPage: 'Go to the first page.',
  truncated: 'These words are too common to search the whole list. Add another letter.',
  /** Of a list that isn't searched by words alone. */
  truncatedFilter: 'Few people match, so this page ends early. Choose Next for more.',
  position: (from: number, to: number, total?: Total) => {
    const part = `${from.toLocaleString('en')}–${to.toLocaleString('en')}`;
    return total === undefined ? part : `${part} of ${counted(total)}`;
  },
  counted,
  /** What screen readers call a button whose label others have, too. */
  named: (action: string, name: string) => `${action} ${name}`,
  cancel: 'Cancel',
  notAllowed: {
    title: "Your role doesn't include this",
    text: 'Ask an administrator to do this, or to give you another role. Nothing was changed.',
  },
  copy: 'Copy',
  copied: 'Copied',
  never: 'Never',
  /** Facts in lists on phones, where columns have no names. */
  brief: {
    people: (total: Total) => countOf(total, 'person', 'people'),
    members: (total: Total) => countOf(total, 'member', 'members'),
    applications: (total: Total) => countOf(total, 'application', 'applications'),
    groups: (count: number) => countOf({ count, more: false }, 'group', 'groups'),
    signIns: (count: number) => countOf({ count, more: false }, 'sign-in', 'sign-ins'),
    refreshes: (count: number) => countOf({ count, more: false }, 'refresh', 'refreshes'),
    failures: (count: number) => countOf({ count, more: false }, 'failure', 'failures'),
    attempts: (count: number) => countOf({ count, more: false }, 'attempt', 'attempts'),
    neverSignedIn: 'Never signed in',
    used: { at: (when: string) => `used ${when}`, never: 'never used' },
    expires: { at: (when: string) => `expires ${when}`, never: 'never expires' },
    accessEnds: (when: string) => `Access ends ${when}`,
    trusted: (when: string) => `until ${when}`,
  },
  save: 'Save changes',
  created: 'Created',
  revoked: 'Revoked',
  disabled: 'Disabled',
  danger: 'Danger zone',
  status: 'Status',
  details: 'Details',
  sortBy: 'Sort',
  /** What a list without a column for it can be sorted by. */
  orders: {
    name: 'Name',
    '-created': 'Newest accounts first',
    created: 'Oldest accounts first',
    '-last_sign_in': 'Latest sign-in first',
    last_sign_in: 'Earliest sign-in first',
  },
  download: 'Download',
  downloadCsv: 'CSV',
  downloadJsonLines: 'JSON Lines',

  undo: {
    button: 'Undo',
    fromGroup: (who: string, group: string) =>
      `${who} was removed from ${group}. Tokens that ended stay ended, even if you undo it.`,
    fromList: (who: string, app: string) =>
      `${who} was removed from the access list of ${app}. Tokens that ended stay ended, even if you undo it.`,
    over: 'This can no longer be undone. Undo works for 10 minutes, in the session that removed the access.',
  },

  notices: {
    'request-allowed': 'Access allowed.',
    'request-declined': 'Request declined.',
    saved: 'Changes saved.',
    logo: 'Logo updated.',
    'secret-retired': 'Previous secret retired.',
    revoked: 'Application revoked. Its tokens have stopped working.',
    restored: 'Application restored. People can sign in again.',
    'application-deleted': 'Application deleted.',
    registered: 'Redirect URI added. The next sign-in with it will work.',
    'post-logout-registered': 'Post-logout redirect URI added. The next sign-out with it will work.',
    disabled: 'Person disabled. Their sessions and tokens have stopped working.',
    enabled: 'Person enabled. They can sign in again.',
    'made-administrator': 'Admin access granted.',
    'roles-saved': 'Roles saved.',
    'administrator-removed': 'Admin access removed.',
    'reset-sent': 'Password reset email sent.',
    'sessions-ended': 'Signed out on all devices.',
    'factors-removed': 'Two-step verification removed.',
    'person-created': 'Person created.',
    'link-sent': 'Person created. We emailed them a link to choose a password.',
    'person-saved': 'Changes saved. The person was notified by email.',
    'person-unchanged': 'Nothing changed.',
    'email-verified': 'Email address verified.',
    'person-deleted': 'Person deleted.',
    approved: 'Approved. They can sign in now.',
    declined: 'Declined. The account was deleted.',
    'all-declined': 'Declined. The accounts were deleted.',
    'invitation-created': 'Invitation sent.',
    'access-allowed': 'Access allowed.',
    'access-disallowed': 'Access removed.',
    'access-listed': 'Access limited to listed people and groups.',
    'access-everyone': 'Access opened to everyone.',
    'group-created': 'Group created.',
    'group-renamed': 'Group renamed.',
    'group-saved': 'Group updated.',
    'member-added': 'Person added.',
    'members-added': 'People added.',
    'member-removed': 'Person removed.',
    'removal-undone': 'Removal undone. Tokens that ended stay ended.',
    ...attributeMessages.notices,
    ...claimMessages.notices,
    ...personMessages.notices,
    ...upstreamMessages.notices,
    ...webhookMessages.notices,
    ...reviewMessages.notices,
    settings: 'Settings saved. They apply everywhere within a few seconds.',
    'checklist-hidden': 'Checklist hidden. You can show it again in Settings.',
  },

  overview: overviewMessages,
  firstSteps: firstStepMessages,

  applications: applicationMessages,

  connect: connectMessages,

  claims: claimMessages,

  owners: ownerMessages,
  access: accessMessages,

  groups: groupMessages,
  reviews: reviewMessages,

  attributes: attributeMessages,
  ends: endMessages,

  roles: roleMessages,
  people: peopleMessages,
  person: personMessages,

  waiting: waitingMessages,
  accessRequests: accessRequestMessages,

  events: eventListMessages,

  keys: keyMessages,
  /** Who made something. */
  makers: {
    commandLine: 'Command line',
    deletedPerson: 'Deleted person',
    apiKey: (name: string) => `API key ${name}`,
    revokedKey: 'Revoked API key',
  },

  scim: scimMessages,
  managed: managedMessages,
  invitations: invitationMessages,
  signUpLinks: signUpLinkMessages,
  upstreams: upstreamMessages,
  webhooks: webhookMessages,
  logouts: logoutMessages,
  settings: settingsMessages,
  finder: searchMessages,
  kinds: eventKindNames,
  reasons: eventReasons,
};
