// The demo application as a child process, as `npm start` runs it.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { cleanEnvironment, outputMatching, root } from '../harness/command.ts';
import type { TestClient } from '../harness/service.ts';

export interface RunningDemoApp {
  stop(): Promise<void>;
}

export async function startDemoApp(settings: {
  readonly issuer: string;
  readonly client: TestClient;
  readonly appUrl: string;
  readonly folder: string;
  readonly expiredAfterSeconds?: number;
}): Promise<RunningDemoApp> {
  const { issuer, client, appUrl, folder, expiredAfterSeconds = 61 } = settings;
  const child = spawn(process.execPath, [join(root, 'examples/demo-app/main.ts')], {
    env: cleanEnvironment({
      ISSUER: issuer,
      CLIENT_ID: client.id,
      CLIENT_SECRET: client.secret,
      APP_URL: appUrl,
      APP_DATA_DIR: folder,
      EXPIRED_AFTER_SECONDS: String(expiredAfterSeconds),
    }),
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await outputMatching(child, /ready at/);
  return {
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
