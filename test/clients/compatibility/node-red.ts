// The guide for Node-RED: its editor's sign-in page leads to the service and back, and groups decide what people can do there.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Stage, setStage } from '../guide-journey.ts';
import { folderOf, signInTo } from './software.ts';

let stage: Stage;

before(async () => {
  stage = await setStage();
});
after(() => stage?.stop());

// The editor greets newcomers with a tour that covers its menus.
const inEditor = (page: Page, username: string) =>
  page.waitForFunction(`window.RED?.settings?.user?.username === ${JSON.stringify(username)}`);

/** What the editor's API answers when the page asks it, with what the editor itself would send. */
const statuses = (page: Page) =>
  page.evaluate(async () => {
    const { access_token } = JSON.parse(localStorage.getItem('auth-tokens') ?? '{}');
    const headers = { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' };
    const read = await fetch('flows', { headers });
    const write = await fetch('flows', { method: 'POST', headers, body: '[]' });
    return [read.status, write.status];
  });

test('the settings in node-red.md sign a person in to the editor, and groups decide what they can do', async () => {
  const { service, user, changeGroup } = stage;
  const [reader, stranger] = [await service.newUser(), await service.newUser()];
  await changeGroup('Admins', 'add', user);
  await changeGroup('Staff', 'add', user);
  await changeGroup('Staff', 'add', reader);
  const packages = folderOf('libraries');
  const nodeRed = join(packages, 'node_modules/node-red/red.js');
  await signInTo(stage, user, {
    name: 'node-red',
    packages,
    command: (folder) => [process.execPath, nodeRed, '--userDir', folder, '--settings', join(folder, 'settings.js')],
    environment: {},
    signIn: (page) => page.click('text=Sign in with Latchkey'),
    signedIn: async (page) => {
      await inEditor(page, user.id);
      assert.deepEqual(await statuses(page), [200, 204]);
    },
    signOut: async (page) => {
      await page.evaluate('RED.user.logout()');
      await page.waitForSelector('text=Sign in with Latchkey');
    },
    complaint: /signature verification failed|"alg".* not allowed/,
    roles: async (visit) => {
      await visit(reader, async (page) => {
        await inEditor(page, reader.id);
        assert.deepEqual(await statuses(page), [200, 401]);
      });
      await visit(stranger, async (page) => {
        await page.waitForSelector('text=Sign in with Latchkey');
        assert.deepEqual(await statuses(page), [401, 401]);
      });
    },
  });
});
