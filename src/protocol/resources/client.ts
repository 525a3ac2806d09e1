// The fields of an application.

import { isEmail } from '../account/email-address.ts';
import { cleanName, nameProblem } from '../account/names.ts';
import type { ApplicationClaim } from '../oauth/application-claims.ts';
import { type ClaimJson, claimsJson, mostClaims, readClaims } from '../oauth/claim-json.ts';
import { claimLine } from '../oauth/claim-lines.ts';
import { newRedirectUriProblem, redirectUriProblem } from '../oauth/redirect-uri.ts';
import { type Scope, supportedScopes } from '../oauth/scope.ts';
import type { Problem } from '../problem.ts';
import { webUrlLimit, webUrlProblem } from '../reading/web-url.ts';
import { choice, flag, Invalid, image, items, list, shown, text, time, type Whole } from './field.ts';
import type { GivenOf, ValuesOf } from './resource.ts';
import { longestWebhookUrl, webhookUrlProblem } from './webhook.ts';

// Codes and people would go elsewhere.
const uris = { most: 50, dependsOn: ['isPublic'], needsProof: true, recorded: true } as const;

export const clientFields = {
  client_id: shown<string, 'id'>({ kind: 'text', property: 'id', description: 'The client ID.' }),
  name: text({
    description: 'What people see.',
    longest: 100,
    recorded: true,
    option: { value: 'NAME' },
    // What's invalid isn't cleaned, so that it's refused.
    clean: (given) => (nameProblem(given) === undefined ? cleanName(given) : given),
    subject: 'the name',
    problem: nameProblem,
  }),
  redirect_uris: list({
    ...uris,
    description: 'Where people return after signing in. Must match exactly.',
    least: 1,
    option: { name: 'redirect-uri', value: 'URI', label: 'redirect URI' },
    problems: (given, whole) =>
      given.length === 0 ? ['at least one redirect URI is needed'] : uriProblems('redirect URI', given, whole),
  }),
  post_logout_redirect_uris: list({
    ...uris,
    description: 'Where the application can send people after they sign out.',
    absentInFile: 'initial',
    option: {
      name: 'post-logout-redirect-uri',
      value: 'URI',
      label: 'post-logout redirect URI',
      clear: 'remove all post-logout redirect URIs',
    },
    problems: (given, whole) => uriProblems('post-logout redirect URI', given, whole),
  }),
  backchannel_logout_uri: text({
    description:
      'Where logout tokens are sent when a session ends (OpenID Connect Back-Channel Logout). https, or http to a network in LATCHKEY_WEBHOOK_NETWORKS. Only for an application with a secret, which signs them.',
    longest: longestWebhookUrl,
    nullable: true,
    // Anyone who gets the tokens learns when people sign out.
    needsProof: true,
    recorded: true,
    eventName: 'backchannel_logout_uri',
    dependsOn: ['isPublic'],
    option: {
      value: 'URL',
      label: 'back-channel logout URI',
      about: 'where logout tokens are sent when a session ends',
    },
    clean: (given) => given.trim(),
    problem: (uri, { isPublic }) => {
      if (isPublic === true)
        return "a public client can't have a back-channel logout URI: it has no secret to sign with";
      const problem = webhookUrlProblem(uri);
      return problem && `the back-channel logout URI ${problem}`;
    },
  }),
  backchannel_logout: shown<'waiting_for_secret' | 'ready' | null>({
    kind: 'choice',
    values: ['waiting_for_secret', 'ready'],
    nullable: true,
    description:
      'waiting_for_secret: messages wait, for up to an hour, until the application next presents its secret. null without a back-channel logout URI.',
    find: ({ backchannelLogoutUri, secrets }) => logoutState(backchannelLogoutUri, secrets),
  }),
  scopes: list<Scope>({
    description: 'What it can ask for.',
    values: supportedScopes,
    initial: supportedScopes,
    least: 1,
    words: true,
    absentInFile: 'initial',
    recorded: 'scope',
    formName: 'scope',
    option: { name: 'scope', value: 'SCOPES', about: 'what it can ask for: "openid profile email" or fewer' },
    items: (given) => {
      if (given.length === 0) return new Invalid('the scope is empty');
      const chosen = supportedScopes.filter((scope) => given.includes(scope));
      const isKnown = given.every((each) => supportedScopes.some((scope) => scope === each));
      return isKnown ? chosen : new Invalid(`the scope must be among: ${supportedScopes.join(' ')}`);
    },
  }),
  access: choice({
    description: 'Who can use it: everyone, or the people and groups on its list.',
    values: ['everyone', 'listed'],
    initial: 'everyone',
    needsProof: true,
    recorded: true,
    rule: 'the access must be everyone or listed',
    // Later it's changed where the list is.
    inForm: 'create',
  }),
  access_requests: choice({
    description: 'Whether people without access can ask for it.',
    values: ['off', 'on'],
    initial: 'off',
    recorded: true,
    rule: 'the requests for access are off or on',
    // In the form for the owners, who decide about requests.
    formName: false,
  }),
  public: flag({
    property: 'isPublic',
    description: "For an application that can't keep a secret, such as a mobile app or a page. It has no secret.",
    // Another type means another secret, or none.
    needsProof: true,
    eventName: 'type',
    absentInFile: 'initial',
    formName: 'type',
    flagWords: ['confidential', 'public'],
    documentsInitial: true,
    option: {
      about: "for an application that can't keep a secret, such as a mobile app or a page",
      change: 'make it a public client, which removes its secrets',
      opposite: { name: 'confidential', about: 'make it a confidential client; its secret is printed once' },
    },
  }),
  second_factor: choice({
    description: 'Whether people need two-step verification to sign in to it.',
    values: ['optional', 'required'],
    initial: 'optional',
    needsProof: true,
    recorded: true,
    rule: 'the second factor is required or optional',
  }),
  upstream: text({
    description: 'The identity provider that people are sent to for signing in.',
    nullable: true,
    recorded: true,
    option: { value: 'NAME', completes: 'upstream' },
  }),
  logo: image({ description: 'A PNG, JPEG or WebP image of at most 512 KB.', option: { clear: 'remove the logo' } }),
  client_uri: link('The home page.', { fragment: false }, 'client_uri'),
  policy_uri: link('The privacy policy.', { fragment: true }, 'policy_uri'),
  tos_uri: link('The terms of service.', { fragment: true }, 'tos_uri'),
  launch_url: link('What “Your apps” opens instead of the home page.', { fragment: true }, 'launch_url'),
  contact_email: text({
    description: 'Where people reach the developer when something goes wrong.',
    nullable: true,
    longest: 254,
    option: { value: 'EMAIL' },
    clean: (given) => given.trim(),
    problem: (email) => (isEmail(email) ? undefined : `${JSON.stringify(email)} is not an email address`),
  }),
  claims: items<ClaimJson>({
    description:
      'Claims about people that it receives in addition to those of its scopes. Covered by the scope profile.',
    most: mostClaims,
    // Groups and roles may be nobody's business, and others decide by them who is an administrator.
    needsProof: true,
    recorded: true,
    // Options and forms have more than one control for it.
    option: false,
    formName: false,
    // A record has references.
    find: ({ claims }) => claimsJson(claims as readonly ApplicationClaim[]),
    line: claimLine,
    items: (given) => {
      const reading = readClaims(given);
      return reading.kind === 'read' ? reading.claims : new Invalid(...reading.problems);
    },
  }),
  revoked_at: time({ nullable: true }),
  created_at: time(),
  updated_at: time(),
};

export type ClientValues = Omit<ValuesOf<typeof clientFields>, 'backchannelLogout'>;
/** What an administrator can say about a client. */
export type ClientInput = GivenOf<typeof clientFields>;

/** Records have the secrets, and what is kept of those that have been presented. */
function logoutState(uri: unknown, secrets: unknown): 'waiting_for_secret' | 'ready' | null {
  if (typeof uri !== 'string') return null;
  const isReady = Array.isArray(secrets) && secrets.some(({ sealedStates }) => typeof sealedStates === 'string');
  return isReady ? 'ready' : 'waiting_for_secret';
}

function uriProblems(what: string, given: readonly string[], { isPublic }: Whole): string[] {
  if (given.length > uris.most) return [`there are more than ${uris.most} ${what}s`];
  return given.flatMap((uri) => {
    const problem = redirectUriProblem(uri, isPublic === true);
    return problem === undefined ? [] : [`the ${what} ${JSON.stringify(uri)} ${problem}`];
  });
}

/** What is wrong with those that the client doesn't have yet. What it has stays. */
export function newUriProblems(given: readonly string[] = [], registered: readonly string[] = []): Problem[] {
  return given.flatMap((uri) => {
    const problem = registered.includes(uri) ? undefined : newRedirectUriProblem(uri);
    return problem === undefined
      ? []
      : [{ field: 'redirect_uris', says: `the redirect URI ${JSON.stringify(uri)} ${problem}` }];
  });
}

/** A page of the application. A home page has no fragment; the others may lead into a page. */
function link(description: string, allowed: { readonly fragment: boolean }, name: string) {
  return text({
    description: `${description} https, or http on loopback.`,
    longest: webUrlLimit,
    nullable: true,
    // People follow it from our pages, and may enter their password where it leads.
    needsProof: true,
    recorded: true,
    eventName: name,
    option: { value: 'URL', label: name, about: `${description.charAt(0).toLowerCase()}${description.slice(1, -1)}` },
    clean: (given) => given.trim(),
    subject: `the ${name}`,
    problem: (url) => {
      const problem = webUrlProblem(url, allowed);
      return problem && `${JSON.stringify(url)} ${problem}`;
    },
  });
}

export type ClientLinkName = 'client_uri' | 'policy_uri' | 'tos_uri' | 'launch_url';
export type ClientLinks = Readonly<Record<ClientLinkName, string | null>>;
type Linked = Pick<ClientValues, 'clientUri' | 'policyUri' | 'tosUri' | 'launchUrl'>;

export function linksOf({ clientUri, policyUri, tosUri, launchUrl }: Linked): ClientLinks {
  return { client_uri: clientUri, policy_uri: policyUri, tos_uri: tosUri, launch_url: launchUrl };
}

/** Where people open the application. */
export function launchUrlOf({ launchUrl, clientUri }: Linked): string | null {
  return launchUrl ?? clientUri;
}
