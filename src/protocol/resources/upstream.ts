// The fields of an upstream: an identity provider that people can sign in with. Whether its issuer can be reached, and
// where its endpoints are, is known to the operations alone.

import { cleanName, nameProblem } from '../account/names.ts';
import { isPlainText } from '../reading/control-characters.ts';
import { everyDomain, readDomain } from '../upstreams/claims.ts';
import {
  asymmetricAlgorithms,
  chosenAlgorithm,
  githubIssuer,
  type SigningAlgorithm,
  symmetricAlgorithm,
  type UpstreamMetadata,
} from '../upstreams/metadata.ts';
import { choice, flag, Invalid, image, list, secret, text, time } from './field.ts';
import type { GivenOf, ValuesOf } from './resource.ts';

const longestValue = 200;
const values = { most: 50, comparedWhole: true } as const;
const domains = { ...values, separators: /[\s,]+/ } as const;
const algorithms: readonly SigningAlgorithm[] = [...asymmetricAlgorithms, symmetricAlgorithm];

export const upstreamFields = {
  name: text({
    description: "1 to 40 of a-z, 0-9 and -. Part of the callback URL; can't be changed later.",
    settable: 'create',
    longest: 40,
    pattern: /^[a-z0-9-]{1,40}$/,
    verbatim: true,
    option: false,
    subject: 'the name',
    problem: (name) => (isUpstreamName(name) ? undefined : 'must be 1 to 40 lowercase letters, digits or hyphens'),
  }),
  kind: choice({
    description: 'The protocol.',
    values: ['oidc', 'github'],
    initial: 'oidc',
    settable: 'create',
    absentInFile: 'initial',
    rule: 'the kind must be oidc or github',
    option: { about: 'the protocol; default: oidc' },
  }),
  issuer: text({
    description: 'The issuer URL. Required for oidc.',
    settable: 'create',
    initial: '',
    initialFrom: ({ kind }) => standardIssuer(kind),
    longest: 1000,
    option: { value: 'URL', about: 'the issuer URL; not needed for GitHub' },
    clean: (issuer, { kind }) => issuer || standardIssuer(kind),
    // ID tokens have to name it in exactly the same way.
    subject: 'the issuer',
    problem: (issuer) => (issuer.includes('?') ? "can't contain a query (?…)" : undefined),
  }),
  client_id: text({
    description: 'The client ID that the identity provider issued to you.',
    longest: 500,
    verbatim: true,
    option: { value: 'ID', label: 'client ID' },
    subject: 'the client ID',
    problem: (id) => credentialProblem(id, 500),
  }),
  client_secret: secret({
    property: 'secret',
    description: 'The client secret that it issued to you. Stored encrypted and never shown.',
    subject: 'the client secret',
    problem: (given) => credentialProblem(given, 2000),
  }),
  label: text({
    description: 'Shown on the button: “Continue with Google”.',
    initialFrom: ({ name }) => name,
    longest: 60,
    option: { about: 'the name on the button, such as Google; default: <name>', change: 'the name on the button' },
    clean: cleanName,
    subject: 'the label',
    problem: nameProblem,
  }),
  scopes: list({
    ...values,
    description: 'The scopes to request.',
    words: true,
    initialFrom: ({ kind }) => standardScopes(kind),
    option: {
      name: 'scope',
      value: 'SCOPES',
      about: 'the scopes to request; default: "openid email profile"',
      change: 'the scopes to request',
    },
    items: (given, { kind }) => {
      if (kind === 'oidc' && !given.includes('openid')) return new Invalid('the scopes must include openid');
      return readValues('scope', given, /^[\x21\x23-\x5b\x5d-\x7e]+$/);
    },
  }),
  creates_accounts: flag({
    description: 'Whether people get an account when they sign in for the first time.',
    option: {
      name: 'create-accounts',
      about: 'create an account for people who sign in for the first time',
      change: 'whether people get an account when they sign in for the first time',
      label: 'new accounts',
      said: ['not created', 'created'],
    },
  }),
  skip_approval: flag({
    description: 'Whether the accounts of people who sign in for the first time need no approval, if sign-up does.',
    // It lets people in whom an administrator would otherwise look at first.
    needsProof: true,
    option: {
      about: 'let the accounts it creates skip approval',
      change: 'whether the accounts it creates skip approval',
      label: 'new accounts skip approval',
    },
  }),
  trusted_domains: list({
    ...domains,
    description: "Domains for which you trust the identity provider's `email_verified`; * for all.",
    option: {
      name: 'trusted-domain',
      value: 'DOMAIN',
      about: "a domain for which you trust the identity provider's email_verified; * for all",
      clear: 'trust it for no domain',
      empty: 'none',
    },
    items: (given) => readDomains('trusted', given, true),
  }),
  allowed_domains: list({
    ...domains,
    description:
      'Only people with a verified email address in one of these domains can sign in. Each must also be trusted. Empty for everyone.',
    option: {
      name: 'allowed-domain',
      value: 'DOMAIN',
      about: 'let only people with a verified email address in such a domain sign in; it must also be trusted',
      clear: 'let people of all domains sign in',
      empty: 'all',
    },
    items: (given) => readDomains('allowed', given, false),
  }),
  routes_domains: flag({
    description: 'Whether people with an email address in a trusted domain are sent straight to it.',
    option: {
      name: 'route-domains',
      about: 'send people with an email address in a trusted domain straight to it',
      change: 'whether people with an email address in a trusted domain are sent straight to it',
      label: 'routes by domain',
    },
  }),
  trusted_amr: list({
    ...values,
    description: 'The `amr` values that confirm that it checked two factors.',
    words: true,
    option: {
      value: 'VALUE',
      about: 'an amr value that confirms that it checked two factors',
      clear: 'trust no amr value',
      many: true,
    },
    items: (given) => readValues('amr value', given, /^[\x21-\x7e]+$/),
  }),
  trusted_acr: list({
    ...values,
    description: 'The `acr` values that confirm that it checked two factors.',
    words: true,
    option: {
      value: 'VALUE',
      about: 'an acr value that confirms that it checked two factors',
      clear: 'trust no acr value',
      many: true,
    },
    items: (given) => readValues('acr value', given, /^[\x21-\x7e]+$/),
  }),
  algorithm: choice<SigningAlgorithm>({
    description:
      'The only signature algorithm to accept; null for the announced ones whose keys the identity provider publishes.',
    values: algorithms,
    nullable: true,
    find: ({ metadata }) => (metadata === undefined ? null : (chosenAlgorithm(metadata as UpstreamMetadata) ?? null)),
    rule: `the algorithm must be one of ${algorithms.join(', ')}`,
    problem: (_, { kind }) =>
      kind === 'github' ? 'GitHub signs nothing, so there is no algorithm to choose' : undefined,
    option: {
      about: 'the only signature algorithm to accept; default: the announced ones with published keys',
      change: 'the only signature algorithm to accept, or the announced ones with published keys',
      none: 'announced',
    },
  }),
  icon: image({
    noun: 'icon',
    description: 'A PNG, JPEG or WebP image of at most 512 KB, for the button.',
    option: { clear: 'remove the icon' },
  }),
  disabled_at: time({ nullable: true }),
  created_at: time(),
  updated_at: time(),
};

const { algorithm: _algorithm, ...storedFields } = upstreamFields;
/** The algorithm is part of what is known about the endpoints, and stored with them. */
export const storedUpstreamFields = storedFields;

export type UpstreamValues = ValuesOf<typeof storedUpstreamFields>;
export type UpstreamKind = UpstreamValues['kind'];
/** What an administrator can say about an upstream. */
export type UpstreamInput = GivenOf<typeof upstreamFields>;

export function isUpstreamName(name: string): boolean {
  return upstreamFields.name.pattern?.test(name) === true;
}

export function standardScopes(kind: unknown): readonly string[] {
  return kind === 'github' ? ['read:user', 'user:email'] : ['openid', 'email', 'profile'];
}

/** Empty for a kind that has none. */
function standardIssuer(kind: unknown): string {
  return kind === 'github' ? githubIssuer : '';
}

function credentialProblem(given: string, longest: number): string | undefined {
  if (given === '') return 'is needed';
  return given.length <= longest && /^[\x20-\x7e]+$/.test(given)
    ? undefined
    : `must be at most ${longest} printable ASCII characters`;
}

/** They're stored with spaces in between. */
function readValues(what: string, given: readonly string[], form: RegExp): readonly string[] | Invalid {
  if (given.length > values.most) return new Invalid(`there are more than ${values.most} ${what}s`);
  const wrong = given.find((value) => value.length > longestValue || !form.test(value));
  return wrong === undefined ? given : new Invalid(`${quoted(wrong)} can't be a ${what}`);
}

/** The domains as DNS knows them. */
function readDomains(what: string, given: readonly string[], allowsEvery: boolean): readonly string[] | Invalid {
  if (given.length > values.most) return new Invalid(`there are more than ${values.most} ${what} domains`);
  const read = given.map((domain) => (allowsEvery && domain.trim() === everyDomain ? everyDomain : readDomain(domain)));
  const wrong = given.find((_, index) => read[index] === undefined);
  if (wrong !== undefined) return new Invalid(`${quoted(wrong)} isn't a domain such as example.com`);
  return read.flatMap((domain) => domain ?? []);
}

function quoted(given: string): string {
  return isPlainText(given) ? JSON.stringify(given.slice(0, 60)) : 'text with control characters';
}
