// The guides for software that brings its own pages: its sign-in page leads to the service and back, and a tampered ID token
// signs nobody in.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Response } from 'playwright-core';
import { findGuide } from '../../../src/cli/clients/create.ts';
import { filledIn } from '../../../src/platform/client-guides.ts';
import { root } from '../../harness/command.ts';
import { freePort, type TestUser } from '../../harness/service.ts';
import { agree, type Stage, signInAs } from '../guide-journey.ts';
import { claimsOf, registrationIn, type Start, startProgram } from '../guide-program.ts';

export const folderOf = (name: string) => join(root, 'test/clients/compatibility', name);

export interface Software extends Pick<Start, 'command'> {
  readonly name: string;
  readonly packages: string;
  readonly environment: Record<string, string>;
  readonly signIn: (page: Page) => Promise<void>;
  /** Resolves when the page shows who is signed in. */
  readonly signedIn: (page: Page) => Promise<void>;
  readonly signOut: (page: Page) => Promise<void>;
  readonly complaint: RegExp;
  /** What the reader fills in besides what Latchkey prints. */
  readonly fillIn?: (text: string) => string;
  /** What groups change. Opens a page for a person, in a browser of their own. */
  readonly roles: (visit: Visit) => Promise<void>;
}

/** Signs the person in, and hands over the page to look at. */
export type Visit = (user: TestUser, look: (page: Page) => Promise<void>) => Promise<void>;

export async function signInTo(stage: Stage, user: TestUser, software: Software): Promise<void> {
  const guide = `${software.name}.md`;
  const { redirectUri } = registrationIn(guide);
  redirectUri.port = String(await freePort());
  const claims = await claimsOf(guide);
  const app = await stage.service.newClient({ name: 'Software', redirectUris: [redirectUri.href], claims });
  const settings = {
    ...{ issuer: stage.proxy.url, clientId: app.id, clientSecret: app.secret, redirectUri: redirectUri.href },
  };
  const program = await startProgram({
    ...{ guide, command: software.command, url: redirectUri.origin, patience: 120 },
    packages: software.packages,
    // As `client create --for` prints them.
    prepare: (folder) => {
      const { files, callbackPath } = findGuide(software.name);
      for (const file of files) {
        if (file.name === undefined) continue;
        const text = filledIn(file, settings, callbackPath);
        writeFileSync(join(folder, file.name), software.fillIn?.(text) ?? text);
      }
    },
    environment: { PORT: redirectUri.port, ...software.environment },
  });
  const context = await stage.browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(40_000);
  try {
    await page.goto(program.url);
    await software.signIn(page);
    await signInAs(page, user);
    await agree(page, app);
    await software.signedIn(page);
    await software.signOut(page);

    for (const tampering of ['a foreign signature', 'no signature'] as const) {
      const before = { tampered: stage.proxy.tampered, output: program.output().length };
      stage.proxy.tampering = tampering;
      const isAnswer = (response: Response) => response.url().startsWith(`${redirectUri.href}?`);
      const [answer] = await Promise.all([page.waitForResponse(isAnswer), software.signIn(page)]);
      await answer.finished();
      stage.proxy.tampering = undefined;
      assert.equal(stage.proxy.tampered, before.tampered + 1);
      assert.match(program.output().slice(before.output), software.complaint);
      await page.goto(program.url);
    }
    await software.signIn(page);
    await software.signedIn(page);
    await software.roles(async (person, look) => {
      const browser = await stage.browser.newContext();
      const own = await browser.newPage();
      own.setDefaultTimeout(40_000);
      try {
        await own.goto(program.url);
        await software.signIn(own);
        await signInAs(own, person);
        // Consent is remembered.
        if (person.id !== user.id) await agree(own, app);
        await look(own);
      } catch (error) {
        throw new Error(`${error}\nat ${own.url()}\n${await own.innerText('body')}`, { cause: error });
      } finally {
        await browser.close();
      }
    });
  } catch (error) {
    const seen = `${page.url()}\n${await page.innerText('body').catch(() => 'no page')}`;
    throw new Error(`${guide}: ${error}\nat ${seen}\n${program.output()}`, { cause: error });
  } finally {
    stage.proxy.tampering = undefined;
    await context.close();
    await program.stop();
  }
}
