// The client guides that need more than the project's own packages: `npm run compatibility` installs those first.

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { cleanEnvironment, root } from '../../harness/command.ts';
import { type Guide, type Stage, setStage, walkThrough } from '../guide-journey.ts';

let stage: Stage;

before(async () => {
  stage = await setStage();
});
after(() => stage?.stop());

const packages = join(root, 'test/clients/compatibility/libraries');
const tool = (path: string) => join(packages, 'node_modules', path);

const guides: Guide[] = [
  {
    guide: 'next-auth.md',
    packages,
    patience: 120,
    command: () => [process.execPath, tool('next/dist/bin/next'), 'dev'],
    environment: ({ origin, port }) => ({
      NEXTAUTH_URL: origin,
      NEXTAUTH_SECRET: randomBytes(32).toString('hex'),
      PORT: port,
      NEXT_TELEMETRY_DISABLED: '1',
    }),
    complaint: /failed to validate JWT signature/,
    revokes: false,
    signIn: async (page) => {
      await page.click('a:has-text("Sign in")');
      await page.click('button:has-text("Sign in with Latchkey")');
    },
    signOut: async (page) => {
      await page.click('a:has-text("Sign out")');
      await page.click('button:has-text("Sign out")');
      await page.waitForSelector('a:has-text("Sign in")');
    },
  },
  {
    guide: 'better-auth.md',
    packages,
    command: () => [process.execPath, 'app.mjs'],
    complaint: /signature verification failed/,
    revokes: false,
  },
  // A public client has no key to check a signature with.
  {
    guide: 'react-oidc-context.md',
    packages,
    command: () => [process.execPath, 'server.mjs'],
    complaint: undefined,
    revokes: true,
  },
  {
    guide: 'omniauth-oauth2.md',
    command: () => ['/usr/bin/ruby', 'app.rb'],
    complaint: /Signature verification failed/,
    revokes: false,
    signIn: (page) => page.click('button:has-text("Sign in")'),
    signOut: async (page) => {
      await page.click('button:has-text("Sign out")');
      await page.waitForSelector('button:has-text("Sign in")');
    },
  },
  {
    guide: 'go-oidc.md',
    prepare: (folder) => {
      const settings = { cwd: folder, env: cleanEnvironment({ GO111MODULE: 'off', GOPATH: '/usr/share/gocode' }) };
      execFileSync('/usr/bin/go', ['build', '-o', 'my-app', 'main.go'], settings);
    },
    command: (folder) => [join(folder, 'my-app')],
    complaint: /wrong signature/,
    revokes: false,
  },
];

for (const guide of guides) {
  test(`the program of ${guide.guide} signs a person in`, () => walkThrough(stage, guide));
}
