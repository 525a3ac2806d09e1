// `latchkey bridge …`: runs the bridge, checks and describes its file, and rotates its signing keys. None of it loads the service,
// and only `serve` the OpenID provider.

import { type BridgeApplication, bridgeSchema, readBridgeConfig } from '../../bridge/config-file.ts';
import { defineCommand, jsonOption } from '../frame/define.ts';
import type { CommandGroup } from '../frame/spec.ts';
import { standaloneCommands } from '../standalone/commands.ts';
import { loadConfigFile } from '../standalone/standalone.ts';
import { summaries } from '../summaries.ts';
import { signingKeys } from './keys.ts';

const { config, commands } = standaloneCommands({
  program: {
    name: 'bridge',
    port: 8465,
    metricsPort: 9467,
    store: {
      file: 'bridge.db',
      loss: 'everyone signs in again, and applications have to read the key set again',
      shared: 'data_dir',
    },
  },
  read: readBridgeConfig,
  schema: bridgeSchema,
  async start(config, log) {
    const { startBridge } = await import('../../bridge/bridge.ts');
    return startBridge(config, { log });
  },
  fields: ({ baseUrl }) => [['issuer for applications', baseUrl]],
  nameOf: ({ clientId }) => clientId,
  fieldsOf,
});

const keys = defineCommand({
  summary: 'list or rotate the keys that sign for applications',
  details: `"rotate" adds a key for each algorithm in use. It's published at once, signs in an hour, when every application has had time to
read the key set again, and the old one stays published for 30 days after that. Running processes notice within a minute.`,
  arguments: { action: { label: '<list|rotate>', values: ['list', 'rotate'] } },
  options: { config, ...jsonOption },
  examples: [
    'latchkey bridge keys list --config /etc/latchkey-bridge/bridge.json',
    'latchkey bridge keys rotate --config /etc/latchkey-bridge/bridge.json',
  ],
  run: ({ args: { action }, values, environment }) =>
    signingKeys(action, loadConfigFile(values.config, environment, readBridgeConfig).config),
});

export const bridge: CommandGroup = {
  summary: summaries.bridge,
  details: `The bridge is an OpenID provider for applications that can't use Latchkey directly: those that verify only RS256, ES256 or
EdDSA with keys from a key set, send their secret only with HTTP Basic, or have no PKCE. To Latchkey, it's a client like any other: register
one for each application with "latchkey client create --for bridge".`,
  examples: [
    'latchkey bridge check-config /etc/latchkey-bridge/bridge.json',
    'latchkey bridge serve --config /etc/latchkey-bridge/bridge.json',
  ],
  commands: { ...commands, keys },
};

function fieldsOf(application: BridgeApplication): [string, string][] {
  const { redirectUris, postLogoutRedirectUris, backchannelLogoutUri, claims, pkce, nonce, signing } = application;
  const withoutPkce = nonce === 'required' ? '; without it, a nonce is required' : ', and so is a nonce';
  return [
    ...redirectUris.map((uri): [string, string] => ['  redirect URI', uri]),
    ...postLogoutRedirectUris.map((uri): [string, string] => ['  after signing out', uri]),
    ['  logout tokens', backchannelLogoutUri ?? ''],
    ['  claims', claims.join(', ')],
    ['  PKCE', pkce === 'required' ? pkce : `${pkce}${withoutPkce}`],
    ['  signed with', signing],
    ['  secret', application.applicationSecret === undefined ? "the client's" : 'its own'],
  ];
}
