// API keys and SCIM tokens in the console.

import { apiKeyViews, revokedApiKeyPage } from '../../../src/pages/console/api-keys/api-keys.ts';
import { scimTokenViews } from '../../../src/pages/console/scim/scim-tokens.ts';
import { fieldOf, notice, problem, problems } from './console-data.ts';
import { own, testPages } from './marked.ts';

const keyFields = [
  fieldOf('name', 'text', ''),
  fieldOf('permission', 'choice', 'read', ['read', 'write', 'administrator']),
  fieldOf('days', 'number', ''),
];
const key = {
  id: '75',
  name: '76',
  permission: 'read',
  roles: null,
  createdAt: 0,
  expiresAt: null,
  lastUsedAt: null,
  lastFour: '4567',
} as const;
const scimToken = {
  id: '75',
  source: '95',
  name: '76',
  adopts: false,
  upstream: null,
  subjectClaim: 'sub',
  createdAt: 0,
  expiresAt: null,
  lastUsedAt: null,
  lastFour: null,
} as const;
const keys = apiKeyViews('/admin/keys', '100');
const tokens = (docs: boolean) => scimTokenViews('/admin/scim-tokens', { baseUrl: '100', docs });
const scimTokens = {
  place: undefined,
  fields: [
    fieldOf('source', 'text', ''),
    fieldOf('name', 'text', ''),
    fieldOf('adopt', 'flag', ''),
    fieldOf('upstream', 'select', '', ['', '96']),
    fieldOf('subject_claim', 'choice', 'sub', ['sub', 'oid']),
    fieldOf('days', 'number', ''),
  ],
  problems,
  submissionToken: '',
  now: 0,
  notice,
  problem,
};

testPages({
  'console, revoked key': revokedApiKeyPage(own, {
    created: [
      { kind: 'person', id: '75', name: '76', at: 0 },
      { kind: 'group', id: null, name: '77', at: 0 },
    ],
    truncated: true,
    now: 0,
    pathOf: ({ id }) => id ?? undefined,
  }),
  'console, keys': await keys.list(own, {
    place: undefined,
    items: [
      { ...key, maker: { kind: 'person', name: '107' }, ended: false },
      {
        ...key,
        maker: { kind: 'command_line' },
        roles: 'people auditor',
        permission: 'write',
        expiresAt: 0,
        lastUsedAt: 0,
        ended: true,
      },
    ],
    fields: keyFields,
    problems,
    submissionToken: '',
    now: 0,
    notice,
    problem,
  }),
  'console, no keys': await keys.list(own, {
    place: undefined,
    items: [],
    fields: keyFields,
    problems,
    submissionToken: '',
    now: 0,
    notice,
    problem,
  }),
  'console, new key': keys.created(own, { secret: '99' }),
  'console, SCIM tokens': await tokens(true).list(own, {
    ...scimTokens,
    items: [
      { ...scimToken, maker: { kind: 'person', name: '107' }, ended: false },
      {
        ...scimToken,
        maker: { kind: 'command_line' },
        adopts: true,
        upstream: '96',
        subjectClaim: 'oid',
        expiresAt: 0,
        lastUsedAt: 0,
        ended: true,
      },
    ],
  }),
  'console, no SCIM tokens': await tokens(false).list(own, { ...scimTokens, items: [] }),
  'console, new SCIM token': tokens(true).created(own, { secret: '99' }),
});
