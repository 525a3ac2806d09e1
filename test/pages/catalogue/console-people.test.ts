// People in the console, invitations and sign-up links.

import { invitationsPage } from '../../../src/pages/console/users/invitations.ts';
import { signUpLinkViews } from '../../../src/pages/console/users/sign-up-links.ts';
import { userActivityPage, userPage } from '../../../src/pages/console/users/user.ts';
import { userAccessPage } from '../../../src/pages/console/users/user-access.ts';
import { editUserPage, newUserPage } from '../../../src/pages/console/users/user-forms.ts';
import { usersPage } from '../../../src/pages/console/users/user-list.ts';
import { userDangerPage } from '../../../src/pages/console/users/user-questions.ts';
import { userSecurityPage } from '../../../src/pages/console/users/user-security.ts';
import { declinePage, waitingPeoplePage } from '../../../src/pages/console/users/waiting.ts';
import {
  fieldOf,
  listed,
  listedUser,
  m,
  notice,
  place,
  problem,
  problems,
  total,
  waitingPerson,
} from './console-data.ts';
import { own, testPages } from './marked.ts';

const head = {
  id: '53',
  name: '54',
  email: '55',
  isYou: true,
  managedBy: null,
  isOwned: false,
  roles: ['administrator', 'people'] as const,
  standing: 'active' as const,
  disabledReason: null,
  expiresAt: 90_000,
  createdAt: 0,
};
const tab = { person: head, now: 0, notice, problem };
const profile = {
  ...tab,
  emailVerified: true,
  picture: 'https://56.56/57',
  attributes: [
    {
      name: '63',
      label: '64',
      value: '65',
      shown: '65',
      kind: 'text',
      allowedValues: null,
      problem: undefined,
    } as const,
  ],
  lastSignInAt: null,
  lastActiveAt: null,
  sharedNames: ['103', '104'],
};
const inGroup = { id: '59', name: '60', protectedSince: 0, listedSince: null, listedUntil: 90_000, isOpen: true };
const app = { id: '56', name: '57', since: 0, lastUsedAt: 0 };
const openToAll = { kind: 'everyone', group: null, expiresAt: null } as const;
const directly = { kind: 'person', group: null, expiresAt: null } as const;
const byGroup = { kind: 'group', group: { name: '60' }, expiresAt: 90_000 } as const;
const access = {
  ...tab,
  groups: [inGroup, { ...inGroup, protectedSince: null, listedSince: 0, listedUntil: null, isOpen: false }],
  groupNames: { names: ['61'], more: true },
  apps: [
    { ...app, reasons: [openToAll], expiresAt: null },
    { ...app, reasons: [directly, byGroup], expiresAt: 90_000 },
    { ...app, reasons: [], expiresAt: null, lastUsedAt: null },
  ],
  offered: { search: '', apps: [{ id: '66', name: '67' }], more: false },
  end: '103',
};
const security = {
  ...tab,
  lastSignInAt: null,
  authenticator: true,
  passkeys: 2,
  pausedFactors: 1,
  breachedSince: 0,
  canChangeRoles: true,
  canSendEmail: true,
  devices: {
    trusted: [{ device: null, lastSeenAt: 0, trustedUntil: 90_000 }],
    sessions: [{ device: null, address: '58', lastSeenAt: 0 }],
  },
  identities: [
    { upstream: { name: '121', label: '122' }, subject: '123', email: null, linkedAt: 0, lastUsedAt: 0 },
    { upstream: undefined, subject: '123', email: '124', linkedAt: 0, lastUsedAt: null },
  ],
};
const noNames = { users: new Map(), clients: new Map(), apiKeys: new Map() };
const ofDirectory = { ...head, managedBy: '95', isOwned: true, roles: [] };
const account = { groups: [], roles: [], accountExpiresAt: null };
const makers = [
  { kind: 'command_line' },
  { kind: 'person', name: '4' },
  { kind: 'person' },
  { kind: 'api_key', name: '5' },
  { kind: 'api_key' },
] as const;
const inviter = { inviter: undefined, inviterKey: undefined, maker: makers[0] };
const invited = { email: '2', name: '3', invitedAt: 0, expiresAt: 5, ...inviter, ...account };
const invitationForm = {
  fields: [
    fieldOf('email', 'email', ''),
    fieldOf('name', 'text', ''),
    fieldOf('groups', 'lines', ''),
    fieldOf('account_expires_at', 'text', ''),
    fieldOf('admin', 'flag', ''),
    fieldOf('roles', 'boxes', '', ['people', 'applications', 'auditor']),
  ],
  problems,
  submissionToken: '',
};
const signUpLink = { id: '108', note: '109', groups: ['110'], uses: 5, used: 1, expiresAt: 0, end: undefined };
const signUpLinkFields = [
  fieldOf('uses', 'number', '1'),
  fieldOf('groups', 'lines', ''),
  fieldOf('note', 'text', ''),
  fieldOf('days', 'number', '7'),
];
const userForm = [
  fieldOf('name', 'text', '1'),
  fieldOf('given_name', 'text', '2'),
  fieldOf('family_name', 'text', '3'),
  fieldOf('email', 'email', '4'),
];

const links = (isClosed: boolean) => signUpLinkViews('/admin/people/sign-up-links', async () => isClosed);
const createdLink = (uses: number) => links(false).created(own, { link: { uses, expiresAt: 0 }, url: '112' });

testPages({
  'console, people': usersPage(own, {
    ...listed,
    users: [
      {
        ...listedUser,
        roles: ['administrator'],
        standing: 'disabled',
        expiresAt: null,
        hasSecondFactor: true,
        lastSignInAt: 0,
        lastActiveAt: 0,
        disabledReason: null,
      },
      {
        ...listedUser,
        roles: ['administrator'],
        standing: 'expired',
        expiresAt: -1,
        hasSecondFactor: true,
        lastSignInAt: 0,
        lastActiveAt: 0,
        disabledReason: 'inactive',
      },
      {
        ...listedUser,
        roles: [],
        standing: 'active',
        expiresAt: 90_000,
        hasSecondFactor: false,
        lastSignInAt: null,
        lastActiveAt: null,
        disabledReason: null,
      },
      {
        ...listedUser,
        roles: [],
        standing: 'waiting',
        expiresAt: null,
        hasSecondFactor: false,
        lastSignInAt: null,
        lastActiveAt: null,
        disabledReason: null,
      },
    ],
  }),
  'console, nobody': usersPage(own, { ...listed, users: [] }),
  'console, nobody who meets filters': usersPage(own, {
    ...listed,
    users: [],
    sort: '',
    filters: {
      role: 'auditor',
      status: 'active',
      second_factor: 'none',
      signed_in: 'never',
      expires_within: '1d',
      managed_by: '202',
    },
    place: { ...place, total, truncated: true },
  }),
  'console, one page of people': usersPage(own, {
    ...listed,
    users: [],
    place: { ...place, next: undefined, previous: undefined, total },
  }),
  'console, nobody found': usersPage(own, { ...listed, search: '95', users: [] }),
  'console, people who wait': waitingPeoplePage(own, { ...listed, people: [waitingPerson, waitingPerson] }),
  'console, nobody waits': waitingPeoplePage(own, { ...listed, people: [] }),
  'console, decline': declinePage(own, {
    people: [waitingPerson],
    message: '98',
    messageLimit: 9,
    canSendEmail: true,
    problem: undefined,
  }),
  'console, invitations': invitationsPage(
    own,
    {
      ...listed,
      items: [
        ...makers.map((maker) => ({ ...invited, maker })),
        { ...invited, groups: ['6', '7'], roles: ['administrator'], accountExpiresAt: 8 },
      ],
      ...invitationForm,
    },
    true,
  ),
  'console, no invitations': invitationsPage(own, { ...listed, items: [], ...invitationForm }, false),
  'console, sign-up links': await links(false).list(own, {
    ...listed,
    items: [
      ...makers.map((maker) => ({ ...signUpLink, maker })),
      ...(['revoked', 'expired', 'used_up'] as const).map((end) => ({
        ...signUpLink,
        note: '',
        maker: { kind: 'command_line' } as const,
        end,
      })),
    ],
    fields: signUpLinkFields,
    problems,
    submissionToken: '',
  }),
  'console, no sign-up links': await links(true).list(own, {
    ...listed,
    items: [],
    fields: signUpLinkFields,
    problems,
    submissionToken: '',
  }),
  'console, new sign-up link': createdLink(1),
  'console, new sign-up link for many': createdLink(1200),
  'console, new person': newUserPage(own, {
    fields: [...userForm, fieldOf('email_verified', 'flag', ''), fieldOf('expires_at', 'text', '101')],
    withPassword: true,
    submissionToken: '',
    problem,
    problems: {
      name: problem,
      given_name: problem,
      family_name: problem,
      email: problem,
      password: m.people.notChosen,
    },
  }),
  'console, edit person': editUserPage(own, {
    id: '1',
    name: '2',
    canSendEmail: true,
    owner: undefined,
    fields: userForm,
    problem,
    problems: {},
  }),
  'console, edit person of a directory': editUserPage(
    { ...own, allows: () => false },
    { id: '1', name: '2', canSendEmail: true, owner: '95', fields: userForm, problem, problems: {} },
  ),
  'console, person': userPage(own, profile),
  'console, person of a directory': userPage(own, { ...profile, person: ofDirectory }),
  'console, person of a directory with a role': userPage(own, { ...profile, person: { ...head, managedBy: '95' } }),
  'console, person without anything': userPage(own, {
    ...profile,
    person: { ...head, isYou: false, roles: [] },
    emailVerified: false,
  }),
  'console, person who waits': userPage(own, { ...profile, person: { ...head, standing: 'waiting' } }),
  'console, expired person': userPage(own, { ...profile, person: { ...head, standing: 'expired', expiresAt: -1 } }),
  'console, disabled person': userPage(own, {
    ...profile,
    person: { ...head, standing: 'disabled', expiresAt: null },
  }),
  'console, access of a person': userAccessPage(own, access),
  'console, refused access of a person': userAccessPage(own, {
    ...access,
    addition: { chosen: '62', end: '30d' },
    gift: { chosen: '66', end: '2099-01-31T17:00:00Z' },
    offered: { ...access.offered, search: '68', more: true },
    end: '',
  }),
  'console, access of a person without any': userAccessPage(own, {
    ...access,
    groups: [],
    groupNames: { names: [], more: false },
    apps: [],
    offered: { search: '68', apps: [], more: false },
  }),
  'console, security of a person': userSecurityPage(own, security),
  'console, security of a person without anything': userSecurityPage(own, {
    ...security,
    authenticator: false,
    passkeys: 0,
    pausedFactors: 0,
    breachedSince: null,
    devices: { sessions: [], trusted: [] },
    identities: [],
    canSendEmail: false,
  }),
  'console, activity of a person': userActivityPage(own, { ...tab, events: [], names: noNames }),
  'console, danger zone of a person': userDangerPage(own, tab),
  'console, danger zone of a person of a directory': userDangerPage(own, { ...tab, person: ofDirectory }),
  'console, danger zone of a disabled person of a directory': userDangerPage(own, {
    ...tab,
    person: { ...ofDirectory, standing: 'disabled' },
  }),
});
