// The client guides for Node.js and the browser: the program of each guide signs a user in.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { followSignOut, type Guide, type Stage, setStage, walkThrough } from './guide-journey.ts';

let stage: Stage;

before(async () => {
  stage = await setStage();
});
after(() => stage?.stop());

const node = (file: string) => (): [string, string] => [process.execPath, file];
const signature = /signature verification failed/;

const guides: Guide[] = [
  {
    guide: 'openid-client.md',
    command: node('app.mjs'),
    complaint: signature,
    revokes: true,
    roles: async ({ service, changeGroup }, signedIn) => {
      const [admin, member] = [await service.newUser(), await service.newUser()];
      await changeGroup('Admins', 'add', admin);
      for (const [user, role, status] of [
        [admin, 'admin', 200],
        [member, 'member', 403],
      ] as const) {
        const page = await signedIn(user);
        assert.match(await page.innerText('dl'), new RegExp(`^Role\\s+${role}$`, 'm'));
        const answer = await page.request.get(new URL('/admin', page.url()).href);
        assert.equal(answer.status(), status);
        await page.context().close();
      }
    },
  },
  { guide: 'oauth4webapi.md', command: node('app.mjs'), complaint: signature, revokes: true },
  { guide: 'fetch.md', command: node('app.mjs'), complaint: /wrong signature/, revokes: true },
  { guide: 'passport-oauth2.md', command: node('app.mjs'), complaint: signature, revokes: true },
  {
    guide: 'express-openid-connect.md',
    command: node('app.mjs'),
    complaint: signature,
    revokes: false,
    signOut: followSignOut,
  },
  {
    guide: 'authjs.md',
    command: node('app.mjs'),
    complaint: signature,
    revokes: false,
    // Auth.js shows pages of its own.
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
  // A public client has no key to check a signature with.
  { guide: 'oidc-client-ts.md', command: node('server.mjs'), complaint: undefined, revokes: true },
];

for (const guide of guides) {
  test(`the program of ${guide.guide} signs a person in`, () => walkThrough(stage, guide));
}
