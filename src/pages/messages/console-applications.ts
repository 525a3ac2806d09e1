// Applications, and who can use them. Part of console.ts.

import type { Total } from '../../protocol/admin/totals.ts';
import { people, peopleIn } from './counts.ts';
import { clientLabels } from './field-labels.ts';

export const applicationMessages = {
  tabs: {
    connect: 'Connect',
    settings: 'Settings',
    access: 'Access',
    activity: 'Events',
    claims: 'Claims',
    secrets: 'Secrets',
    webhook: 'Webhook',
    danger: 'Danger',
  },
  tabsLabel: (app: string) => `Pages about ${app}`,
  new: 'New application',
  searchHint: 'Search by any part of the name, or by the beginning of a client ID or host.',
  none: 'No applications yet.',
  noneText: 'Register an application to let people sign in to it.',
  noneFound: 'No applications found.',
  column: { name: 'Name', clientId: 'Client ID', access: 'Access', lastUsed: 'Last used' },
  public: 'Public',
  confidential: 'Confidential',
  limited: 'Limited access',
  unusedFor: (days: string) => `Unused for ${days} days`,
  settings: 'Settings',
  fields: clientLabels,
  type: 'Type',
  create: 'Create application',
  clientId: 'Client ID',
  clientSecret: 'Client secret',
  connected: 'Used by',
  people: peopleIn,
  logo: 'Logo',
  logoHint: 'PNG, JPEG or WebP, up to 512 KB.',
  upload: 'Upload logo',
  removeLogo: 'Remove logo',
  noLogo: 'Choose a file first.',
  logoTooLarge: 'The logo is larger than 512 KB.',
  secrets: 'Client secrets',
  secretsLead: 'Two secrets can work at the same time, so you can rotate without downtime.',
  newest: 'Current secret',
  old: 'Previous secret',
  made: 'Created',
  lastUsed: 'Last used',
  rotate: 'Rotate secret',
  rotateHint: 'The current secret keeps working as the previous one until you retire it.',
  retire: 'Retire previous secret',
  retireTitle: 'Retire the previous secret?',
  retireText: (lastUsed: string | undefined) =>
    lastUsed === undefined
      ? 'It was never used. Anything that still has only this secret stops working.'
      : `It was last used on ${lastUsed}. Anything that still has only this secret stops working.`,
  rotateTitle: 'Rotate the secret?',
  rotateText: (lastUsed: string | undefined) =>
    lastUsed === undefined
      ? 'There are already two secrets. A new one replaces the previous secret, which was never used. Make sure the application uses the current one.'
      : `There are already two secrets. A new one replaces the previous secret, which was last used on ${lastUsed}. Make sure the application uses the current one.`,
  changedMeanwhile: 'Someone else changed this application in the meantime. Review it and try again.',
  registerTitle: (host: string) => `Send people to ${host}?`,
  registerText: (app: string, host: string, uri: string) =>
    `${app} has no redirect URI on ${host} yet. If you add ${uri}, people who sign in are sent there with a code. Anyone can request any URL, so make sure this one is yours.`,
  registerPostLogoutText: (app: string, host: string, uri: string) =>
    `${app} doesn't send people to ${host} after sign-out yet. If you add ${uri}, people who sign out can be sent there. Anyone can request any URL, so make sure this one is yours.`,
  publicHasNone:
    'Public applications have no secret: PKCE protects their codes. To get one, change the type in the settings.',
  secretTitle: 'Copy your client secret',
  secretLead: "You won't be able to see it again. Keep it on the server, out of code and logs.",
  madePublicTitle: 'Application created',
  publicLead: 'It has no secret: PKCE protects its codes.',
  env: '.env file',
  more: 'More options',
  toApplication: 'Continue to application',
  toAccess: 'Choose who can use it',
  events: 'View events',
  revokeHint: 'Its tokens stop working right away. You can restore it later.',
  revoke: 'Revoke application',
  revokeTitle: (app: string) => `Revoke ${app}?`,
  revokeText: (users: Total) =>
    users.count === 0
      ? 'Nobody uses it. You can restore it later.'
      : `${peopleIn(users)} ${users.count === 1 ? 'uses' : 'use'} it and will lose access right away. You can restore it later, but everyone will be asked for consent again.`,
  restore: 'Restore application',
  restoreHint: "The application is revoked. Restoring it won't bring back old tokens.",
  delete: 'Delete application',
  deleteHint: "Permanently deletes its client ID, secrets, consents and webhooks. This can't be undone.",
  deleteTitle: (app: string) => `Delete ${app}?`,
  deleteText: (users: Total, webhooks: number) => {
    const use = users.count === 0 ? 'Nobody uses it.' : `${peopleIn(users)} ${users.count === 1 ? 'uses' : 'use'} it.`;
    const hooks = webhooks === 1 ? '1 webhook' : `${webhooks.toLocaleString('en')} webhooks`;
    const consents = webhooks === 0 ? ' and consents' : `, consents and ${hooks}`;
    return `${use} Its client ID, secrets${consents} will be permanently deleted. This can't be undone.`;
  },
};

export const accessMessages = {
  access: 'Access',
  openToEveryone: 'Everyone',
  onlyListed: 'Listed people and groups',
  who: 'Who can use it',
  onlyThese: 'Only these people and groups',
  prepare: 'The list has no effect while everyone can use it.',
  unused: 'Nobody has used it yet.',
  kept: (kept: number, users: number) =>
    users === 1
      ? `1 person uses it, and ${kept === 1 ? 'keeps' : 'loses'} access.`
      : `${kept.toLocaleString('en')} of ${people(users)} who use it ${kept === 1 ? 'keeps' : 'keep'} access.`,
  keptOfMany: (kept: number, counted: number) =>
    `${kept.toLocaleString('en')} of the first ${people(counted)} who use it ${kept === 1 ? 'keeps' : 'keep'} access. There are more, who weren’t counted.`,
  limit: 'Limit access',
  limitTitle: (app: string) => `Limit access to ${app}?`,
  limitText:
    "People who aren't on the list lose access right away, and their tokens stop working. Adding them later won't bring the tokens back.",
  nobodyTitle: (app: string) => `Lock everyone out of ${app}?`,
  nobodyText: (users: number) =>
    `Nobody who uses it keeps access: ${people(users)} ${users === 1 ? 'loses' : 'lose'} it right away, and their tokens stop working. Add the people and groups who should keep it to the list first.`,
  removeText:
    "They can't sign in to it anymore, and their tokens stop working right away. Adding someone back later won't bring the tokens back.",
  emptyText: 'If the list is empty, nobody can sign in.',
  removeAccess: 'Remove access',
  people: 'People on the list',
  withAccess: 'People with access',
  connectedPeople: 'People who have connected it',
  withAccessLead: 'Everyone who can use it now, and why.',
  connectedLead: 'Everyone can use it. These people do, or did.',
  ownersPerson: 'Email address or username',
  ownersPersonHint: 'The whole email address or username. You can’t give yourself access.',
  ownersEndHint: 'Someone who is on the list already gets this end.',
  ownersAdd: 'Give access',
  listLead: "Also those who can't use it now, such as people who are disabled.",
  canUse: (total: Total) => (total.count === 0 ? 'Nobody can use it now.' : `${peopleIn(total)} can use it now.`),
  haveConnected: (total: Total) => {
    if (total.count === 0) return 'Nobody has connected it yet.';
    return total.count === 1 && !total.more ? '1 person has connected it.' : `${peopleIn(total)} have connected it.`;
  },
  onList: 'On the list',
  nobodyYet: 'Nobody can use it now.',
  nobodyConnected: 'Nobody has connected it yet.',
  connected: 'Connected',
  reason: 'Access',
  anyReason: 'Any',
  reasons: { everyone: 'Everyone', person: 'Directly', group: 'Through a group' },
  through: (group: string) => `Through ${group}`,
  moreReasons: (count: number) => `and ${count} more`,
  unusedFor: (days: string) => (days === '1' ? 'Not used for 1 day' : `Not used for ${days} days`),
  unusedLabel: 'Not used for',
  unusedHint: 'Days, such as 90d. They’ve had access for longer than that.',
  check: {
    title: 'Check a person',
    lead: 'Find out whether someone can use it now, and why.',
    person: 'Email address, username or ID',
    button: 'Check access',
    yes: (who: string) => `${who} can use it.`,
    no: (who: string) => `${who} can’t use it.`,
    because: 'They have access:',
    otherwise: 'Apart from that, they’d have access:',
    notOnList: 'The list has neither them nor a group they’re in.',
    revoked: 'The application is revoked.',
    standing: {
      waiting: 'Their account is waiting for approval.',
      expired: 'Their account has expired.',
      disabled: 'Their account is disabled.',
    },
  },
  add: 'Add people to the list',
  picker: {
    button: 'Allow selected',
    count: (count: number) => (count === 1 ? 'Allow 1 person' : `Allow ${count} people`),
    present: 'On the list',
  },
  remove: 'Remove',
  nobody: 'No people on the list.',
  groups: 'Groups on the list',
  group: 'Group',
  addGroup: 'Add a group',
  allowGroup: 'Allow group',
  noGroups: 'No groups on the list.',
  toGroups: 'Manage groups',
};

export const ownerMessages = {
  title: 'Owners',
  lead: 'They decide who has access to it, in the console under Your applications. They see no secrets and change no settings.',
  none: 'Nobody owns it. Administrators decide who has access.',
  change: 'Change owners and requests',
  people: 'People',
  peopleHint: 'Email addresses, one per line.',
  groups: 'Groups',
  groupsHint: 'Names of protected groups, one per line. Their members own the application.',
  save: 'Save owners and requests',
  asking: 'People without access can ask for it.',
  notAsking: 'People without access can’t ask for it.',
  letAsk: 'Let people without access ask for it',
  letAskHint: 'They’re offered it when they can’t sign in. Owners decide, or administrators if nobody owns it.',
  noOwner: 'No owner',
  ownedBy: (who: string) => `Owner: ${who}`,
  yourLead: 'You decide who has access to these.',
  yourNone: 'You own no applications.',
  failures: 'Failures',
};
