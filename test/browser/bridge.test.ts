// A browser on its way over the bridge: Latchkey's forms lead there and no further, and people still reach the application.

import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before } from 'node:test';
import { authorizePath, startTestBridge, type TestBridge } from '../harness/bridge.ts';
import { sharedBrowser } from '../harness/browser.ts';
import { releaseTest } from '../harness/lane.ts';
import { newVerifier } from '../harness/relying-party.ts';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
let bridge: TestBridge;
let application: Server;
/** Another site than the bridge and Latchkey. */
let origin: string;
/** The body of the application's latest request. */
let posted = new URLSearchParams();

before(async () => {
  application = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    posted = new URLSearchParams(body);
    response.end('the application');
  });
  await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve));
  origin = `http://localhost:${(application.address() as AddressInfo).port}`;
  service = await startTestService();
  bridge = await startTestBridge(service, {
    application: { redirectUris: [`${origin}/callback`], postLogoutRedirectUris: [`${origin}/bye`] },
  });
});
after(async () => {
  await bridge?.stop();
  await service?.stop();
  application?.close();
});

releaseTest('people reach the application from every form of Latchkey, in Chrome, too', async () => {
  const user = await service.newUser();
  const context = await (await sharedBrowser()).newContext();
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (/Content Security Policy|Refused to/i.test(message.text())) complaints.push(message.text());
  });
  const page = await context.newPage();
  const start = (changes = {}) => {
    const asked = { redirect_uri: `${origin}/callback`, ...changes };
    return page.goto(bridge.url + authorizePath(bridge.application, newVerifier(), asked));
  };
  const query = () => new URL(page.url()).searchParams;
  try {
    await start();
    await page.fill('input[name=email]', user.email);
    await page.fill('input[name=password]', user.password);
    await page.click('button[type=submit]');
    await page.click('button[value=cancel]');
    await page.waitForURL(`${origin}/callback?*`);
    assert.deepEqual([query().get('error'), query().get('iss')], ['access_denied', bridge.url]);

    await start();
    await page.click('button[value=approve]');
    await page.waitForURL(`${origin}/callback?*`);
    assert.ok(query().has('code'));
    assert.equal(await page.evaluate('document.referrer'), '', 'the URL of the callback stays there');

    await start({ response_mode: 'form_post', state: '<"&' });
    await page.waitForURL(`${origin}/callback`);
    assert.ok(posted.has('code'));
    assert.deepEqual([posted.get('state'), posted.get('iss')], ['<"&', bridge.url]);

    // With consent given, the form that signs people in is the last one.
    await context.clearCookies();
    await start();
    await page.fill('input[name=email]', user.email);
    await page.fill('input[name=password]', user.password);
    await page.click('button[type=submit]');
    await page.waitForURL(`${origin}/callback?*code=*`);

    const leave = new URLSearchParams({
      client_id: bridge.application.clientId,
      post_logout_redirect_uri: `${origin}/bye`,
      state: '<"&',
    });
    await page.goto(`${bridge.url}/sign-out?${leave}`);
    await page.click('button:has-text("Sign out")');
    await page.waitForURL(`${origin}/bye?*`);
    assert.equal(query().get('state'), '<"&');
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
});
