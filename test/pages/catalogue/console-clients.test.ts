// Applications in the console.

import { clientAccessPage } from '../../../src/pages/console/clients/access-list.ts';
import {
  claimFormPage,
  claimSourcePage,
  claimsPreviewPage,
  clientClaimsPage,
  type ListedClaim,
} from '../../../src/pages/console/clients/claims.ts';
import {
  clientDangerPage,
  clientSecretsPage,
  clientSettingsPage,
  clientWebhookPage,
  newClientPage,
  newSecretPage,
} from '../../../src/pages/console/clients/client.ts';
import { clientsPage } from '../../../src/pages/console/clients/client-list.ts';
import { type ConnectPage, connectPage } from '../../../src/pages/console/clients/connect.ts';
import {
  fieldOf,
  group,
  listed,
  listedUser,
  m,
  notice,
  picker,
  place,
  problem,
  problems,
  total,
} from './console-data.ts';
import { app, own, testPages } from './marked.ts';

const fields = [
  fieldOf('name', 'text', '50'),
  fieldOf('redirect_uris', 'lines', '51'),
  fieldOf('post_logout_redirect_uris', 'lines', '51'),
  fieldOf('scopes', 'boxes', 'openid', ['openid', 'profile', 'email']),
  fieldOf('public', 'choice', 'public', ['confidential', 'public']),
  fieldOf('second_factor', 'choice', 'optional', ['optional', 'required']),
  fieldOf('upstream', 'select', '', ['']),
  ...['client_uri', 'launch_url', 'policy_uri', 'tos_uri'].map((name) => fieldOf(name, 'url', '')),
];
const answered = (status: number | null) => ({ status, error: '113' });
const logouts = {
  state: 'waiting_for_secret' as const,
  messages: [
    { id: '111', at: 0, state: 'given_up' as const, attempts: 1, lastAttempt: answered(null) },
    { id: '112', at: 0, state: 'waiting' as const, attempts: 2, lastAttempt: answered(503) },
    { id: '114', at: 0, state: 'delivered' as const, attempts: 3, lastAttempt: undefined },
  ],
};
const client = { id: '52', app, revokedAt: null };
const application = {
  client,
  isPublic: false,
  now: 0,
  submissionToken: '',
  notice,
  problem,
  secrets: [
    { lastFour: null, createdAt: 0, usedAt: null },
    { lastFour: '2345', createdAt: 0, usedAt: 1 },
  ],
};
const access = {
  client,
  access: 'listed' as const,
  preview: undefined,
  shown: {
    kind: 'list' as const,
    people: [{ ...group, listedSince: -1, listedUntil: null }],
    ending: false,
    endingDays: 102,
    place,
    count: undefined,
  },
  answer: undefined,
  now: 0,
  picker,
  notice,
  problem,
};
const byGroup = { kind: 'group', group: { name: '170' }, expiresAt: 90_000 } as const;
const byEntry = { kind: 'person', group: null, expiresAt: null } as const;
const inTable = { person: listedUser, reasons: [byEntry], since: 0, expiresAt: null, connectedAt: 0, lastUsedAt: 0 };
const accessTable = {
  kind: 'access' as const,
  search: '',
  sort: 'name',
  filters: {},
  place: { ...place, truncated: true as const, total: { count: 1, more: true } },
  groupNames: ['170'],
  people: [
    inTable,
    { ...inTable, reasons: Array.from({ length: 5 }, () => byGroup), expiresAt: 90_000 },
    { ...inTable, since: null, connectedAt: null, lastUsedAt: null },
  ],
};
const nobody = { ...accessTable, people: [], place };
const answer = {
  user: listedUser,
  allowed: false,
  reasons: [byEntry, byGroup],
  standing: 'disabled' as const,
  isRevoked: true,
};
const one = { count: 1, more: false };
const nobodyYet = {
  users: { count: 0, more: false },
  signedInAt: undefined,
  approvedAt: undefined,
  refused: undefined,
};
const refusedEvent = { id: '150', failed: true, at: 0, address: '', requestId: '151', mismatch: undefined } as const;
const connections: ConnectPage['connection'][] = [
  nobodyYet,
  { ...nobodyYet, users: one },
  { ...nobodyYet, users: one, approvedAt: 0 },
  { ...nobodyYet, users: one, signedInAt: 0 },
  ...['wrong_secret', 'redirect_uri_mismatch'].map((reason) => ({
    ...nobodyYet,
    refused: {
      ...refusedEvent,
      kind: 'client_authentication_failed' as const,
      detail: { reason },
      person: undefined,
    },
  })),
  { ...nobodyYet, refused: { ...refusedEvent, kind: 'access_refused', person: '152', hasAccess: false } },
];
const guide = {
  name: '153',
  href: '/154',
  install: '155',
  environment: '156',
  files: [
    { name: undefined, text: '157' },
    { name: '158', text: '159' },
  ],
  nextSteps: '161',
  callbackPath: undefined,
  secret: 'environment' as const,
};
const connect: ConnectPage = {
  client,
  notice,
  problem,
  isPublic: false,
  access: 'listed',
  createdAt: 0,
  now: 0,
  endpoints: {
    'client-id': '162',
    issuer: '163',
    discovery: '164',
    authorization: '165',
    token: '166',
    userinfo: '167',
    revocation: '168',
    logout: '169',
    jwks: '170',
  },
  connection: nobodyYet,
  guides: [{ name: '153', label: '171' }],
  guide,
};
const inBoth = { claim: '135', label: null, id_token: true, attributeLabel: undefined };
const valueFor = [{ group: '144', value: '145' }];
const listedClaims: readonly ListedClaim[] = [
  { ...inBoth, source: 'value', value: '136', label: '137' },
  { ...inBoth, source: 'groups', groups: null },
  { ...inBoth, source: 'groups', groups: ['146', '147'], id_token: false },
  { ...inBoth, source: 'attribute', attribute: '148', self_asserted: true, attributeLabel: '149' },
  { ...inBoth, source: 'has-group', group: '150' },
  { ...inBoth, source: 'if-group', map: valueFor, else: '151' },
  { ...inBoth, source: 'map-groups', map: valueFor },
];
const typed = {
  claim: '138',
  label: '139',
  idToken: true,
  groups: '140',
  attribute: '141',
  selfAsserted: true,
  value: '142',
  group: '143',
  map: [{ group: '144', value: '145' }],
  else: '146',
};
const claimForm = {
  id: '127',
  app: '128',
  was: '138',
  version: '',
  rows: 2,
  limits: { claim: 128, value: 1024 },
  groups: { names: ['147'], more: true },
  attributes: [
    { name: '141', byPeople: false },
    { name: '148', byPeople: true },
  ],
  notice,
  problem,
};

testPages({
  'console, applications': clientsPage(own, {
    ...listed,
    clients: [
      {
        id: '81',
        app,
        isPublic: true,
        revoked: true,
        access: 'listed' as const,
        people: total,
        lastUsedAt: 0,
        createdAt: 0,
      },
      {
        id: '82',
        app,
        isPublic: false,
        revoked: false,
        access: 'everyone' as const,
        people: total,
        lastUsedAt: null,
        createdAt: 0,
      },
    ],
  }),
  'console, no application': clientsPage(own, { ...listed, clients: [] }),
  'console, none found': clientsPage(own, { ...listed, search: '83', clients: [] }),
  'console, new application': newClientPage(own, { fields, hasMore: true, submissionToken: '', problem, problems }),
  'console, application, settings': clientSettingsPage(own, {
    client,
    fields,
    version: '',
    notice,
    problem,
    problems,
  }),
  'console, application, secrets': clientSecretsPage(own, application),
  'console, application, no secrets': clientSecretsPage(own, { ...application, isPublic: true, secrets: [] }),
  'console, application, webhook': clientWebhookPage(own, {
    ...application,
    logouts,
    webhooks: [{ id: '109', url: '110', status: 'active' }],
  }),
  'console, application, no webhook': clientWebhookPage(own, {
    ...application,
    logouts: { state: 'ready', messages: [] },
    webhooks: [],
  }),
  'console, application, danger': clientDangerPage(own, application),
  'console, revoked, danger': clientDangerPage(own, { ...application, client: { ...client, revokedAt: 0 } }),
  'console, application, claims': clientClaimsPage(own, { ...application, claims: listedClaims }),
  'console, application, no claims': clientClaimsPage(own, { ...application, claims: [] }),
  ...Object.fromEntries(
    connections.map((connection, index) => [`console, connect ${index}`, connectPage(own, { ...connect, connection })]),
  ),
  'console, connect, revoked': connectPage(own, { ...connect, client: { ...client, revokedAt: 0 }, guides: [] }),
  'console, connect, settings': connectPage(own, { ...connect, guide: { ...guide, secret: 'placeholder' } }),
  'console, connect, other callback': connectPage(own, { ...connect, guide: { ...guide, callbackPath: '160' } }),
  'console, secret': newSecretPage(own, { clientId: '84', secret: '85', env: '86', isListed: true }),
  'console, no secret': newSecretPage(own, { clientId: '84', secret: undefined, env: '86', isListed: false }),
  'console, sources of a claim': claimSourcePage(own, { id: '127', app: '128', notice, problem }),
  ...Object.fromEntries(
    (Object.keys(m.claims.sources) as (keyof typeof m.claims.sources)[]).flatMap((source) => [
      [`console, claim from ${source}`, claimFormPage(own, { ...claimForm, typed: { ...typed, source } })],
      [
        `console, new claim from ${source}`,
        claimFormPage(own, { ...claimForm, was: undefined, attributes: [], typed: { ...typed, source } }),
      ],
    ]),
  ),
  'console, preview': claimsPreviewPage(own, {
    id: '127',
    app: '128',
    picker: { search: '129', found: [listedUser], truncated: true },
    preview: {
      name: '130',
      userinfo: [{ claim: '131', value: '132', selfAsserted: true }],
      idToken: [{ claim: '133', value: '134', selfAsserted: false }],
      dropped: true,
    },
    notice,
    problem,
  }),
  'console, preview of nobody': claimsPreviewPage(own, {
    id: '127',
    app: '128',
    picker: { search: '129', found: [] },
    preview: undefined,
    notice,
    problem,
  }),
  'console, access': clientAccessPage(own, {
    ...access,
    groups: [{ ...group, listedUntil: 90_000 }],
    allGroups: [group],
  }),
  'console, access of nobody': clientAccessPage(own, {
    ...access,
    access: 'everyone',
    preview: { users: 0, kept: 0, more: false },
    shown: { ...access.shown, people: [], ending: true, count: { count: 1, more: false } },
    groups: [],
    allGroups: [],
    picker: { search: '', found: [] },
  }),
  'console, people with access': clientAccessPage(own, {
    ...access,
    groups: [],
    allGroups: [],
    shown: accessTable,
    answer: { person: '171', result: answer },
  }),
  'console, people with access, filtered': clientAccessPage(own, {
    ...access,
    groups: [],
    allGroups: [],
    shown: { ...nobody, filters: { reason: 'group', group: '172', expires_within: '5d', unused: '6d' } },
    answer: { person: '171', problem: '173' },
  }),
  'console, people with access to what is open': clientAccessPage(own, {
    ...access,
    access: 'everyone',
    groups: [],
    allGroups: [],
    shown: nobody,
    answer: { person: '171', result: { ...answer, allowed: true, standing: 'active', isRevoked: false } },
  }),
  'console, people with access, nobody': clientAccessPage(own, {
    ...access,
    groups: [],
    allGroups: [],
    shown: nobody,
    answer: { person: '171', result: { ...answer, reasons: [], standing: 'waiting' } },
  }),
});
