// Identity providers in the console.

import type { FormField } from '../../../src/pages/console/field-form.ts';
import { upstreamsPage } from '../../../src/pages/console/upstreams/list.ts';
import { choosePresetPage, newUpstreamPage } from '../../../src/pages/console/upstreams/new-upstream.ts';
import { type TriedPage, triedPage } from '../../../src/pages/console/upstreams/tried.ts';
import { endpointsPage, upstreamPage } from '../../../src/pages/console/upstreams/upstream.ts';
import type { Messages } from '../../../src/pages/languages/languages.ts';
import { type PresetName, upstreamPresets } from '../../../src/protocol/upstreams/presets.ts';
import { fieldOf, m, notice, problem, problems } from './console-data.ts';
import { app, own, testPages } from './marked.ts';

const provider = {
  name: '1',
  identity: app,
  issuer: 'https://2',
  createsAccounts: true,
  disabledAt: null,
  people: { count: 3, more: false },
};
const upstreamFormFields: readonly FormField[] = [
  fieldOf('kind', 'choice', 'oidc', ['oidc', 'github']),
  fieldOf('issuer', 'url', '1'),
  fieldOf('name', 'text', '2'),
  fieldOf('label', 'text', '3'),
  fieldOf('client_id', 'text', '4'),
  fieldOf('client_secret', 'secret', ''),
  fieldOf('trusted_domains', 'lines', '5'),
  fieldOf('allowed_domains', 'lines', '6'),
  fieldOf('creates_accounts', 'flag', 'yes'),
  fieldOf('routes_domains', 'flag', ''),
  fieldOf('trusted_amr', 'words', '7'),
  fieldOf('trusted_acr', 'words', '8'),
  fieldOf('scopes', 'words', '9'),
  fieldOf('algorithm', 'select', '10', ['', '10']),
];
const upstream = {
  upstream: { name: '1', kind: 'oidc', issuer: '3', disabledAt: null, createdAt: 0, updatedAt: 0 } as const,
  form: {
    fields: upstreamFormFields,
    who: { chosen: 'custom' as const, domains: '2' },
    sealedSecret: '3',
    problems,
  },
  identity: app,
  callbackUrl: '4',
  people: { all: { count: 2, more: false }, withoutOtherWay: { count: 1, more: false } },
  letsNobodyIn: true,
  endpoints: [
    ...[null, true, false, '5'].map((value) => ({ name: 'token_endpoint', value })),
    ...Object.keys(m.upstreams.endpoint).map((name) => ({ name, value: '6' })),
  ],
  now: 0,
  notice,
  problem,
};

testPages({
  'console, providers': upstreamsPage(own, {
    upstreams: [provider, { ...provider, disabledAt: 0, createsAccounts: false }],
    docs: true,
    notice,
  }),
  'console, no identity providers': upstreamsPage(own, { upstreams: [], docs: false, notice }),
  'console, kinds of providers': choosePresetPage(own, [
    { for: 'google', label: '1' },
    { for: 'other', label: '' },
  ]),
  ...Object.fromEntries(
    (Object.keys(upstreamPresets) as PresetName[]).map((preset) => [
      `console, new provider: ${preset}`,
      newUpstreamPage(own, {
        preset,
        kind: upstreamPresets[preset].kind,
        fields: upstreamFormFields,
        who: { chosen: 'domains', domains: '1' },
        sealedSecret: preset === 'google' ? '2' : undefined,
        submissionToken: '',
        callback: { prefix: '3', suffix: '4' },
        problem,
        problems,
      }),
    ]),
  ),
  ...Object.fromEntries(
    triedResults(m.upstreams.tried).map((result, index) => [
      `console, tried provider ${index}`,
      triedPage(own, { name: '1', label: '2', result }),
    ]),
  ),
  'console, provider': upstreamPage(own, upstream),
  'console, disabled provider without an icon': upstreamPage(own, {
    ...upstream,
    upstream: { ...upstream.upstream, kind: 'github', disabledAt: 0 },
    identity: { name: '1', logoUrl: undefined },
    form: { ...upstream.form, problems: {} },
  }),
  'console, endpoints of an identity provider': endpointsPage(own, {
    name: '1',
    label: '2',
    version: '3',
    changes: Object.keys(m.upstreams.endpoint).map((name) => ({ name, before: null, after: true })),
  }),
  'console, the same endpoints': endpointsPage(own, { name: '1', label: '2', version: '3', changes: [] }),
});

/** Every way in which trying an identity provider out ends. */
function triedResults(m: Messages['admin']['upstreams']['tried']): TriedPage['result'][] {
  const claims = {
    subject: '1',
    objectId: null,
    email: '2',
    emailVerified: true,
    name: '3',
    givenName: null,
    familyName: null,
    locale: null,
    amr: [],
    acr: null,
    authTime: null,
  };
  const user = { id: '4', name: '5' };
  const received = (['id_token', 'userinfo', 'api'] as const).map((from) => ({
    from,
    claims: [{ name: '6', value: '7' }],
  }));
  const whole = { kind: 'received', claims, verified: true, twoFactors: true, received } as const;
  const standings = Object.keys(m.standing) as (keyof typeof m.standing)[];
  return [
    ...standings.map((standing) => ({ ...whole, would: { kind: 'linked', user, standing } as const })),
    { ...whole, verified: false, would: { kind: 'provisioned', user, standing: 'active' } },
    { ...whole, twoFactors: false, would: { kind: 'newcomer', email: '8', waits: true } },
    { ...whole, would: { kind: 'newcomer', email: '8', waits: false } },
    { ...whole, would: { kind: 'link_needed', email: '8' } },
    ...[...Object.keys(m.noAccount), '9'].map((reason) => ({
      ...whole,
      claims: { ...claims, email: null, name: null },
      would: { kind: 'no_account', reason } as const,
    })),
    {
      ...whole,
      verified: false,
      claims: { ...claims, emailVerified: false },
      would: { kind: 'no_account', reason: '9' },
    },
    ...[...Object.keys(m.refusals), '9'].map((reason) => ({ kind: 'refused', reason, problem: '10' }) as const),
  ];
}
