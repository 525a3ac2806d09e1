// What every client guide must achieve: a user signs in through the guide's program, in a real browser.

import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { changeMembers, createGroup } from '../../src/operations/groups/groups.ts';
import { endSessions } from '../../src/operations/users/disable-user.ts';
import { sharedBrowser } from '../harness/browser.ts';
import {
  freePort,
  requester,
  startTestService,
  type TestClient,
  type TestService,
  type TestUser,
} from '../harness/service.ts';
import { until } from '../harness/until.ts';
import { allowLoopback } from '../harness/webhooks.ts';
import { claimsOf, type Program, registrationIn, type Start, startProgram } from './guide-program.ts';
import { startTamperingProxy, type Tampering, type TamperingProxy } from './tampering-proxy.ts';

export interface Stage {
  readonly browser: Browser;
  readonly service: TestService;
  readonly proxy: TamperingProxy;
  /** In no group. */
  readonly user: TestUser;
  /** Of the groups that guides have. */
  changeGroup(name: 'Admins' | 'Staff', change: 'add' | 'remove', user: TestUser): Promise<void>;
  stop(): Promise<void>;
}

/** A browser, and a service behind the tampering proxy. It has the groups that guides have. */
export async function setStage(): Promise<Stage> {
  // First, so that nothing else has to be stopped when there is no browser.
  const browser = await sharedBrowser();
  const proxy = await startTamperingProxy();
  const service = await startTestService({ LATCHKEY_BASE_URL: proxy.url, ...allowLoopback });
  proxy.target = service.url;
  const { services } = service.running;
  const groups = new Map<string, string>();
  for (const name of ['Admins', 'Staff']) {
    const made = await createGroup(services, { name }, requester);
    if (made.kind === 'refused') throw new Error(made.problems[0].says);
    groups.set(name, made.group.id);
  }
  return {
    ...{ browser, service, proxy },
    user: await service.newUser(),
    async changeGroup(name, change, { id }) {
      const changed = await changeMembers(services, groups.get(name) ?? '', { [change]: [{ id }] }, requester);
      if (changed.kind === 'refused') throw new Error(changed.problems[0].says);
    },
    async stop() {
      await proxy.stop();
      await service.stop();
    },
  };
}

export interface Guide extends Pick<Start, 'guide' | 'command' | 'prepare' | 'logFile' | 'packages' | 'patience'> {
  /** Settings that the program needs besides those that Latchkey prints. */
  readonly environment?: (redirectUri: URL) => Record<string, string>;
  /** What to click until the service appears. */
  readonly signIn?: (page: Page) => Promise<void>;
  readonly signOut?: (page: Page) => Promise<void>;
  /** What the program logs about a token that was tampered with; undefined when it can't notice. */
  readonly complaint: RegExp | undefined;
  /** Whether signing out of the application revokes its tokens. */
  readonly revokes: boolean;
  /** A path that only signed-in users may open. */
  readonly privatePath?: string;
  /** Besides the usual: what groups change. Signs people in, each in a browser of their own. */
  readonly roles?: (stage: Stage, signedIn: (user: TestUser) => Promise<Page>) => Promise<void>;
  /** Where the program takes logout tokens, if it does. */
  readonly backchannelLogout?: (redirectUri: URL) => string;
}

export async function walkThrough(stage: Stage, guide: Guide): Promise<void> {
  const { redirectUri, isPublic, postLogoutRedirectUri } = registrationIn(guide.guide);
  redirectUri.port = String(await freePort());
  if (postLogoutRedirectUri !== undefined) postLogoutRedirectUri.port = redirectUri.port;
  const app = await stage.service.newClient({
    ...{ name: 'Guide', isPublic, redirectUris: [redirectUri.href], claims: await claimsOf(guide.guide) },
    postLogoutRedirectUris: postLogoutRedirectUri === undefined ? [] : [postLogoutRedirectUri.href],
    backchannelLogoutUri: guide.backchannelLogout?.(redirectUri),
  });
  const program = await startProgram({
    ...guide,
    url: redirectUri.origin,
    environment: {
      OIDC_ISSUER: stage.proxy.url,
      OIDC_CLIENT_ID: app.id,
      ...(isPublic ? {} : { OIDC_CLIENT_SECRET: app.secret }),
      OIDC_REDIRECT_URI: redirectUri.href,
      ...guide.environment?.(redirectUri),
    },
  });
  const context = await stage.browser.newContext();
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await journey(stage, guide, app, program, page);
    await guide.roles?.(stage, async (user) => {
      const own = await (await stage.browser.newContext()).newPage();
      own.setDefaultTimeout(20_000);
      await own.goto(program.url);
      await (guide.signIn ?? followLink)(own);
      await signInAs(own, user);
      await agree(own, app);
      await own.waitForSelector(`text=${user.id}`);
      return own;
    });
  } catch (error) {
    const [page] = context.pages();
    const seen = `${page?.url()}\n${await page?.innerText('body').catch(() => 'no page')}`;
    throw new Error(`${guide.guide}: ${error}\nat ${seen}\n${program.output()}`, { cause: error });
  } finally {
    await context.close();
    await program.stop();
  }
}

async function journey(stage: Stage, guide: Guide, app: TestClient, program: Program, page: Page): Promise<void> {
  const { user, service } = stage;
  const signIn = async () => {
    await page.goto(program.url);
    await (guide.signIn ?? followLink)(page);
  };

  const assertSignedOut = async () => {
    await page.goto(program.url);
    await assertStranger(page, user);
    if (guide.privatePath === undefined) return;
    const answer = await page.request.get(program.url + guide.privatePath, { maxRedirects: 0 });
    assert.ok([302, 401].includes(answer.status()), `${guide.privatePath} answers ${answer.status()}`);
  };

  await signIn();
  await page.fill('input[name=email]', user.email);
  await page.fill('input[name=password]', user.password);
  await page.click('button[type=submit]');
  await page.click('button[value=cancel]');
  await page.waitForURL((url) => url.origin === program.url);
  await assertStranger(page, user);

  await signIn();
  await page.click('button[value=approve]');
  await page.waitForSelector(`text=${user.id}`);
  const text = await page.innerText('body');
  for (const expected of ['Grace Hopper', user.email, user.id]) assert.ok(text.includes(expected), expected);
  const cookies = await page.context().cookies(program.url);
  for (const { name, httpOnly, sameSite } of cookies.filter((cookie) => !cookie.name.startsWith('latchkey_'))) {
    assert.deepEqual({ name, httpOnly, sameSite }, { name, httpOnly: true, sameSite: 'Lax' });
  }

  await (guide.signOut ?? pressSignOut)(page);
  await assertSignedOut();
  const revoked = (await service.events('token_revoked')).filter(({ clientId }) => clientId === app.id);
  assert.equal(revoked.length > 0, guide.revokes, 'tokens given back on sign-out');

  // A guide that registers a way back from signing out ends the session at the service, too.
  const endsSession = app.record.postLogoutRedirectUris.length > 0;
  const signedOut = (await service.events('signed_out')).filter(({ clientId }) => clientId === app.id);
  assert.equal(signedOut.length, endsSession ? 1 : 0, 'signed out of the service');
  const signInToService = async () => {
    await page.goto(`${stage.proxy.url}/account`);
    await page.fill('input[name=email]', user.email);
    await page.fill('input[name=password]', user.password);
    await page.click('button[type=submit]');
    await page.waitForURL((url) => url.pathname === '/account');
  };
  if (endsSession) await signInToService();

  if (guide.backchannelLogout !== undefined) {
    await signIn();
    await page.waitForSelector(`text=${user.id}`);
    // The program judges the token by its own clock.
    service.clock.advance((Date.now() - service.clock.now()) / 1000);
    const ended = await endSessions(service.running.services, user, requester);
    assert.equal(ended.kind, 'done');
    const lastMessage = async () => (await service.running.services.storage.listLogouts(app.id, 1))[0];
    await until(async () => (await lastMessage())?.state === 'delivered', 'the logout token is accepted');
    await assertSignedOut();
    await signInToService();
  }

  if (guide.complaint === undefined) return;
  for (const tampering of ['a foreign signature', 'no signature'] as Tampering[]) {
    const before = { tampered: stage.proxy.tampered, output: program.output().length };
    stage.proxy.tampering = tampering;
    try {
      const answered = page.waitForResponse((response) => response.url().startsWith(`${app.redirectUri}?`));
      await signIn();
      // Consent is remembered, so the answer comes at once. It must not sign anyone in.
      await (await answered).finished();
    } finally {
      stage.proxy.tampering = undefined;
    }
    assert.equal(stage.proxy.tampered, before.tampered + 1);
    await assertSignedOut();
    if (tampering === 'a foreign signature') assert.match(program.output().slice(before.output), guide.complaint);
  }
}

/** At the service. */
export async function signInAs(page: Page, user: TestUser): Promise<void> {
  await page.fill('input[name=email]', user.email);
  await page.fill('input[name=password]', user.password);
  await page.click('button[type=submit]');
}

/** To what the service says that the application gets to know. */
export async function agree(page: Page, { record }: TestClient): Promise<void> {
  await page.waitForSelector('button[value=approve]');
  const told = await page.innerText('main');
  for (const { label } of record.claims) assert.ok(label !== null && told.includes(label), told);
  await page.click('button[value=approve]');
}

/** For applications that sign out with a link. */
export async function followSignOut(page: Page): Promise<void> {
  await page.click('a:has-text("Sign out")');
  await page.waitForSelector('a:has-text("Sign in")');
}

async function followLink(page: Page): Promise<void> {
  await page.click('a:has-text("Sign in")');
}

async function pressSignOut(page: Page): Promise<void> {
  const answered = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.click('button:has-text("Sign out")');
  await answered;
  await page.waitForSelector('a:has-text("Sign in")');
}

async function assertStranger(page: Page, user: TestUser): Promise<void> {
  const text = await page.innerText('body');
  for (const personal of ['Grace Hopper', user.email, user.id]) assert.ok(!text.includes(personal), text);
}
