// Browsers in which somebody is signed in.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { APIResponse, BrowserContextOptions, Page } from 'playwright-core';
import { inBrowser } from './browser.ts';
import { readForm } from './person.ts';
import { startTestService, type TestService, type TestUser } from './service.ts';

type Credentials = Pick<TestUser, 'email' | 'password'>;

/** Signs in with one page instead of three: the form is sent past the page. */
export async function signInPastPage(
  page: Page,
  { url }: TestService,
  { email, password }: Credentials,
): Promise<APIResponse> {
  const { fields = {} } = readForm(await (await page.request.get(`${url}/sign-in`)).text(), '/sign-in') ?? {};
  return page.request.post(`${url}/sign-in`, { form: { ...fields, email, password }, maxRedirects: 0 });
}

interface SignedIn {
  readonly service: TestService;
  readonly user: Credentials;
  readonly path: string;
  readonly options?: BrowserContextOptions | undefined;
}

/** Opens a page in a browser of its own, in which the page's policy may block nothing. */
export async function signedIn({ service, user, path, options }: SignedIn, work: (page: Page) => Promise<void>) {
  await inBrowser(async (page) => {
    await signInPastPage(page, service, user);
    await page.goto(`${service.url}${path}`);
    await work(page);
  }, options);
}

/** A service with an administrator, who opens pages of the console. Called once by a suite, before hooks of its own. */
export function consoleSite(environment: Record<string, string> = {}) {
  let started: { readonly service: TestService; readonly administrator: TestUser } | undefined;
  const running = () => started ?? assert.fail('the service is started by a hook');
  before(async () => {
    const service = await startTestService(environment);
    started = { service, administrator: await service.newUser({ admin: true, name: 'Margaret Hamilton' }) };
  });
  after(() => started?.service.stop());
  return {
    get service() {
      return running().service;
    },
    get administrator() {
      return running().administrator;
    },
    open(path: string, work: (page: Page) => Promise<void>, options?: BrowserContextOptions) {
      const { service, administrator: user } = running();
      return signedIn({ service, user, path, options }, work);
    },
  };
}
