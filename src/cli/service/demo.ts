// `latchkey demo`, which `npm start` runs: the service together with the demo application, a page behind the gate, and an account to
// try them with. Their client secrets and the password are kept in a file, so that they stay the same after a restart.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, updateClient } from '../../operations/clients/clients.ts';
import type { Services } from '../../operations/services.ts';
import { createUser } from '../../operations/users/users.ts';
import { type Config, readConfig } from '../../platform/config.ts';
import type { ClientInput } from '../../protocol/resources/client.ts';
import { CommandFailed, commandRequester, requireDone } from '../command.ts';
import { startService } from '../compose.ts';
import { defineCommand } from '../frame/define.ts';
import { generatePassword } from '../secret-input.ts';
import { summaries } from '../summaries.ts';
import { print } from '../terminal/output.ts';
import { type DemoClient, type DemoUrls, demoUrls, type RunningParts, startParts } from './demo-parts.ts';
import { exitByDeadline, explainListenErrors, stopSignals } from './process.ts';

interface DemoSecrets extends DemoClient {
  readonly email: string;
  readonly password: string;
  readonly gatedPage: DemoClient;
}

export const demo = defineCommand({
  summary: summaries.demo,
  details: `Prints their URLs and an account to sign in with. LATCHKEY_DEMO_PORT is the demo application's port (8456). A page behind the gate
has the next one, or another if that's taken. Everything else is configured as for "serve".`,
  examples: ['latchkey demo', 'LATCHKEY_DEMO_PORT=9000 latchkey demo'],
  async run({ environment }) {
    // Latchkey tells the gate about ended sessions over http on this machine.
    const networks = [environment.LATCHKEY_WEBHOOK_NETWORKS, '127.0.0.1'].filter(Boolean).join(',');
    const defaults = { LATCHKEY_LOG_LEVEL: 'warn', LATCHKEY_SIGN_UP: 'open' };
    const config = readConfig({ ...defaults, ...environment, LATCHKEY_WEBHOOK_NETWORKS: networks });
    const port = environment.LATCHKEY_DEMO_PORT || '8456';
    if (!/^\d{1,5}$/.test(port)) throw new CommandFailed(`LATCHKEY_DEMO_PORT must be a port number, not "${port}".`);
    // From the beginning, so that Ctrl-C during the start still stops all parts cleanly.
    const signals = stopSignals();
    const service = await explainListenErrors(config, () => startService(config));
    let parts: RunningParts | undefined;
    try {
      const folder = join(config.dataDir, 'demo');
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const urls = await demoUrls(Number(port));
      const secrets = await prepare(service.services, join(folder, 'secrets.json'), urls);
      const { gatedPage, ...app } = secrets;
      parts = await startParts({ environment, issuer: config.baseUrl, folder, urls, app, gatedPage });
      print(await welcome(service.services, urls, config, secrets));
      await Promise.race([signals.first, parts.exited]);
    } finally {
      exitByDeadline();
      await parts?.stop();
      await service.stop();
    }
  },
});

async function welcome(services: Services, urls: DemoUrls, config: Config, secrets: DemoSecrets): Promise<string> {
  const { baseUrl, dataDir } = config;
  const user = await services.storage.findUserByEmail(secrets.email);
  const client = await services.storage.findClient(secrets.clientId);
  const gatedPage = await services.storage.findClient(secrets.gatedPage.clientId);
  const unchanged = await services.passwords.verify(secrets.password, user?.passwordHash);
  const lineIf = (condition: boolean, line: string) => (condition ? `${line}\n` : '');
  const restore = `The demo application is revoked. To restore it: ./latchkey client restore ${client?.id}`;
  const restorePage = `The gated page is revoked. To restore it: ./latchkey client restore ${gatedPage?.id}`;
  const enable = `The demo account is disabled. To enable it: ./latchkey user enable ${user?.email}`;
  const stopped =
    lineIf(client?.revokedAt != null, restore) +
    lineIf(gatedPage?.revokedAt != null, restorePage) +
    lineIf(user?.disabledAt != null, enable);
  const admin = lineIf(user?.adminSince != null, `  Console       ${baseUrl}/admin`);
  const emails = lineIf(services.emailQueue.kind === 'outbox', `  Emails        ${baseUrl}/dev/outbox`);
  return `
Latchkey is running.

  Demo app      ${urls.app}        start here: sign in
  Inspector     ${urls.app}/inspector        every step of the sign-in, and what can go wrong
  Gated page    ${urls.page}        a page without sign-in code, behind the gate
  Your account  ${baseUrl}/account
  Docs          ${baseUrl}/docs
${admin}${emails}
  Email         ${secrets.email}
  Password      ${unchanged ? secrets.password : '(the one you chose)'}

${stopped}Press Ctrl-C to stop. Your data is kept in ${dataDir}.
`;
}

/** The demo's clients and account, created on first use. */
async function prepare(services: Services, file: string, urls: DemoUrls): Promise<DemoSecrets> {
  const known = readSecrets(file);
  const { app, page } = urls;
  const uris = { redirectUris: [`${app}/callback`], postLogoutRedirectUris: [`${app}/signed-out`] };
  const client = await prepareClient(services, 'Demo application', known, uris, (current) => ({
    redirectUris: [...current.redirectUris, ...uris.redirectUris],
    postLogoutRedirectUris: [...current.postLogoutRedirectUris, ...uris.postLogoutRedirectUris],
  }));
  // Its port may be another one at each start.
  const gateUris = {
    redirectUris: [`${page}/gate/callback`],
    backchannelLogoutUri: `${page.replace('localhost', '127.0.0.1')}/gate/backchannel-logout`,
  };
  const gatedPage = await prepareClient(services, 'Gated page', known?.gatedPage, gateUris, gateUris);
  const { email = 'ada@demo.example', password = generatePassword(services.random) } = known ?? {};
  const secrets = { ...client, email, password, gatedPage };
  if (JSON.stringify(secrets) !== JSON.stringify(known)) {
    writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  }
  if ((await services.storage.findUserByEmail(email)) === undefined) {
    const user = { email, password, name: 'Ada Demo', givenName: 'Ada', familyName: 'Demo' };
    requireDone(await createUser(services, { ...user, emailVerified: true, admin: true }, commandRequester()));
  }
  return secrets;
}

/** Nothing changes when the URIs are registered already. */
async function prepareClient(
  services: Services,
  name: string,
  known: DemoClient | undefined,
  uris: ClientInput,
  changes: Parameters<typeof updateClient>[2],
): Promise<DemoClient> {
  const client = known && (await services.storage.findClient(known.clientId));
  if (known && client) {
    requireDone(await updateClient(services, client.id, changes, commandRequester()));
    return { clientId: known.clientId, clientSecret: known.clientSecret };
  }
  const made = requireDone(await createClient(services, { name, ...uris }, commandRequester()));
  return { clientId: made.client.id, clientSecret: made.secret ?? '' };
}

/** The file of an earlier version has no gated page. */
function readSecrets(file: string): (Omit<DemoSecrets, 'gatedPage'> & Partial<DemoSecrets>) | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
