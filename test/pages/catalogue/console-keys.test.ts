// API keys and SCIM tokens in the console.

import { apiKeysPage, newApiKeyPage, revokedApiKeyPage } from '../../../src/pages/console/api-keys/api-keys.ts';
import { newScimTokenPage, scimTokensPage } from '../../../src/pages/console/scim/scim-tokens.ts';
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
const scimTokens = {
  baseUrl: '100',
  docs: true,
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
  }),
  'console, keys': apiKeysPage(own, {
    keys: [
      { ...key, maker: '107', held: [], ended: false },
      {
        ...key,
        maker: undefined,
        held: ['people', 'auditor'],
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
  'console, no keys': apiKeysPage(own, {
    keys: [],
    fields: keyFields,
    problems,
    submissionToken: '',
    now: 0,
    notice,
    problem,
  }),
  'console, new key': newApiKeyPage(own, { secret: '99', example: '100' }),
  'console, SCIM tokens': scimTokensPage(own, {
    ...scimTokens,
    tokens: [
      { ...scimToken, maker: '107', ended: false },
      {
        ...scimToken,
        maker: undefined,
        adopts: true,
        upstream: '96',
        subjectClaim: 'oid',
        expiresAt: 0,
        lastUsedAt: 0,
        ended: true,
      },
    ],
  }),
  'console, no SCIM tokens': scimTokensPage(own, { ...scimTokens, tokens: [], docs: false }),
  'console, new SCIM token': newScimTokenPage(own, { secret: '99', baseUrl: '100' }),
});
