// Every notice of the console, in a real browser, after the action that it names.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { changeAllowed } from '../../src/operations/clients/access-list.ts';
import { rotateClientSecret } from '../../src/operations/clients/clients.ts';
import { changeMembers, createGroup } from '../../src/operations/groups/groups.ts';
import { workOnReviews } from '../../src/operations/reviews/review-work.ts';
import { rotateWebhookSecret } from '../../src/operations/webhooks/endpoints.ts';
import { consoleMessages } from '../../src/pages/messages/console.ts';
import { ask as askedFor } from '../harness/access-requests.ts';
import { png } from '../harness/account.ts';
import { newWaiting } from '../harness/approval.ts';
import { sharedBrowser } from '../harness/browser.ts';
import { allowLoopbackUpstreams, type DiscoveryServer, newLinkedUser, startDiscovery } from '../harness/discovery.ts';
import { type MailServer, startMailServer } from '../harness/mail-server.ts';
import { Person } from '../harness/person.ts';
import { authorizePath, newVerifier } from '../harness/relying-party.ts';
import { requester, startTestService, type TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import { allowLoopback, newWebhook, type Receiver, startReceiver } from '../harness/webhooks.ts';
import { anAuthenticator, anEvent } from '../storage/records.ts';
import { type Sent, sendForm, showAll } from './notice-pages.ts';

/** Those that follow from what a subject is called, and from what was done. */
const noticesOfRows = {
  'api-key-revoked': 'API key revoked.',
  'invitation-sent-again': 'Invitation sent again.',
  'invitation-withdrawn': 'Invitation withdrawn.',
  'group-deleted': 'Group deleted.',
  'attribute-created': 'Attribute created.',
  'attribute-deleted': 'Attribute deleted.',
  'scim-token-revoked': 'SCIM token revoked.',
  'sign-up-link-revoked': 'Sign-up link revoked.',
};

let mail: MailServer;
let service: TestService;
let provider: DiscoveryServer;
let receiver: Receiver;
let context: BrowserContext;
let page: Page;

before(async () => {
  context = await (await sharedBrowser()).newContext({ viewport: { width: 1280, height: 800 } });
  page = await context.newPage();
  mail = await startMailServer();
  service = await startTestService({
    LATCHKEY_SMTP_URL: mail.url,
    LATCHKEY_MAIL_FROM: 'Latchkey <latchkey@example.test>',
    ...allowLoopbackUpstreams,
    ...allowLoopback,
  });
  provider = await startDiscovery();
  receiver = await startReceiver();
});
after(async () => {
  await context?.close();
  await service?.stop();
  await provider?.stop();
  await receiver?.stop();
  await mail?.stop();
});

const send = (path: string, action: string, sent: Sent = {}) => sendForm(page, service.url + path, action, sent);

/** Sends the form of a page at its own path. */
const sendOwn = (path: string, sent: Sent = {}) => send(path, path, sent);

/** Ticks everyone who was found. */
async function pick(path: string, label: string): Promise<void> {
  await page.goto(service.url + path);
  const form = page.locator('form[data-picks]');
  for (const box of await form.locator('input[type=checkbox]').all()) await box.check();
  await form.getByRole('button', { name: label, exact: true }).click();
}

async function upload(path: string, action: string): Promise<void> {
  await page.goto(service.url + path);
  const form = page.locator(`form[action="${action}"]`).filter({ has: page.locator('input[type=file]') });
  await form.locator('input[type=file]').setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: png });
  await form.locator('button[type=submit]').first().click();
}

test('every notice of the console names what was done', async () => {
  const { services } = service.running;
  const administrator = await service.newUser({ admin: true });
  const { email, password } = administrator;
  await send('/sign-in', '/sign-in', { values: { email, password } });
  await page.waitForURL(`${service.url}/account`);
  const client = await service.newClient({
    redirectUris: ['https://photos.example/callback'],
    postLogoutRedirectUris: ['https://photos.example/bye'],
  });
  const application = `/admin/applications/${client.id}`;
  const user = await service.newUser();
  const person = `/admin/people/${user.id}`;
  const access = `${person}/access`;
  const security = `${person}/security`;
  const danger = `${person}/danger`;
  const newEmail = 'grace@example.test';
  const { webhook } = await newWebhook(service, { url: receiver.url, types: ['group.created'] });
  const hook = `/admin/webhooks/${webhook.id}`;
  const upstream = '/admin/providers/company';
  let group = '';
  let reviewed = '';
  let review = '';

  /** The notice offers to undo it. Where it can't be, it's the one that is named. */
  const removeFor = async (name: string, path: string, action: string, sent: Sent = {}) => {
    const redirected = page.waitForRequest((request) => request.url().includes('undo='));
    await send(path, action, sent);
    await page.getByRole('status').getByText(`${name} was removed from`).waitFor();
    const url = new URL((await redirected).url());
    await page.waitForURL(({ searchParams }) => !searchParams.has('undo'));
    url.searchParams.delete('undo');
    await page.goto(url.href);
  };

  /** Adds a URI from the event about a request that came with it. */
  const addUri = async (request: string, path: string) => {
    const { headers } = await new Person(service).visit(request);
    await send(`/admin/events?reference=${headers.get('x-request-id')}`, `${application}/${path}`);
  };

  await showAll(
    page,
    { ...consoleMessages.notices, ...noticesOfRows },
    {
      saved: () => send(`${application}/settings`, application, { values: { name: 'Photo album' } }),
      logo: () => upload(`${application}/settings`, `${application}/logo`),
      async 'secret-retired'() {
        await rotateClientSecret(services, client.id, requester);
        await sendOwn(`${application}/retire-secret`);
      },
      registered: () =>
        addUri(authorizePath(client, newVerifier(), { redirect_uri: 'https://photos.example/other' }), 'redirect-uris'),
      'post-logout-registered': () => {
        const uri = { client_id: client.id, post_logout_redirect_uri: 'https://photos.example/other' };
        return addUri(`/oauth/logout?${new URLSearchParams(uri)}`, 'post-logout-redirect-uris');
      },
      'access-listed': () => send(`${application}/access`, `${application}/access`, { values: { access: 'listed' } }),
      'access-allowed': () => pick(`${application}/access?find=${user.id}`, 'Allow 1 person'),
      'access-disallowed': () =>
        removeFor(user.record.name, `${application}/access`, `${application}/access/disallow`, { about: user.id }),
      'request-allowed': async () => {
        const { id } = await askedFor(service);
        await sendOwn(`/admin/access-requests/${id}/allow`);
      },
      'request-declined': async () => {
        const { id } = await askedFor(service);
        await sendOwn(`/admin/access-requests/${id}/decline`);
      },
      'claim-saved': () =>
        send(`${application}/claims/new?source=groups`, `${application}/claims`, { values: { claim: 'groups' } }),
      'claim-removed': () => send(`${application}/claims`, `${application}/claims/remove`),
      'access-everyone': () => sendOwn(`${application}/access`, { values: { access: 'everyone' } }),
      revoked: () => sendOwn(`${application}/revoke`),
      restored: () => send(`${application}/danger`, `${application}/restore`),
      'application-deleted': () => sendOwn(`${application}/delete`),

      'person-created': () =>
        send('/admin/people/new', '/admin/people', {
          values: { email: 'a@example.test', name: 'A', password_choice: 'set', password: 'a rather long phrase' },
        }),
      'link-sent': () => send('/admin/people/new', '/admin/people', { values: { email: 'b@example.test', name: 'B' } }),
      'person-unchanged': () => sendOwn(`${person}/edit`),
      'person-saved': () => sendOwn(`${person}/edit`, { values: { email: newEmail } }),
      async 'email-verified'() {
        const made = await service.newUser({ emailVerified: false });
        await send(`/admin/people/${made.id}`, `/admin/people/${made.id}/verify-email`);
      },
      'made-administrator': () => send(security, `${person}/make-administrator`),
      'roles-saved': () => send(security, `${person}/roles`),
      'administrator-removed': () => send(security, `${person}/remove-administrator`),
      'reset-sent': () => send(security, `${person}/send-reset`),
      async 'sessions-ended'() {
        await new Person(service).signIn({ ...user, email: newEmail });
        await send(security, `${person}/end-sessions`);
      },
      async 'factors-removed'() {
        const { storage, clock } = services;
        await storage.enableAuthenticator(user.id, anAuthenticator(), undefined, clock.now(), anEvent());
        await send(security, `${person}/remove-second-factors`);
      },
      disabled: () => send(danger, `${person}/disable`),
      enabled: () => send(danger, `${person}/enable`),
      async approved() {
        const { id } = await newWaiting(service);
        await send(`/admin/people/${id}`, '/admin/people/waiting', { button: 'approve' });
      },
      async declined() {
        const { id } = await newWaiting(service);
        await send(`/admin/people/${id}`, '/admin/people/waiting', { button: 'decline' });
      },
      async 'all-declined'() {
        for (let count = 0; count < 2; count++) await newWaiting(service);
        await page.goto(`${service.url}/admin/people/waiting`);
        await page.getByLabel('Select all').check();
        await page.getByRole('button', { name: 'Decline' }).click();
        await page.getByRole('button', { name: 'Decline and delete accounts' }).click();
      },
      'invitation-created': () =>
        send('/admin/people/invitations', '/admin/people/invite', { values: { email: 'c@example.test', name: 'C' } }),
      'invitation-sent-again': () => send('/admin/people/invitations', '/admin/people/invitations/resend'),
      'invitation-withdrawn': () => send('/admin/people/invitations', '/admin/people/invitations/withdraw'),

      async 'sign-up-link-revoked'() {
        await sendOwn('/admin/people/sign-up-links', { values: { uses: '3' } });
        await send('/admin/people/sign-up-links', '/admin/people/sign-up-links/revoke');
      },

      async 'group-created'() {
        await sendOwn('/admin/groups', { values: { name: 'Editors' } });
        await page.waitForURL(/\/admin\/groups\/[^/]+\?done/);
        group = new URL(page.url()).pathname;
      },
      'member-added': () => pick(`${group}?find=${user.id}`, 'Add 1 person'),
      async 'members-added'() {
        for (const name of ['Zora Abel', 'Zora Bell']) await service.newUser({ name });
        await pick(`${group}?find=zora`, 'Add 2 people');
      },
      async 'removal-undone'() {
        await send(group, `${group}/remove`, { about: user.id });
        await page.getByRole('button', { name: 'Undo', exact: true }).click();
      },
      'member-removed': () => removeFor(user.record.name, group, `${group}/remove`, { about: user.id }),
      'group-joined': () => send(access, `${person}/groups/add`, { values: { group: 'Editors' } }),
      'group-left': () => removeFor(user.record.name, access, `${person}/groups/remove`),
      async 'access-given'() {
        const { id } = await service.newClient({ name: 'Restricted', access: 'listed' });
        await send(access, `${person}/applications/allow`, { values: { application: id } });
      },
      'access-ended': () => removeFor(user.record.name, access, `${person}/applications/disallow`),
      'group-renamed': () => send(group, `${group}/rename`, { values: { name: 'Renamed' } }),
      'group-saved': () => send(group, `${group}/protect`, { values: { protected: 'yes' } }),
      'group-deleted': () => sendOwn(`${group}/delete`),
      'attribute-created': () =>
        sendOwn('/admin/settings/attributes', { values: { name: 'team', label: 'Team', kind: 'text' } }),
      'attributes-saved': () => send(person, `${person}/attributes`, { values: { 'attribute.team': 'Blue' } }),
      'attribute-saved': () => sendOwn('/admin/settings/attributes/team', { values: { label: 'Squad' } }),
      'attribute-deleted': () => sendOwn('/admin/settings/attributes/team/delete'),
      'person-deleted': () => sendOwn(`${person}/delete`),

      async 'api-key-revoked'() {
        await sendOwn('/admin/keys', { values: { name: 'backup' } });
        await send('/admin/keys', '/admin/keys/end');
      },
      async 'scim-token-revoked'() {
        await sendOwn('/admin/scim-tokens', { values: { source: 'entra', name: 'Entra ID' } });
        await page.goto(`${service.url}/admin/scim-tokens`);
        await page.getByRole('link', { name: 'Revoke Entra ID' }).click();
        await page.getByRole('button', { name: 'Revoke SCIM token' }).click();
      },
      settings: () => sendOwn('/admin/settings'),
      'checklist-hidden': () => send('/admin', '/admin/settings/first-steps'),

      async 'provider-added'() {
        const values = {
          issuer: provider.issuer,
          name: 'company',
          label: 'Company',
          client_id: 'ours',
          client_secret: 'hidden',
        };
        await send('/admin/providers/new?for=other', '/admin/providers', { values });
      },
      'provider-saved': () => sendOwn(upstream, { values: { label: 'Our company' } }),
      'provider-icon': () => upload(upstream, `${upstream}/icon`),
      async 'provider-refreshed'() {
        provider.announced = { ...provider.announced, token_endpoint: `${provider.issuer}/elsewhere` };
        await send(upstream, `${upstream}/look-up`);
        await page.locator(`form[action="${upstream}/refresh"] button`).click();
      },
      async 'identity-unlinked'() {
        const found = await services.storage.findUpstream('company');
        assert.ok(found);
        const { id } = await newLinkedUser(service, found);
        await send(`/admin/people/${id}/security`, `/admin/people/${id}/unlink`);
      },
      'provider-disabled': () => send(upstream, `${upstream}/disable`),
      'provider-enabled': () => send(upstream, `${upstream}/enable`),
      'provider-deleted': () => sendOwn(`${upstream}/delete`),

      'webhook-tested': () => send(hook, `${hook}/test`),
      async 'webhook-resent'() {
        while ((await page.getByText('HTTP 204').count()) === 0) await page.reload();
        await send(hook, `${hook}/resend`);
      },
      'webhook-saved': () => sendOwn(`${hook}/settings`, { values: { description: 'Audit' } }),
      async 'webhook-secret-retired'() {
        await rotateWebhookSecret(services, webhook.id, requester);
        await send(`${hook}/settings`, `${hook}/retire-secret`);
      },
      'webhook-disabled': () => send(`${hook}/settings`, `${hook}/disable`),
      'webhook-enabled': () => send(hook, `${hook}/enable`),
      'webhook-deleted': () => send(`${hook}/settings`, `${hook}/delete`),
      async 'review-created'() {
        const guest = await service.newUser();
        reviewed = (await service.newClient({ name: 'Reviewed', access: 'listed' })).id;
        await changeAllowed(services, reviewed, 'allow', { people: [guest.id], groups: [] }, requester);
        const made = await createGroup(services, { name: 'Reviewed group' }, requester);
        const team = made.kind === 'done' ? made.group.id : '';
        await changeMembers(services, { id: team }, { add: [{ id: guest.id }], expiresAt: null }, requester);
        await changeAllowed(services, reviewed, 'allow', { people: [], groups: [team] }, requester);
        await send('/admin/reviews', '/admin/reviews', {
          values: { name: 'All access', due_at: '2099-01-31', applications: reviewed },
        });
        review = new URL(page.url()).pathname;
        await until(async () => {
          await workOnReviews(services, 'test');
          return (await services.storage.findAccessReview(review.split('/').at(-1) ?? ''))?.status === 'open';
        }, 'the review is open');
      },
      'review-due': () => send(review, `${review}/due`, { values: { due_at: '2099-02-28' } }),
      async 'review-decided'() {
        await page.goto(new URL(review, service.url).href);
        await page.locator('input[name="item0"]').check();
        await page.getByRole('button', { name: 'Remove selected' }).click();
      },
      'review-closed': () => send(review, `${review}/close`),
      'review-member': () => send(review, `${review}/end`),
      'review-deleted': () => send(review, `${review}/delete`),
    },
  );
});
