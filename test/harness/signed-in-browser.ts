// Browsers in which somebody is signed in.

import type { APIResponse, BrowserContextOptions, Page } from 'playwright-core';
import { inBrowser } from './browser.ts';
import { readForm } from './person.ts';
import type { TestService, TestUser } from './service.ts';
import { consoleOfSuite } from './suite.ts';

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
  const { service, administrator } = consoleOfSuite(environment);
  const open = (path: string, work: (page: Page) => Promise<void>, options?: BrowserContextOptions) =>
    signedIn({ service, user: administrator, path, options }, work);
  return { service, administrator, open };
}
