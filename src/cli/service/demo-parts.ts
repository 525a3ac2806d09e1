// What the demo runs besides the service, as processes of their own: the demo application, a page that has no sign-in code, and the
// gate in front of it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../../platform/config.ts';
import { CommandFailed } from '../command.ts';
import { print } from '../terminal/output.ts';

/** A client of the demo. */
export interface DemoClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface DemoUrls {
  readonly app: string;
  readonly page: string;
  readonly gatePort: number;
}

export interface DemoSettings {
  readonly environment: Environment;
  readonly issuer: string;
  readonly folder: string;
  readonly urls: DemoUrls;
  readonly app: DemoClient;
  readonly gatedPage: DemoClient;
}

export interface RunningParts {
  /** Resolves when one of them has ended. */
  readonly exited: Promise<void>;
  stop(): Promise<void>;
}

/**
 * The demo application has the port that was asked for. The gate and the page have neighboring ones unless those are taken: nobody
 * types them.
 */
export async function demoUrls(port: number): Promise<DemoUrls> {
  const [page, gatePort] = await Promise.all([freePort(port + 1), freePort(port + 4)]);
  return { app: `http://localhost:${port}`, page: `http://localhost:${page}`, gatePort };
}

/** Starts all of them at once, and resolves when they listen. */
export async function startParts(settings: DemoSettings): Promise<RunningParts> {
  const started = await Promise.allSettled([startApp(settings), startGate(settings), startPage(settings)]);
  const running = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const stop = async () => void (await Promise.all(running.map((part) => part.stop())));
  for (const each of started) {
    if (each.status === 'fulfilled') continue;
    await stop();
    throw each.reason;
  }
  return { exited: Promise.race(running.map(({ exited }) => exited)), stop };
}

function startApp({ environment, issuer, folder, urls, app }: DemoSettings): Promise<RunningParts> {
  return startPart(environment, {
    args: [example('demo-app')],
    settings: {
      ISSUER: issuer,
      CLIENT_ID: app.clientId,
      CLIENT_SECRET: app.clientSecret,
      APP_URL: urls.app,
      APP_DATA_DIR: folder,
      GATED_PAGE_URL: urls.page,
    },
    problem: `can't start the demo application at ${urls.app}. Set LATCHKEY_DEMO_PORT to a free port.`,
  });
}

function startPage({ environment, issuer, urls }: DemoSettings): Promise<RunningParts> {
  return startPart(environment, {
    args: [example('gated-page')],
    settings: { ISSUER: issuer, PAGE_URL: urls.page, GATE_PORT: String(urls.gatePort), DEMO_APP_URL: urls.app },
    problem: `can't start the gated page at ${urls.page}. Try again, or set LATCHKEY_DEMO_PORT to another port.`,
  });
}

function startGate({ environment, issuer, folder, urls, gatedPage }: DemoSettings): Promise<RunningParts> {
  // The gate takes paths as relative to its file.
  const dataDir = resolve(folder, 'gate');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, 'gate.json');
  const config = {
    issuer,
    listen: `127.0.0.1:${urls.gatePort}`,
    data_dir: dataDir,
    key_file: join(dataDir, 'key'),
    applications: [
      { host: new URL(urls.page).host, client_id: gatedPage.clientId, client_secret: { env: 'GATED_PAGE_SECRET' } },
    ],
  };
  writeFileSync(file, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  return startPart(environment, {
    args: [...process.execArgv, process.argv[1] ?? '', 'gate', 'serve', '--config', file],
    settings: { GATED_PAGE_SECRET: gatedPage.clientSecret },
    problem: `can't start the gate on port ${urls.gatePort}. Try again, or set LATCHKEY_DEMO_PORT to another port.`,
  });
}

interface Part {
  readonly args: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
  /** What the operator reads when it ends before it listens. */
  readonly problem: string;
}

/** Each of them prints its URL when it listens. What the gate logs later is printed if it's a warning or an error. */
async function startPart(environment: Environment, { args, settings, problem }: Part): Promise<RunningParts> {
  // An application must not see the service's settings and keys.
  const inherited = Object.entries(environment).filter(([name]) => !/^(LATCHKEY_|DATABASE_URL)/.test(name));
  const env = { ...Object.fromEntries(inherited), ...settings };
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const listening = Promise.withResolvers<'listening'>();
  createInterface(child.stdout).on('line', (line) => {
    if (/\b(ready|running) at http/.test(line)) listening.resolve('listening');
    else if (!line.includes('"level":30')) print(line);
  });
  if ((await Promise.race([listening.promise, exited])) !== 'listening') throw new CommandFailed(problem);
  return {
    exited,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

function example(name: 'demo-app' | 'gated-page'): string {
  return fileURLToPath(new URL(`../../../examples/${name}/main.ts`, import.meta.url));
}

/** This port, or another one if a program uses it. */
async function freePort(port: number): Promise<number> {
  const server = createServer();
  try {
    const tried = once(server, 'listening');
    server.listen(port <= 65_535 ? port : 0, '127.0.0.1');
    await tried;
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  } catch (error) {
    if (port === 0) throw error;
    return freePort(0);
  } finally {
    server.close();
  }
}
