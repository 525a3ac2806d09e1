// `--bridge` of `client create` and `client update`: the client is registered with the bridge's URIs, and the application's own
// go into its section of the bridge's file.

import { originProblem } from '../../platform/config-file/rules.ts';
import { type EnvSettings, envFile } from '../../protocol/admin/file-formats.ts';
import { newRedirectUriProblem, redirectUriProblem } from '../../protocol/oauth/redirect-uri.ts';
import type { Client } from '../../storage/storage.ts';
import { UsageError } from '../command.ts';
import { print, printProgram } from '../terminal/output.ts';

/** The application's own URIs, as the options give them. */
interface OwnUris {
  readonly redirectUris?: readonly string[] | undefined;
  readonly postLogoutRedirectUris?: readonly string[] | undefined;
  readonly backchannelLogoutUri?: string | null | undefined;
}

export interface Bridged {
  /** What the client is registered with. */
  readonly registered: OwnUris;
  section(client: Client): object;
  settings(client: Client, secret: string | undefined): EnvSettings;
}

export const bridgeOption = {
  value: 'URL',
  about: "for an application that signs in over the bridge: the bridge's base URL",
} as const;

/** `current` is the client as it is, if there is one. */
export function bridgedAt(
  bridge: string,
  latchkey: string,
  given: OwnUris & { readonly isPublic?: boolean | undefined },
  current?: Client,
): Bridged {
  const problem = originProblem(bridge, "the bridge's base URL", 'https://bridge.example.com');
  if (problem !== undefined) throw new UsageError(`--bridge ${problem}`);
  if (bridge === latchkey) throw new UsageError("--bridge is Latchkey's base URL: the bridge has its own");
  if (given.isPublic ?? current?.isPublic) throw new UsageError('the bridge is only for applications with a secret');
  const own = { ...(current !== undefined && !isAtBridge(current) && current), ...given };
  const { redirectUris = [], postLogoutRedirectUris = [], backchannelLogoutUri = null } = own;
  const [redirectUri] = redirectUris;
  if (redirectUri === undefined)
    throw new UsageError('--redirect-uri is required: where people return to the application');
  for (const [option, uris] of [
    ['redirect-uri', redirectUris],
    ['post-logout-redirect-uri', postLogoutRedirectUris],
    ['backchannel-logout-uri', backchannelLogoutUri === null ? [] : [backchannelLogoutUri]],
  ] as const) {
    for (const uri of uris) {
      const wrong = redirectUriProblem(uri, false) ?? newRedirectUriProblem(uri);
      if (wrong !== undefined) throw new UsageError(`--${option} ${JSON.stringify(uri)} ${wrong}`);
    }
  }
  return {
    registered: registeredAt(bridge),
    section: ({ id, scopes, claims }) => ({
      client_id: id,
      client_secret: { file: `${id}.secret` },
      redirect_uris: redirectUris,
      ...(postLogoutRedirectUris.length > 0 && { post_logout_redirect_uris: postLogoutRedirectUris }),
      ...(backchannelLogoutUri !== null && { backchannel_logout_uri: backchannelLogoutUri }),
      claims: [
        ...(scopes.includes('email') ? ['email', 'email_verified'] : []),
        ...(scopes.includes('profile') ? ['name'] : []),
        ...claims.map(({ claim }) => claim),
      ],
    }),
    settings: ({ id }, clientSecret) => ({ issuer: bridge, clientId: id, clientSecret, redirectUri }),
  };
}

export function printBridged(bridged: Bridged, client: Client, secret: string | undefined): void {
  const { id } = client;
  const settings = bridged.settings(client, secret);
  print(`\nIts section, for "applications" in the bridge's file:\n`);
  printProgram(JSON.stringify(bridged.section(client), null, 2));
  const known = secret === undefined ? ` If you don't have it: latchkey client rotate-secret ${id}` : '';
  print(`
Put the client secret, and nothing else, into ${id}.secret next to the file, readable by the bridge alone.${known}
If the application has no PKCE, add "pkce": "optional". Then run "latchkey bridge check-config FILE" and restart the bridge.

The application's settings. It finds the rest at ${settings.issuer}/.well-known/openid-configuration:

${envFile(settings)}`);
}

/** For programs. */
export function bridgedJson(bridged: Bridged, client: Client): object {
  const { issuer } = bridged.settings(client, undefined);
  return { issuer, section: bridged.section(client) };
}

function registeredAt(bridge: string) {
  return {
    redirectUris: [`${bridge}/callback`],
    postLogoutRedirectUris: [`${bridge}/signed-out`],
    backchannelLogoutUri: `${bridge}/backchannel-logout`,
  };
}

/** Whether its URIs are those of a bridge, so that nothing in them says where the application is. */
function isAtBridge({ redirectUris, postLogoutRedirectUris, backchannelLogoutUri }: Client): boolean {
  const bridge = URL.parse(redirectUris[0] ?? '')?.origin ?? '';
  const found = { redirectUris, postLogoutRedirectUris, backchannelLogoutUri };
  return JSON.stringify(found) === JSON.stringify(registeredAt(bridge));
}
