// The console's service while its pages are gone through, and what one page leaves for a later one.

import type { Page } from 'playwright-core';
import type { LanguageTag } from '../../../src/protocol/languages.ts';
import { allowLoopbackUpstreams, startDiscovery } from '../discovery.ts';
import { startTestService } from '../service.ts';
import { visitor } from './site.ts';

export type ConsoleScene = Awaited<ReturnType<typeof startConsole>>;
export type ConsolePages = Readonly<Record<string, (scene: ConsoleScene) => Promise<unknown>>>;

export async function startConsole(page: Page, language: LanguageTag) {
  const service = await startTestService(allowLoopbackUpstreams);
  const provider = await startDiscovery();
  const album = await service.newClient({ name: 'Photo album', redirectUris: ['https://photos.example/callback'] });
  const here = visitor(page, service.url, language);
  return {
    ...here,
    service,
    provider,
    album,
    webhookId: '',
    linkedUser: '',
    /** Presses the button in the dialog that asks first. */
    confirm: (name: string) => page.locator('dialog[open]').getByRole('button', { name }).click(),
    async openPerson(name: string) {
      await here.visit(`/admin/people?search=${name.split(' ')[0]}`);
      await here.follow(name);
      await here.heading(name);
    },
    async stop() {
      await provider.stop();
      await service.stop();
    },
  };
}
