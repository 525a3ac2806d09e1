// The guide for Node-RED: its editor's sign-in page leads to the service and back.

import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Stage, setStage } from '../guide-journey.ts';
import { folderOf, signInTo } from './software.ts';

let stage: Stage;

before(async () => {
  stage = await setStage();
});
after(() => stage?.stop());

test('the settings in node-red.md sign a person in to the editor', () => {
  const packages = folderOf('libraries');
  const nodeRed = join(packages, 'node_modules/node-red/red.js');
  return signInTo(stage, stage.user, {
    name: 'node-red',
    packages,
    command: (folder) => [process.execPath, nodeRed, '--userDir', folder, '--settings', join(folder, 'settings.js')],
    environment: { NODE_RED_USERS: stage.user.id },
    signIn: (page) => page.click('text=Sign in with Latchkey'),
    // The editor greets newcomers with a tour that covers its menus.
    signedIn: async (page) => {
      await page.waitForFunction(`window.RED?.settings?.user?.username === ${JSON.stringify(stage.user.id)}`);
    },
    signOut: async (page) => {
      await page.evaluate('RED.user.logout()');
      await page.waitForSelector('text=Sign in with Latchkey');
    },
    complaint: /signature verification failed|"alg".* not allowed/,
  });
});
