// `latchkey demo`, which `npm start` runs: the service together with the demo application, and an account to try it with.
// What the demo has made up for itself (its client's secret, the account's password) lies in a file of its own, so that
// stopping and starting again changes nothing.

import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient, updateClient } from '../operations/manage-clients.ts';
import { createUser } from '../operations/manage-users.ts';
import type { Services } from '../operations/services.ts';
import { readConfig } from '../platform/config.ts';
import { type Command, CommandFailed, commandOrigin, print, readArguments, requireDone } from './command.ts';
import { startService } from './compose.ts';
import { generatePassword } from './password-input.ts';
import { startOrExplain, stopOnSignal } from './serve.ts';

interface DemoSecrets {
  clientId: string;
  clientSecret: string;
  email: string;
  password: string;
}

export const demo: Command = {
  usage: `Usage: latchkey demo

Runs the service on the embedded store together with the demo application, and prints the addresses and an account to
sign in with. LATCHKEY_DEMO_PORT says where the demo application listens (8456); otherwise configured like "serve".`,

  async run(args, environment) {
    readArguments(args, {}, []);
    const config = readConfig({ LATCHKEY_LOG_LEVEL: 'warn', ...environment });
    const port = Number(environment.LATCHKEY_DEMO_PORT || 8456);
    const demoUrl = `http://localhost:${port}`;
    const service = await startOrExplain(() => startService(config), config.host, config.port);
    const folder = join(config.dataDir, 'demo');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const secrets = await prepare(service.services, join(folder, 'secrets.json'), `${demoUrl}/callback`);

    const app = spawn(process.execPath, [fileURLToPath(new URL('../../examples/demo-app/main.ts', import.meta.url))], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...environment,
        ISSUER: config.baseUrl,
        CLIENT_ID: secrets.clientId,
        CLIENT_SECRET: secrets.clientSecret,
        APP_URL: demoUrl,
        APP_DATA_DIR: folder,
      },
    });
    let stopping = false;
    const exited = new Promise<void>((resolve) => app.once('exit', () => resolve()));
    const ready = new Promise<void>((resolve) => app.stdout.once('data', () => resolve()));
    await Promise.race([ready, exited]);
    if (app.exitCode !== null) {
      await service.stop();
      throw new CommandFailed(`the demo application could not start on port ${port}; LATCHKEY_DEMO_PORT sets another.`);
    }
    app.once('exit', () => {
      if (!stopping) process.kill(process.pid, 'SIGTERM');
    });
    app.stdout.resume();

    const known = await service.services.storage.findUserByEmail(secrets.email);
    const unchanged = await service.services.passwords.verify(secrets.password, known?.passwordHash);
    print(welcome(demoUrl, config.baseUrl, secrets, unchanged));
    await stopOnSignal(service, async () => {
      stopping = true;
      app.kill('SIGTERM');
      await exited;
    });
  },
};

function welcome(demoUrl: string, baseUrl: string, secrets: DemoSecrets, unchanged: boolean): string {
  return `
Latchkey is running.

  Try it        ${demoUrl}        the demo application: sign in there
  Your account  ${baseUrl}/account/apps

  E-mail        ${secrets.email}
  Password      ${unchanged ? secrets.password : '(the one you have set)'}

Ctrl-C stops it. What you do is kept in the data directory.
`;
}

/** The demo's client and account, made on first use and found again afterwards. */
async function prepare(services: Services, file: string, redirectUri: string): Promise<DemoSecrets> {
  const known = readSecrets(file);
  const client = known && (await services.storage.findClient(known.clientId));
  if (known !== undefined && client !== undefined) {
    if (!client.redirectUris.includes(redirectUri)) {
      requireDone(await updateClient(services, client.id, { redirectUris: [redirectUri] }, commandOrigin()));
    }
    return known;
  }
  const made = requireDone(
    await createClient(
      services,
      { name: 'Demo application', isPublic: false, redirectUris: [redirectUri], scope: undefined, logo: undefined },
      commandOrigin(),
    ),
  );
  const secrets: DemoSecrets = {
    clientId: made.client.id,
    clientSecret: made.secret ?? '',
    email: 'ada@demo.example',
    password: generatePassword(services.random),
  };
  const outcome = await createUser(
    services,
    {
      email: secrets.email,
      name: 'Ada Demo',
      givenName: 'Ada',
      familyName: 'Demo',
      emailVerified: true,
      password: secrets.password,
      admin: false,
    },
    commandOrigin(),
  );
  // An account of that address that was there before keeps its password; the welcome says so.
  if (outcome.kind === 'rejected' && !(await services.storage.findUserByEmail(secrets.email))) requireDone(outcome);
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
