// Browsers in which somebody is signed in.

import assert from 'node:assert/strict';
import type { APIResponse, BrowserContextOptions, Page } from 'playwright-core';
import { sharedBrowser } from './browser.ts';
import { readForm } from './person.ts';
import type { TestService, TestUser } from './service.ts';

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
  const context = await (await sharedBrowser()).newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (/Content Security Policy|Refused to/i.test(message.text())) complaints.push(message.text());
  });
  try {
    const page = await context.newPage();
    await signInPastPage(page, service, user);
    await page.goto(`${service.url}${path}`);
    await work(page);
    assert.deepEqual(complaints, [], 'nothing is blocked by the content security policy');
  } finally {
    await context.close();
  }
}
