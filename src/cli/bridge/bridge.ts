// `latchkey bridge …`: runs the bridge, checks and describes its file, and rotates its signing keys. None of it loads the service,
// and only `serve` the OpenID provider.

import { type BridgeApplication, bridgeSchema, readBridgeConfig } from '../../bridge/config-file.ts';
import { defineCommand, jsonOption } from '../frame/define.ts';
import type { CommandGroup } from '../frame/spec.ts';
import {
  loadConfigFile,
  printNoProblems,
  printWarnings,
  runStandalone,
  shownAddress,
} from '../standalone/standalone.ts';
import { summaries } from '../summaries.ts';
import { print, printJson, styled } from '../terminal/output.ts';
import { printFields } from '../terminal/table.ts';
import { signingKeys } from './keys.ts';

const program = {
  name: 'bridge',
  port: 8465,
  store: {
    file: 'bridge.db',
    loss: 'everyone signs in again, and applications have to read the key set again',
    shared: 'data_dir',
  },
} as const;

const configOption = { value: 'FILE', required: true, completes: 'file', about: "the bridge's file, as JSON" } as const;

const serve = defineCommand({
  summary: 'run the bridge',
  details: `It listens on 127.0.0.1:8465 unless the file says otherwise. Processes on one machine can share a data_dir, each with its
own --listen, and --metrics if the file has metrics.`,
  options: {
    config: configOption,
    listen: { value: 'ADDRESS', about: 'listen here instead, such as 127.0.0.1:8466' },
    metrics: { value: 'ADDRESS', about: 'serve metrics here instead, such as 127.0.0.1:9467' },
  },
  examples: [
    'latchkey bridge serve --config /etc/latchkey-bridge/bridge.json',
    'latchkey bridge serve --config /etc/latchkey-bridge/bridge.json --listen 127.0.0.1:8466',
  ],
  async run({ values, environment }) {
    const loaded = loadConfigFile(values.config, environment, readBridgeConfig);
    await runStandalone(program, loaded, values, async (config, log) => {
      const { startBridge } = await import('../../bridge/bridge.ts');
      return startBridge(config, { log });
    });
  },
});

const checkConfig = defineCommand({
  summary: "check the bridge's file and show what it means",
  details: 'Prints every problem at once and exits with 1. Secrets are read, but never shown.',
  arguments: { file: { label: 'FILE', completes: 'file' } },
  examples: ['latchkey bridge check-config /etc/latchkey-bridge/bridge.json'],
  run({ args: { file }, environment }) {
    const { config, warnings } = loadConfigFile(file, environment, readBridgeConfig);
    printNoProblems(file);
    printFields([
      ['issuer for applications', config.baseUrl],
      ['listens on', shownAddress(config.listen)],
      ...(config.metrics === undefined ? [] : [['metrics', shownAddress(config.metrics)] as const]),
      ['trusted proxies', config.trustedProxies.join(', ')],
      ['Latchkey', config.issuer],
    ]);
    for (const application of config.applications) {
      print('');
      print(styled('bold', application.clientId));
      printFields(fieldsOf(application));
    }
    printWarnings(warnings);
  },
});

const schema = defineCommand({
  summary: "print a JSON Schema of the bridge's file",
  details: 'For editors: save it next to the file, and add "$schema": "./bridge.schema.json" to the file.',
  examples: ['latchkey bridge schema > bridge.schema.json'],
  run: () => printJson(bridgeSchema),
});

const keys = defineCommand({
  summary: 'list or rotate the keys that sign for applications',
  details: `"rotate" adds a key for each algorithm in use. It's published at once, signs in an hour, when every application has had time to
read the key set again, and the old one stays published for 30 days after that. Running processes notice within a minute.`,
  arguments: { action: { label: '<list|rotate>', values: ['list', 'rotate'] } },
  options: { config: configOption, ...jsonOption },
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
EdDSA with keys from a key set, send their secret only with HTTP Basic, or have no PKCE. To Latchkey it's a client like others: register
one for each application with "latchkey client create --for bridge".`,
  examples: [
    'latchkey bridge check-config /etc/latchkey-bridge/bridge.json',
    'latchkey bridge serve --config /etc/latchkey-bridge/bridge.json',
  ],
  commands: { serve, 'check-config': checkConfig, schema, keys },
};

function fieldsOf(application: BridgeApplication): [string, string][] {
  const { redirectUris, postLogoutRedirectUris, backchannelLogoutUri, claims, pkce, nonce, signing } = application;
  const withoutPkce = nonce === 'required' ? '; without it, a nonce is required' : ', and so is a nonce';
  const fields: [string, string][] = [
    ...redirectUris.map((uri): [string, string] => ['  redirect URI', uri]),
    ...postLogoutRedirectUris.map((uri): [string, string] => ['  after signing out', uri]),
    ['  logout tokens', backchannelLogoutUri ?? ''],
    ['  claims', claims.join(', ')],
    ['  PKCE', pkce === 'required' ? pkce : `${pkce}${withoutPkce}`],
    ['  signed with', signing],
    ['  secret', application.applicationSecret === undefined ? "the client's" : 'its own'],
  ];
  return fields.filter(([, value]) => value !== '');
}
