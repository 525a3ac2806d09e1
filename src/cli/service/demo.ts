// `latchkey demo`, which `npm start` runs: the service together with the demo application, and an account to try it
// with. The demo's client secret and password are kept in a file, so that they stay the same after a restart.

import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient, updateClient } from '../../operations/clients/clients.ts';
import type { Services } from '../../operations/services.ts';
import { createUser } from '../../operations/users/users.ts';
import { type Config, type Environment, readConfig } from '../../platform/config.ts';
import type { ClientInput } from '../../protocol/resources/client.ts';
import { CommandFailed, commandRequester, requireDone } from '../command.ts';
import { startService } from '../compose.ts';
import { defineCommand } from '../frame/define.ts';
import { generatePassword } from '../secret-input.ts';
import { summaries } from '../summaries.ts';
import { print } from '../terminal/output.ts';
import { exitByDeadline, explainListenErrors, stopSignals } from './process.ts';

type DemoSecrets = Record<'clientId' | 'clientSecret' | 'email' | 'password', string>;

export const demo = defineCommand({
  summary: summaries.demo,
  details: `Prints their URLs and an account to sign in with. LATCHKEY_DEMO_PORT is the demo application's port (8456). Everything else
is configured as for "serve".`,
  examples: ['latchkey demo', 'LATCHKEY_DEMO_PORT=9000 latchkey demo'],
  async run({ environment }) {
    const config = readConfig({ LATCHKEY_LOG_LEVEL: 'warn', LATCHKEY_SIGN_UP: 'open', ...environment });
    const port = environment.LATCHKEY_DEMO_PORT || '8456';
    if (!/^\d{1,5}$/.test(port)) throw new CommandFailed(`LATCHKEY_DEMO_PORT must be a port number, not "${port}".`);
    const demoUrl = `http://localhost:${port}`;
    // From the beginning, so that Ctrl-C during the start still stops both parts cleanly.
    const signals = stopSignals();
    const service = await explainListenErrors(config, () => startService(config));
    let app: Awaited<ReturnType<typeof startApp>> | undefined;
    try {
      const folder = join(config.dataDir, 'demo');
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const secrets = await prepare(service.services, join(folder, 'secrets.json'), demoUrl);
      app = await startApp(environment, {
        ISSUER: config.baseUrl,
        CLIENT_ID: secrets.clientId,
        CLIENT_SECRET: secrets.clientSecret,
        APP_URL: demoUrl,
        APP_DATA_DIR: folder,
      });
      print(await welcome(service.services, demoUrl, config, secrets));
      await Promise.race([signals.first, app.exited]);
    } finally {
      exitByDeadline();
      await app?.stop();
      await service.stop();
    }
  },
});

/** Starts the demo application as a separate process and waits until it listens. */
async function startApp(environment: Environment, settings: Record<string, string>) {
  const main = fileURLToPath(new URL('../../../examples/demo-app/main.ts', import.meta.url));
  // An application must not see the service's settings and keys.
  const inherited = Object.entries(environment).filter(([name]) => !/^(LATCHKEY_|DATABASE_URL)/.test(name));
  const env = { ...Object.fromEntries(inherited), ...settings };
  const child = spawn(process.execPath, [main], { stdio: ['ignore', 'pipe', 'inherit'], env });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const listening = new Promise<'listening'>((resolve) => child.stdout.once('data', () => resolve('listening')));
  if ((await Promise.race([listening, exited])) !== 'listening') {
    throw new CommandFailed(
      `Can't start the demo application at ${settings.APP_URL}. Set LATCHKEY_DEMO_PORT to a free port.`,
    );
  }
  return {
    exited,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function welcome(services: Services, demoUrl: string, config: Config, secrets: DemoSecrets): Promise<string> {
  const { baseUrl, dataDir } = config;
  const user = await services.storage.findUserByEmail(secrets.email);
  const client = await services.storage.findClient(secrets.clientId);
  const unchanged = await services.passwords.verify(secrets.password, user?.passwordHash);
  const lineIf = (condition: boolean, line: string) => (condition ? `${line}\n` : '');
  const restore = `The demo application is revoked. To restore it: ./latchkey client restore ${client?.id}`;
  const enable = `The demo account is disabled. To enable it: ./latchkey user enable ${user?.email}`;
  const stopped = lineIf(client?.revokedAt != null, restore) + lineIf(user?.disabledAt != null, enable);
  const admin = lineIf(user?.adminSince != null, `  Console       ${baseUrl}/admin`);
  const emails = lineIf(services.emailQueue.kind === 'outbox', `  Emails        ${baseUrl}/dev/outbox`);
  return `
Latchkey is running.

  Demo app      ${demoUrl}        start here: sign in
  Inspector     ${demoUrl}/inspector        every step of the sign-in, and what can go wrong
  Your account  ${baseUrl}/account
  Docs          ${baseUrl}/docs
${admin}${emails}
  Email         ${secrets.email}
  Password      ${unchanged ? secrets.password : '(the one you chose)'}

${stopped}Press Ctrl-C to stop. Your data is kept in ${dataDir}.
`;
}

/** The demo's client and account, created on first use. */
async function prepare(services: Services, file: string, demoUrl: string): Promise<DemoSecrets> {
  const known = readSecrets(file);
  const client = known && (await services.storage.findClient(known.clientId));
  const uris = { redirectUris: [`${demoUrl}/callback`], postLogoutRedirectUris: [`${demoUrl}/signed-out`] };
  const secrets = known && client ? known : await newSecrets(services, file, uris);
  // Nothing changes when they're registered already.
  const withUris = (current: Pick<ClientInput, 'redirectUris' | 'postLogoutRedirectUris'>) => ({
    redirectUris: [...(current.redirectUris ?? []), ...uris.redirectUris],
    postLogoutRedirectUris: [...(current.postLogoutRedirectUris ?? []), ...uris.postLogoutRedirectUris],
  });
  if (client) requireDone(await updateClient(services, client.id, withUris, commandRequester()));
  if ((await services.storage.findUserByEmail(secrets.email)) === undefined) {
    const { email, password } = secrets;
    const user = { email, password, name: 'Ada Demo', givenName: 'Ada', familyName: 'Demo' };
    requireDone(await createUser(services, { ...user, emailVerified: true, admin: true }, commandRequester()));
  }
  return secrets;
}

async function newSecrets(services: Services, file: string, uris: ClientInput): Promise<DemoSecrets> {
  const made = await createClient(services, { name: 'Demo application', ...uris }, commandRequester());
  const { client, secret = '' } = requireDone(made);
  const password = generatePassword(services.random);
  const secrets = { clientId: client.id, clientSecret: secret, email: 'ada@demo.example', password };
  writeFileSync(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  return secrets;
}

function readSecrets(file: string): DemoSecrets | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as DemoSecrets;
  } catch {
    return undefined;
  }
}
