// What people do with their own account, in a real browser, with mail that really goes out: make it, get back into it,
// look after it, protect it, see what happened with it, and delete it.

import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import decodeQR from 'qr/decode.js';
import { totpCode, totpStep } from '../../src/protocol/sign-in/totp.ts';
import { assertSoundInBothLooks, launchBrowser } from '../harness/browser.ts';
import { type MailServer, startMailServer } from '../harness/mail-server.ts';
import { readForm } from '../harness/person.ts';
import {
  authorizePath,
  decodeJwt,
  exchangeParameters,
  newVerifier,
  postForm,
  refreshParameters,
  type TokenBody,
  userinfo,
} from '../harness/relying-party.ts';
import { freePort, startTestService, type TestClient, type TestService } from '../harness/service.ts';

const chromeOnLinux =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const firefoxOnWindows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const desktop = { width: 1280, height: 800 };
const anotherPassword = 'a rather long phrase';

let service: TestService;
let browser: Browser;
let mail: MailServer;
let application: Server;
let client: TestClient;

before(async () => {
  // The browser first: without one nothing has been started that would have to be stopped.
  browser = await launchBrowser();
  mail = await startMailServer();
  service = await startTestService({
    LATCHKEY_SIGN_UP: 'open',
    LATCHKEY_SMTP_URL: mail.url,
    LATCHKEY_MAIL_FROM: 'Latchkey <latchkey@example.test>',
  });
  const port = await freePort();
  application = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>App</title><p>The application');
  });
  await new Promise<void>((resolve) => application.listen(port, '127.0.0.1', resolve));
  client = await service.newClient({ name: 'Photo album', redirectUris: [`http://127.0.0.1:${port}/callback`] });
});
after(async () => {
  await browser?.close();
  await new Promise((resolve) => (application ? application.close(resolve) : resolve(undefined)));
  await service?.stop();
  await mail?.stop();
});

/** A browser of its own: nothing of what another test has done is in it. */
async function inBrowser(
  work: (page: Page, context: BrowserContext) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const context = await browser.newContext({ viewport: desktop, userAgent: chromeOnLinux, ...options });
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (/Content Security Policy|Refused to/i.test(message.text())) complaints.push(message.text());
  });
  context.setDefaultTimeout(10_000);
  try {
    await work(await context.newPage(), context);
    assert.deepEqual(complaints, [], 'nothing is blocked by the content security policy');
  } finally {
    await context.close();
  }
}

const lookedAt = new Set<string>();
/** Each page is judged once, on a desktop in light and on a small phone in dark. */
async function look(page: Page, name: string): Promise<void> {
  if (lookedAt.has(name)) return;
  lookedAt.add(name);
  await assertSoundInBothLooks(page, name);
}

const go = (page: Page, path: string) => page.goto(service.url + path);

async function reaches(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
}

/** Fills a form by its labels and sends it by the button with this name. */
async function send(page: Page, action: string, values: Record<string, string>, button: string): Promise<void> {
  // A tab behind another is painted seldom, and so is clicked late.
  await page.bringToFront();
  const form = page.locator(`form[action="${action}"]`);
  for (const [label, value] of Object.entries(values)) await form.getByLabel(label, { exact: true }).fill(value);
  await form.getByRole('button', { name: button, exact: true }).click();
}

async function says(page: Page, role: 'alert' | 'status', text: string): Promise<void> {
  await page.locator(`[role=${role}]`, { hasText: text }).waitFor();
}

async function sendSignIn(page: Page, email: string, password: string): Promise<void> {
  await send(page, '/sign-in', { 'E-mail': email, Password: password }, 'Sign in');
}

async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await go(page, '/sign-in');
  await sendSignIn(page, email, password);
  await page.waitForURL(`${service.url}/account`);
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await reaches(page, 'You are signed out');
}

/** A session that is simply gone takes fewer pages than signing out. */
async function endSession(page: Page): Promise<void> {
  await page.context().clearCookies({ name: 'latchkey_session' });
}

/** What the application gets for whoever is signed in to this browser, who allows it everything it asks for. */
async function tokensFor(page: Page): Promise<TokenBody> {
  const verifier = newVerifier();
  const path = authorizePath(client, verifier);
  let answer = await page.request.get(service.url + path, { maxRedirects: 0 });
  if (answer.status() === 200) {
    const fields = readForm(await answer.text(), '/oauth-authorize/decision')?.fields;
    assert.ok(fields, 'somebody is signed in');
    const form = { ...fields, decision: 'approve' };
    answer = await page.request.post(`${service.url}/oauth-authorize/decision`, { form, maxRedirects: 0 });
  }
  return exchange(new URL(answer.headers().location ?? ''), verifier);
}

async function exchange(answer: URL, verifier: string): Promise<TokenBody> {
  const parameters = exchangeParameters(client, answer.searchParams.get('code') ?? '', verifier);
  const { status, body } = await postForm(service, '/oauth/token', parameters);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

async function amrOf(page: Page): Promise<unknown> {
  return decodeJwt((await tokensFor(page)).id_token).amr;
}

/** Nothing that opens an account, nor what the store keeps of it, stands in the text. */
async function assertNoSecrets(text: string): Promise<void> {
  const keepers = ['users', 'sessions', 'known_devices', 'authenticators', 'recovery_codes', 'passkeys', 'grants'];
  const secrets: string[] = [];
  for (const table of keepers) {
    for (const row of await service.rows(table)) {
      for (const [column, value] of Object.entries(row)) {
        if (/digest|hash|secret|public_key/.test(column) && typeof value === 'string' && value !== '') {
          secrets.push(value);
        }
      }
    }
  }
  assert.ok(secrets.length > 5, 'there are secrets to look for');
  for (const secret of secrets) assert.equal(text.includes(secret), false, 'a secret is shown');
}

test('a person signs up on the way to an application and arrives there', async () => {
  const email = 'ada@example.test';
  const verifier = newVerifier();
  await inBrowser(async (page) => {
    await go(page, authorizePath(client, verifier));
    await page.getByRole('button', { name: 'Create an account' }).click();
    await reaches(page, 'Create an account');
    await page.getByText('to continue to Photo album').waitFor();
    await look(page, 'sign-up');
    await send(page, '/sign-up', { 'E-mail': email }, 'Send the link');
    await reaches(page, 'Look into your mailbox');
    await look(page, 'mail sent');

    const letter = await mail.next(email, /Finish your account/);
    assert.equal(letter.from, 'Latchkey <latchkey@example.test>');
    assert.ok(letter.link.startsWith(`${service.url}/sign-up/finish?link=`));
    assert.ok(letter.html.includes(`href="${letter.link}"`), 'both parts of the mail have the same link');

    await page.goto(letter.link);
    await reaches(page, 'Finish your account');
    await page.getByText(email).waitFor();
    await page.waitForSelector('#name:focus');
    await look(page, 'finish sign-up');
    await send(page, '/sign-up/finish', { Name: 'Ada Lovelace', Password: 'password1' }, 'Create the account');
    await says(page, 'alert', 'one of the first that are guessed');
    assert.equal(await page.getByLabel('Name').inputValue(), 'Ada Lovelace', 'the name need not be typed again');
    await page.getByText(email).waitFor();
    await send(page, '/sign-up/finish', { Password: anotherPassword }, 'Create the account');

    await reaches(page, 'Allow Photo album to sign you in?');
    await page.getByText('Ada Lovelace').first().waitFor();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${client.redirectUri}?**`);
    const tokens = await exchange(new URL(page.url()), verifier);
    const { body } = await userinfo(service, tokens.access_token);
    assert.equal(body.email, email);
    assert.equal(body.email_verified, true);
    assert.equal(body.name, 'Ada Lovelace');
    assert.deepEqual(decodeJwt(tokens.id_token).amr, ['pwd']);

    await page.goto(letter.link);
    await reaches(page, 'This link does not work any more');
    await look(page, 'link over');
    await go(page, '/account/activity');
    await page.getByText('Created the account').waitFor();
  });
});

test('nobody learns from the pages whether an address has an account, but its owner does by mail', async () => {
  const owner = await service.newUser();
  await inBrowser(async (page) => {
    const answers: string[] = [];
    for (const email of [owner.email, 'nobody@example.test']) {
      await go(page, '/sign-up');
      await send(page, '/sign-up', { 'E-mail': email }, 'Send the link');
      await reaches(page, 'Look into your mailbox');
      answers.push((await page.content()).replaceAll(email, '…'));
      await go(page, '/reset-password');
      await send(page, '/reset-password', { 'E-mail': email }, 'Send the link');
      await reaches(page, 'Look into your mailbox');
      answers.push((await page.content()).replaceAll(email, '…'));
    }
    assert.equal(new Set(answers).size, 1);
  });
  const letter = await mail.next(owner.email, /You have an account already/);
  assert.equal(letter.link, `${service.url}/sign-in`);
  await mail.next('nobody@example.test', /Finish your account/);
  await mail.next('nobody@example.test', /There is no account for this address/);
  assert.equal((await service.rows('users')).filter(({ email }) => email === owner.email).length, 1);
});

test('a forgotten password is replaced by mail, once, and every device is signed out', async () => {
  const user = await service.newUser();
  await inBrowser(async (page, context) => {
    await inBrowser(async (elsewhere) => {
      await signIn(elsewhere, user);

      await go(page, '/sign-in');
      await page.getByRole('button', { name: 'Forgot your password?' }).click();
      await reaches(page, 'Reset your password');
      await page.waitForSelector('#email:focus');
      await look(page, 'reset password');
      await send(page, '/reset-password', { 'E-mail': user.email.toUpperCase() }, 'Send the link');
      await reaches(page, 'Look into your mailbox');
      const { link } = await mail.next(user.email, /Reset your password/);

      await page.goto(link);
      await reaches(page, 'Choose a new password');
      await look(page, 'new password');
      const otherTab = await context.newPage();
      await otherTab.goto(link);
      await send(page, '/reset-password/finish', { 'New password': user.email }, 'Set the password');
      await says(page, 'alert', 'is your name or your address');
      await send(page, '/reset-password/finish', { 'New password': anotherPassword }, 'Set the password');
      await reaches(page, 'Your password is changed');
      await look(page, 'password reset');
      await mail.next(user.email, /Your password was changed/);

      await elsewhere.reload();
      await reaches(elsewhere, 'Sign in');
      // The form that was opened before in another tab, and the link itself.
      await send(otherTab, '/reset-password/finish', { 'New password': 'the third password' }, 'Set the password');
      await reaches(otherTab, 'This link does not work any more');
      await otherTab.goto(link);
      await reaches(otherTab, 'This link does not work any more');
      await page.getByRole('link', { name: 'Sign in' }).click();
    });
    for (const wrong of [user.password, 'the third password']) {
      await sendSignIn(page, user.email, wrong);
      await says(page, 'alert', 'The e-mail address or the password is not right.');
    }
    await sendSignIn(page, user.email, anotherPassword);
    await page.waitForURL(`${service.url}/account`);
    await go(page, '/account/activity');
    await page.getByText('Reset the password by mail').waitFor();
    await page.getByText('Sign-in failed: wrong password').first().waitFor();
  });
});

test('a password is changed with the current one, and a password manager can paste', async () => {
  const user = await service.newUser();
  await inBrowser(async (page) => {
    await signIn(page, user);
    await inBrowser(async (elsewhere) => {
      await signIn(elsewhere, user);
      await go(page, '/account/security');
      const change = (current: string, next: string) =>
        send(page, '/account/password', { 'Current password': current, 'New password': next }, 'Change the password');
      await change('not the password', anotherPassword);
      await says(page, 'alert', 'The current password is not right.');
      await change(user.password, 'password123');
      await says(page, 'alert', 'one of the first that are guessed');
      await change(user.password, 'short');
      await says(page, 'alert', 'at least 8 characters');

      const form = page.locator('form[action="/account/password"]');
      await form.getByLabel('Current password').fill(user.password);
      // Typed where it can be seen, cut, and pasted where it cannot.
      await page.locator('summary', { hasText: 'Add a passkey' }).click();
      await look(page, 'security');
      await page.getByLabel('Name of the passkey').fill(anotherPassword);
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.press('ControlOrMeta+X');
      await form.getByLabel('New password').focus();
      await page.keyboard.press('ControlOrMeta+V');
      assert.equal(await form.getByLabel('New password').inputValue(), anotherPassword);
      await form.getByRole('button').click();
      await says(page, 'status', 'Your password is changed. Your other devices are signed out.');
      await mail.next(user.email, /Your password was changed/);
      await elsewhere.reload();
      await reaches(elsewhere, 'Sign in');
      await sendSignIn(elsewhere, user.email, user.password);
      await says(elsewhere, 'alert', 'not right');
      await sendSignIn(elsewhere, user.email, anotherPassword);
      await elsewhere.waitForURL(`${service.url}/account`);
    });
  });
});

test('a profile is what the person says it is, and nothing in it is more than text', async () => {
  const user = await service.newUser();
  const name = '<b onclick="x">Ada</b> & “Co” עדה';
  await inBrowser(async (page) => {
    await signIn(page, user);
    const tokens = await tokensFor(page);
    const about = async () => (await userinfo(service, tokens.access_token)).body;

    await page.getByLabel('Language').selectOption('de-AT');
    const names = { 'Given name': '<script>alert(1)</script>', 'Family name': 'Love\u200flace\u202e' };
    await send(page, '/account', { Name: `\u202e${name}\u200f`, ...names }, 'Save');
    await says(page, 'status', 'Your profile is saved.');
    assert.equal(await page.locator('.account-line strong').textContent(), name);
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), name);
    assert.equal(await page.getByLabel('Language').inputValue(), 'de-AT');
    const { name: told, given_name, family_name, locale } = await about();
    assert.deepEqual(
      { told, given_name, family_name, locale },
      { told: name, given_name: '<script>alert(1)</script>', family_name: 'Lovelace', locale: 'de-AT' },
    );
    await send(page, '/account', { Name: '\u200f \u202e' }, 'Save');
    await says(page, 'alert', 'A name needs at least one letter that can be seen');
    assert.equal((await about()).name, name);

    const upload = async (buffer: Buffer) => {
      await page.getByLabel('Picture').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
      await page.getByRole('button', { name: 'Upload' }).click();
    };
    await page.getByRole('button', { name: 'Upload' }).click();
    await says(page, 'alert', 'Choose a file first.');
    await upload(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'));
    await says(page, 'alert', 'That file is not a PNG, JPEG or WebP picture, or it is damaged.');
    assert.equal((await about()).picture, undefined);
    await upload(await smallPng(page));
    await says(page, 'status', 'Your picture is changed.');
    const picture = String((await about()).picture);
    assert.ok(picture.startsWith(`${service.url}/pictures/`));
    await page.waitForFunction('document.querySelector(".portrait").naturalWidth === 3');
    await look(page, 'profile with a picture');
    assert.equal((await page.request.get(picture)).headers()['content-type'], 'image/png');
    await page.getByRole('button', { name: 'Remove the picture' }).click();
    await says(page, 'status', 'Your picture is changed.');
    assert.equal(await page.locator('.portrait').count(), 0);
    assert.equal((await about()).picture, undefined);
    assert.equal((await page.request.get(picture)).status(), 404);
  });
});

test('the sections stand in two lines on a phone, and in one on a desktop', async () => {
  const user = await service.newUser();
  await inBrowser(async (page) => {
    await signIn(page, user);
    const sections = async (width: number) => {
      await page.setViewportSize({ width, height: 740 });
      const boxes = await Promise.all((await page.locator('.sections a').all()).map((link) => link.boundingBox()));
      assert.equal(boxes.length, 6);
      for (const box of boxes) assert.ok(box && box.x >= 0 && box.x + box.width <= width, `in sight at ${width}`);
      return {
        lines: new Set(boxes.map((box) => box?.y)).size,
        heights: new Set(boxes.map((box) => box?.height)).size,
      };
    };
    assert.deepEqual(await sections(1280), { lines: 1, heights: 1 });
    assert.deepEqual(await sections(360), { lines: 2, heights: 1 });
    // On the smallest of phones the longest name may need two lines of its own.
    assert.equal((await sections(320)).lines, 2);
  });
});

test('the fields of the profile line up', async () => {
  const user = await service.newUser();
  await inBrowser(async (page) => {
    await signIn(page, user);
    const boxOf = async (id: string) => {
      const box = await page.locator(id).boundingBox();
      assert.ok(box, id);
      return { left: box.x, right: box.x + box.width, height: box.height };
    };
    const [name, language] = [await boxOf('#name'), await boxOf('#locale')];
    assert.deepEqual(language, name);
    const [given, family] = [await boxOf('#given_name'), await boxOf('#family_name')];
    assert.deepEqual([given.left, family.right], [name.left, name.right]);
    assert.ok(given.right < family.left);
  });
});

/** Three pixels by two, of the page that is open. */
function smallPng(page: Page): Promise<Buffer> {
  return page.screenshot({ clip: { x: 0, y: 0, width: 3, height: 2 } });
}

test('an e-mail address changes when the mail to the new one is answered, and the person stays the same', async () => {
  const user = await service.newUser();
  const other = await service.newUser();
  const newEmail = `new.${user.email}`;
  await inBrowser(async (page) => {
    await signIn(page, user);
    const before = await tokensFor(page);
    await page.getByRole('link', { name: 'Change the address' }).click();
    await reaches(page, 'Change your e-mail address');
    await page.waitForSelector('#email:focus');
    await look(page, 'change e-mail');
    const ask = (email: string, password: string) =>
      send(page, '/account/email', { 'New e-mail address': email, 'Current password': password }, 'Send the link');
    await ask(newEmail, 'not the password');
    await says(page, 'alert', 'The current password is not right.');
    assert.equal(await page.getByLabel('New e-mail address').inputValue(), newEmail);
    await ask(user.email, user.password);
    await says(page, 'alert', 'That is your address already.');
    await ask(other.email, user.password);
    await reaches(page, 'Look into your mailbox');
    await mail.next(other.email, /You have an account already/);
    await go(page, '/account/email');
    await ask(newEmail, user.password);
    await reaches(page, 'Look into your mailbox');

    const { link } = await mail.next(newEmail, /Confirm your new address/);
    assert.equal((await userinfo(service, before.access_token)).body.email, user.email, 'nothing is changed yet');
    await page.goto(link);
    await reaches(page, 'Confirm your new address');
    await look(page, 'confirm e-mail');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await reaches(page, 'The address is changed');
    assert.ok((await mail.next(user.email, /Your e-mail address was changed/)).text.includes(newEmail));
    const told = (await userinfo(service, before.access_token)).body;
    assert.deepEqual([told.sub, told.email, told.email_verified], [user.id, newEmail, true]);
    assert.equal(decodeJwt((await tokensFor(page)).id_token).sub, user.id);

    await page.goto(link);
    await reaches(page, 'This link does not work any more');
    await endSession(page);
    await go(page, '/sign-in');
    await sendSignIn(page, user.email, user.password);
    await says(page, 'alert', 'not right');
    await sendSignIn(page, newEmail, user.password);
    await page.waitForURL(`${service.url}/account`);
  });
});

/** What an authenticator app does with the key of the page. */
function codeFrom(key: string): string {
  const bits = [...key.replace(/\s/g, '')]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  return totpCode(secret, totpStep(service.clock.now()));
}

/** A code that was not shown before. */
function nextCodeFrom(key: string): string {
  service.clock.advance(30);
  return codeFrom(key);
}

async function setUpApp(page: Page, password: string): Promise<{ key: string; code: string; codes: string[] }> {
  const key = (await page.locator('code.key').textContent()) ?? '';
  const code = nextCodeFrom(key);
  const values = { 'Code that the app shows now': code, 'Current password': password };
  await send(page, '/account/authenticator', values, 'Turn it on');
  await reaches(page, 'Your recovery codes');
  const codes = await page.locator('.codes code').allTextContents();
  assert.equal(new Set(codes).size, 10);
  return { key, code, codes };
}

/** What a camera sees: the picture as the browser has painted it. */
async function readQrCode(page: Page): Promise<string> {
  const bytes = await page.locator('.qr svg').screenshot();
  const { width, height, data } = (await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const { width, height } = image;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context.drawImage(image, 0, 0);
    const pixels = context.getImageData(0, 0, width, height).data;
    return { width, height, data: btoa(Array.from(pixels, (byte) => String.fromCharCode(byte)).join('')) };
  })()`)) as { width: number; height: number; data: string };
  return decodeQR({ width, height, data: new Uint8Array(Buffer.from(data, 'base64')) });
}

test('an authenticator app is turned on, asked for, replaced by recovery codes, and removed', async () => {
  const user = await service.newUser();
  await inBrowser(async (page) => {
    await signIn(page, user);
    await go(page, '/account/security');
    await page.getByRole('link', { name: 'Set up an app' }).click();
    await reaches(page, 'Set up an authenticator app');
    await page.getByRole('link', { name: 'Back to security' }).click();
    await reaches(page, 'Security');
    await page.getByRole('link', { name: 'Set up an app' }).click();
    await reaches(page, 'Set up an authenticator app');
    await look(page, 'authenticator');
    const key = (await page.locator('code.key').textContent()) ?? '';
    // A dark page is the harder one to read.
    await page.emulateMedia({ colorScheme: 'dark' });
    const uri = new URL(await readQrCode(page));
    await page.emulateMedia({ colorScheme: 'light' });
    assert.ok(uri.href.startsWith('otpauth://totp/'), uri.href);
    assert.equal(uri.searchParams.get('secret'), key.replaceAll(' ', ''));
    assert.ok(decodeURIComponent(uri.pathname).endsWith(`:${user.email}`));

    const turnOn = (code: string, password: string) => {
      const values = { 'Code that the app shows now': code, 'Current password': password };
      return send(page, '/account/authenticator', values, 'Turn it on');
    };
    await turnOn('000000', user.password);
    await says(page, 'alert', 'That code is not right.');
    assert.equal(await page.locator('code.key').textContent(), key, 'the app has this key already');
    await turnOn(codeFrom(key), 'not the password');
    await says(page, 'alert', 'The current password is not right.');
    const { code: usedCode, codes } = await setUpApp(page, user.password);
    await look(page, 'recovery codes');
    assert.match((await mail.next(user.email, /security of your account/)).text, /authenticator app was set up/);
    await page.getByRole('link', { name: 'I have kept them' }).click();
    await reaches(page, 'Security');
    await page.getByText('10 of your codes are left').waitFor();
    const shown = await page.content();
    for (const code of codes) assert.equal(shown.includes(code), false, 'codes are shown once');
    await go(page, '/account/authenticator');
    await page.waitForURL(`${service.url}/account/security`);
    await assertNoSecrets(await (await page.request.get(`${service.url}/account/data.json`)).text());
    await endSession(page);

    const secondStep = (code: string) => send(page, '/sign-in/second-step', { Code: code }, 'Continue');
    await go(page, '/sign-in');
    await sendSignIn(page, user.email, user.password);
    await reaches(page, 'One more step');
    await page.waitForSelector('#code:focus');
    await look(page, 'second step');
    await secondStep(usedCode);
    await says(page, 'alert', 'That is not right, or has been used before.');
    const code = nextCodeFrom(key);
    await secondStep(`${code.slice(0, 3)} ${code.slice(3)}`);
    await page.waitForURL(`${service.url}/account`);
    assert.deepEqual(await amrOf(page), ['pwd', 'otp', 'mfa']);

    // On the way to an application that is allowed already, nothing more is asked after the second step.
    await endSession(page);
    const verifier = newVerifier();
    await go(page, authorizePath(client, verifier));
    await sendSignIn(page, user.email, user.password);
    await reaches(page, 'One more step');
    await secondStep(code);
    await says(page, 'alert', 'has been used before');
    const [recovery = ''] = codes;
    await secondStep(recovery.toUpperCase().replaceAll('-', ' '));
    await page.waitForURL(`${client.redirectUri}?**`);
    assert.deepEqual(decodeJwt((await exchange(new URL(page.url()), verifier)).id_token).amr, ['pwd', 'otp', 'mfa']);
    await endSession(page);
    await go(page, '/sign-in');
    await sendSignIn(page, user.email, user.password);
    await reaches(page, 'One more step');
    await secondStep(recovery);
    await says(page, 'alert', 'has been used before');
    await secondStep(nextCodeFrom(key));
    await page.waitForURL(`${service.url}/account`);

    await go(page, '/account/security');
    await page.getByText('9 of your codes are left').waitFor();
    await page.locator('summary', { hasText: 'Make new codes' }).click();
    await send(page, '/account/recovery-codes', { 'Current password': user.password }, 'Make new codes');
    await reaches(page, 'Your recovery codes');
    const newCodes = await page.locator('.codes code').allTextContents();
    assert.equal(new Set([...codes, ...newCodes]).size, 20);
    await page.getByRole('link', { name: 'I have kept them' }).click();

    await page.locator('summary', { hasText: 'Remove the app' }).click();
    await look(page, 'security with an app');
    await send(page, '/account/authenticator/remove', { 'Current password': 'wrong' }, 'Remove');
    await says(page, 'alert', 'The current password is not right.');
    await page.locator('summary', { hasText: 'Remove the app' }).click();
    await send(page, '/account/authenticator/remove', { 'Current password': user.password }, 'Remove');
    await says(page, 'status', 'The authenticator app is removed.');
    assert.equal(await page.getByText('Recovery codes').count(), 0);
    await go(page, '/account/activity');
    for (const words of ['with a password and a code', 'with a password and a recovery code', 'Used a recovery code']) {
      await page.getByText(words).first().waitFor();
    }
    await endSession(page);
    await signIn(page, user);
    assert.deepEqual(await amrOf(page), ['pwd']);
  });
});

/** From now on the device has a fingerprint reader, and a finger on it. Tells how many passkeys the device has. */
async function addFingerprintReader(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...({ protocol: 'ctap2', transport: 'internal' } as const),
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  return async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length;
}

/** Sends the form of the security page. */
async function addPasskey(page: Page, name: string, password: string): Promise<void> {
  const values = { 'Name of the passkey': name, 'Current password': password };
  await send(page, '/account/passkeys', values, 'Add a passkey');
}

test('the device makes a passkey only when the password is right', async () => {
  const user = await service.newUser();
  await inBrowser(async (page) => {
    const passkeysOnDevice = await addFingerprintReader(page);
    await signIn(page, user);
    await go(page, '/account/security');
    await page.locator('summary', { hasText: 'Add a passkey' }).click();
    const isTold = (sentence: string | RegExp) =>
      page.locator('form[action="/account/passkeys"]').getByRole('alert').getByText(sentence).waitFor();
    await addPasskey(page, '', 'wrong');
    await isTold('The current password is not right.');
    // Sent twice at once, it counts once.
    await page.evaluate(`[1, 2].forEach(() => document.querySelector('[data-passkey]').requestSubmit())`);
    await isTold('The current password is not right.');
    const failures = async () => (await service.events('sign_in_failed')).filter(({ userId }) => userId === user.id);
    assert.equal((await failures()).length, 2);
    for (let attempt = 2; attempt < 10; attempt++) {
      await Promise.all([
        page.waitForResponse(`${service.url}/account/passkeys/options`),
        addPasskey(page, '', 'wrong'),
      ]);
      await isTold('The current password is not right.');
    }
    await addPasskey(page, '', user.password);
    await isTold(/^That was tried too often\. Wait 1[45] minutes and try again\.$/);
    await look(page, 'security with an alert in a form');
    assert.equal(await passkeysOnDevice(), 0);
    service.clock.advance(15 * 60);
    await addPasskey(page, '', user.password);
    await reaches(page, 'Your recovery codes');
    assert.equal(await passkeysOnDevice(), 1);
  });
});

test('a passkey signs in alone, or after the password, and can be removed', async () => {
  const user = await service.newUser();
  await inBrowser(async (page) => {
    await addFingerprintReader(page);
    await signIn(page, user);
    await go(page, '/account/security');
    await page.locator('summary', { hasText: 'Add a passkey' }).click();
    await addPasskey(page, 'Laptop <1>', user.password);
    await reaches(page, 'Your recovery codes');
    const codes = await page.locator('.codes code').allTextContents();
    assert.equal(codes.length, 10);
    assert.match((await mail.next(user.email, /security of your account/)).text, /passkey was added/);
    await page.getByRole('link', { name: 'I have kept them' }).click();
    await page.getByRole('heading', { name: 'Laptop <1>' }).waitFor();
    await look(page, 'security with a passkey');
    await assertNoSecrets(await (await page.request.get(`${service.url}/account/data.json`)).text());
    await signOut(page);

    await go(page, '/sign-in');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL(`${service.url}/account`);
    assert.deepEqual(await amrOf(page), ['pop', 'user', 'mfa']);
    await go(page, '/account/activity');
    await page.getByText('Signed in with a passkey from Chrome on Linux', { exact: true }).waitFor();
    await page.getByText('Added the passkey “Laptop <1>”', { exact: true }).waitFor();
    await look(page, 'activity');

    const again = async () => {
      await endSession(page);
      await go(page, '/sign-in');
      await sendSignIn(page, user.email, user.password);
      await reaches(page, 'One more step');
    };
    await again();
    await look(page, 'second step with a passkey');
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL(`${service.url}/account`);
    assert.deepEqual(await amrOf(page), ['pwd', 'pop', 'mfa']);
    await again();
    await send(page, '/sign-in/second-step', { Code: codes[3] ?? '' }, 'Continue');
    await page.waitForURL(`${service.url}/account`);

    await go(page, '/account/security');
    await page.getByText('9 of your codes are left').waitFor();
    await page.locator('summary', { hasText: 'Remove Laptop <1>' }).click();
    await send(page, '/account/passkeys/remove', { 'Current password': user.password }, 'Remove');
    await says(page, 'status', 'The passkey is removed.');
    await endSession(page);
    await go(page, '/sign-in');
    // The device still offers it; the service does not know it any more.
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await says(page, 'alert', 'The passkey was not accepted.');
    await sendSignIn(page, user.email, user.password);
    await page.waitForURL(`${service.url}/account`);
  });
});

test('a person hears of new devices and signs them out, one or all', async () => {
  const user = await service.newUser();
  await inBrowser(async (page) => {
    await signIn(page, user);
    assert.match((await mail.next(user.email, /A new device has signed in/)).text, /from Chrome on Linux on /);
    await go(page, '/account/sessions');
    await page.getByText('You are signed in nowhere else.').waitFor();
    await inBrowser(
      async (elsewhere) => {
        await signIn(elsewhere, user);
        const letter = await mail.next(user.email, /A new device has signed in/);
        assert.match(letter.text, /from Firefox on Windows on .* from the address (127\.0\.0\.1|::1)/);
        await page.reload();
        await page.getByRole('heading', { name: 'Chrome on Linux' }).waitFor();
        await look(page, 'devices');
        await page.getByRole('button', { name: 'Sign out Firefox on Windows' }).click();
        await says(page, 'status', 'That device is signed out.');
        await elsewhere.reload();
        await reaches(elsewhere, 'Sign in');

        await signIn(elsewhere, user);
        await page.reload();
        await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
        await says(page, 'status', 'Your other devices are signed out.');
        await page.getByText('You are signed in nowhere else.').waitFor();
        await elsewhere.reload();
        await reaches(elsewhere, 'Sign in');
      },
      { userAgent: firefoxOnWindows },
    );
    await go(page, '/account/activity');
    await page.getByText('Signed in with a password from Firefox on Windows').first().waitFor();
    await page.getByText('Signed out other devices').first().waitFor();
  });
  const told = mail.received.filter(({ to, subject }) => to === user.email && /new device/.test(subject));
  assert.equal(told.length, 2, 'a browser is news the first time, and only then');
});

test('a person downloads everything that is kept, and deletes the account', async () => {
  const user = await service.newUser();
  await inBrowser(async (page) => {
    await signIn(page, user);
    const tokens = await tokensFor(page);
    await go(page, '/account/data');
    await look(page, 'data');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'latchkey-account.json');
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    const data = JSON.parse(text);
    const parts = ['account', 'second_factors', 'connected_apps', 'sessions', 'known_browsers', 'activity'];
    assert.deepEqual(Object.keys(data), ['made_at', ...parts]);
    assert.equal(data.account.email, user.email);
    assert.equal(data.account.id, user.id);
    assert.deepEqual(
      data.connected_apps.map((app: { name: string }) => app.name),
      ['Photo album'],
    );
    assert.equal(data.sessions[0].device, 'Chrome on Linux');
    assert.ok(data.activity.some((event: { kind: string }) => event.kind === 'signed_in'));
    await assertNoSecrets(text);
    for (const token of [tokens.access_token, tokens.refresh_token]) assert.equal(text.includes(token), false);

    await send(page, '/account/delete', { 'Current password': 'wrong' }, 'Delete my account');
    await says(page, 'alert', 'The current password is not right.');
    assert.equal((await userinfo(service, tokens.access_token)).status, 200);
    await send(page, '/account/delete', { 'Current password': user.password }, 'Delete my account');
    await reaches(page, 'Your account is deleted');
    await look(page, 'deleted');
    await mail.next(user.email, /Your account is deleted/);
    assert.equal((await userinfo(service, tokens.access_token)).status, 401);
    const refresh = await postForm(service, '/oauth/token', refreshParameters(client, tokens.refresh_token));
    assert.deepEqual([refresh.status, refresh.body.error], [400, 'invalid_grant']);
    await go(page, '/account');
    await reaches(page, 'Sign in');
    await sendSignIn(page, user.email, user.password);
    await says(page, 'alert', 'The e-mail address or the password is not right.');
  });
});

test('forms of an earlier session change nothing, in whichever tab or order they are sent', async () => {
  const user = await service.newUser();
  await inBrowser(async (page, context) => {
    await signIn(page, user);
    const tabs = [await context.newPage(), await context.newPage(), await context.newPage()] as const;
    const [signedOutTab, staleTab, securityTab] = tabs;
    await Promise.all([go(signedOutTab, '/account'), go(staleTab, '/account'), go(securityTab, '/account/security')]);
    await signOut(page);
    await send(signedOutTab, '/account', { Name: 'Somebody Else' }, 'Save');
    await reaches(signedOutTab, 'Sign in');
    await page.goBack();
    await reaches(page, 'Sign in');

    await sendSignIn(page, user.email, user.password);
    await page.waitForURL(`${service.url}/account`);
    await send(staleTab, '/account', { Name: 'Somebody Else' }, 'Save');
    await reaches(staleTab, 'This page is out of date');
    await staleTab.getByText('Nothing was changed.').waitFor();
    const values = { 'Current password': user.password, 'New password': anotherPassword };
    await send(securityTab, '/account/password', values, 'Change the password');
    await reaches(securityTab, 'This page is out of date');
    await go(staleTab, '/account');
    assert.equal(await staleTab.getByLabel('Name', { exact: true }).inputValue(), 'Grace Hopper');
    await signOut(staleTab);
    await signIn(page, user);
  });
});

test('everything but passkeys works without JavaScript', async () => {
  const email = 'mary@example.test';
  const options = { javaScriptEnabled: false };
  await inBrowser(async (page) => {
    await go(page, '/sign-in');
    assert.equal(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible(), false);
    await page.getByRole('button', { name: 'Create an account' }).click();
    await send(page, '/sign-up', { 'E-mail': email }, 'Send the link');
    await page.goto((await mail.next(email, /Finish your account/)).link);
    await send(page, '/sign-up/finish', { Name: 'Mary Jackson', Password: anotherPassword }, 'Create the account');
    await page.waitForURL(`${service.url}/account`);
    await send(page, '/account', { 'Given name': 'Mary' }, 'Save');
    await says(page, 'status', 'Your profile is saved.');
    const buffer = await smallPng(page);
    await page.getByLabel('Picture').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer });
    await page.getByRole('button', { name: 'Upload' }).click();
    await says(page, 'status', 'Your picture is changed.');

    await go(page, '/reset-password');
    await send(page, '/reset-password', { 'E-mail': email }, 'Send the link');
    await page.goto((await mail.next(email, /Reset your password/)).link);
    await send(page, '/reset-password/finish', { 'New password': 'another long phrase' }, 'Set the password');
    await reaches(page, 'Your password is changed');
    await signIn(page, { email, password: 'another long phrase' });

    await go(page, '/account/security');
    await page.locator('noscript .notice').waitFor();
    assert.equal(await page.locator('p[data-without-passkeys]').isVisible(), false, 'it is said once');
    assert.equal(await page.getByText('Add a passkey').first().isVisible(), false, 'nothing that does nothing');
    await page.getByRole('link', { name: 'Set up an app' }).click();
    const { key } = await setUpApp(page, 'another long phrase');
    await endSession(page);
    await go(page, '/sign-in');
    await sendSignIn(page, email, 'another long phrase');
    await send(page, '/sign-in/second-step', { Code: nextCodeFrom(key) }, 'Continue');
    await page.waitForURL(`${service.url}/account`);
  }, options);
});

test('a browser without passkeys is told so', async () => {
  const user = await service.newUser();
  await inBrowser(async (page) => {
    await page.addInitScript('delete PublicKeyCredential.parseCreationOptionsFromJSON');
    await signIn(page, user);
    await go(page, '/account/security');
    await page.getByText('Passkeys need JavaScript, and a browser that knows them.').waitFor();
    assert.equal(await page.getByText('Add a passkey').first().isVisible(), false);
  });
});

test('a mail that the server cannot take now comes later, and the page does not wait for it', async () => {
  const user = await service.newUser();
  await mail.stop();
  await inBrowser(async (page) => {
    await go(page, '/reset-password');
    await send(page, '/reset-password', { 'E-mail': user.email }, 'Send the link');
    await reaches(page, 'Look into your mailbox');
    await mail.startAgain();
    service.clock.advance(10);
    const { link } = await mail.next(user.email, /Reset your password/);
    await page.goto(link);
    await reaches(page, 'Choose a new password');
  });
});
