// The brand: set in the console, by the API and on the command line, and shown on every page.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { authenticatorIssuer } from '../../src/operations/second-factors/authenticator-secret.ts';
import { changeSettings } from '../../src/operations/settings/change-settings.ts';
import { chunk, placedPng, png, signedIn } from '../harness/account.ts';
import { Api, newKey } from '../harness/api.ts';
import { alertOn, noticeOn, send, visit } from '../harness/console.ts';
import { type Person, readForm } from '../harness/person.ts';
import { requester, type TestService } from '../harness/service.ts';
import { startTwoInstances, type TwoInstances } from '../harness/two-instances.ts';
import { until } from '../harness/until.ts';

const path = '/admin/settings/branding';
const svg = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

/** Another image: the same pixel with a gamma, which is kept. */
const otherPng = Buffer.concat([png.subarray(0, 33), chunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f])), png.subarray(33)]);

let both: TwoInstances;
let service: TestService;
let admin: Person;

before(async () => {
  both = await startTwoInstances();
  service = both.one;
  admin = await signedIn(service, await service.newUser({ admin: true }));
});
after(() => both?.stop());

async function uploadImage(image: string, fields: Record<string, string | Buffer>): Promise<Response> {
  const form = readForm((await visit(admin, path)).page, `${path}/${image}`);
  const body = new FormData();
  for (const [name, value] of Object.entries({ ...form?.fields, ...fields })) {
    if (typeof value === 'string') body.set(name, value);
    else body.set(name, new Blob([new Uint8Array(value)], { type: 'image/png' }), 'image.png');
  }
  return admin.request(`${path}/${image}`, { method: 'POST', body, headers: { Origin: issuer() } });
}

/** The base URL, which is that of no single instance. */
const issuer = () => service.running.services.issuer;
const imageOn = (page: string, image: string) => new RegExp(`/brand/${image}/[\\w-]{16}`).exec(page)?.[0];

describe('brand images', () => {
  test('one is uploaded in the console, served without metadata, replaced and removed, each with an event', async () => {
    const events = async () => (await service.events('settings_changed')).length;
    const before = await events();
    assert.equal((await uploadImage('logo', { image: placedPng })).status, 303);
    const { page } = await visit(admin, `${path}?done=settings`);
    assert.match(noticeOn(page) ?? '', /^Settings saved/);
    const url = imageOn(page, 'logo');
    assert.ok(url);
    const image = await fetch(service.url + url);
    assert.deepEqual(Buffer.from(await image.arrayBuffer()), png, 'the place is gone');
    assert.equal(image.headers.get('content-type'), 'image/png');
    assert.equal(image.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(image.headers.get('content-security-policy'), "default-src 'none'; sandbox");
    assert.equal(image.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(image.headers.get('content-disposition'), 'inline');
    assert.equal(await events(), before + 1);
    assert.deepEqual((await service.events('settings_changed')).at(-1)?.detail?.changed, ['logo']);

    await uploadImage('logo', { image: placedPng });
    assert.equal(await events(), before + 1, 'the same image makes no event');
    assert.equal((await uploadImage('logo', { remove: 'yes' })).status, 303);
    assert.equal(imageOn((await visit(admin, path)).page, 'logo'), undefined);
    assert.equal((await fetch(service.url + url)).status, 404);
    assert.equal(await events(), before + 2);
  });

  for (const [name, bytes, status, problem] of [
    ['an SVG', Buffer.from(svg), 400, /SVG is not accepted, because it can contain scripts/],
    ['a page', Buffer.from('<html>'), 400, /^The logo is not a PNG, JPEG or WebP image\.$/],
    ['a damaged image', png.subarray(0, 20), 400, /^The logo is damaged\.$/],
    ['an image that is too large', Buffer.concat([png, Buffer.alloc(600 * 1024)]), 413, /larger than 512 KB/],
    ['none', Buffer.alloc(0), 400, /^Choose an image first/],
  ] as const) {
    test(`${name} is refused`, async () => {
      const response = await uploadImage('logo', { image: bytes });
      assert.equal(response.status, status);
      assert.match(alertOn(await response.text()) ?? '', problem);
    });
  }

  test('an invalid path is not found', async () => {
    for (const wrong of [
      '/brand/logo/AAAAAAAAAAAAAAAA',
      '/brand/theme/AAAAAAAAAAAAAAAA',
      '/brand/logo',
      '/brand.css',
    ]) {
      assert.equal((await fetch(service.url + wrong)).status, 404, wrong);
    }
  });

  test('the API sets and removes them, and returns their URLs', async () => {
    const api = await Api.of(service);
    const key = await newKey(service, 'administrator');
    const image = { params: { image: 'favicon' } };
    const set = await api.call('setBrandImage', key, { ...image, raw: { type: 'image/png', bytes: png } });
    assert.equal(set.status, 200);
    const { favicon } = set.data as unknown as { favicon: string };
    assert.ok(favicon.startsWith(`${issuer()}/brand/favicon/`));
    assert.equal((await fetch(favicon.replace(issuer(), service.url))).status, 200);
    assert.match(String((await service.events('settings_changed')).at(-1)?.detail?.by), /^api_key /);
    const refused = await api.call('setBrandImage', key, {
      ...image,
      raw: { type: 'image/png', bytes: Buffer.from(svg) },
    });
    assert.equal(refused.status, 400);
    const other = await api.call('setBrandImage', key, { ...image, raw: { type: 'image/svg+xml', bytes: svg } });
    assert.equal(other.status, 400);
    assert.equal((await api.call('removeBrandImage', key, image)).status, 200);
    assert.equal((await fetch(favicon.replace(issuer(), service.url))).status, 404);
  });

  test('only administrators can change them', async () => {
    const person = await signedIn(service, await service.newUser());
    const response = await person.request(`${path}/logo`, {
      method: 'POST',
      body: new FormData(),
      headers: { Origin: issuer() },
    });
    assert.equal(response.status, 403);
  });
});

describe('the brand shows', () => {
  const settings = {
    service_name: 'Acme <ID>',
    accent: '#c2410c',
    sign_in_message: 'For everyone at Acme & friends.',
    support_url: 'mailto:help@acme.example',
    terms_url: 'https://acme.example/terms',
    privacy_url: 'https://acme.example/privacy',
  };
  const pageOf = async (url: string, from = service) => (await fetch(from.url + url)).text();

  before(async () => {
    const saved = await send(admin, path, path, settings);
    assert.equal(saved.status, 200, alertOn(saved.page) ?? '');
    for (const image of ['logo', 'favicon']) assert.equal((await uploadImage(image, { image: png })).status, 303);
    assert.equal((await uploadImage('logo_dark', { image: otherPng })).status, 303);
  });
  after(async () => {
    const { services } = service.running;
    for (const image of ['logo', 'logo_dark', 'favicon'] as const) {
      await changeSettings(services, { [image]: null }, requester);
    }
    const initial = { service_name: 'Latchkey', accent: '', sign_in_message: '' };
    await changeSettings(services, { ...initial, support_url: '', terms_url: '', privacy_url: '' }, requester);
  });

  test('on every page: title, logo for light and dark, favicon, colors and links', async () => {
    const error = await pageOf('/oauth-authorize?client_id=nobody');
    for (const page of [
      await pageOf('/sign-in'),
      await pageOf('/reset-password'),
      error,
      await pageOf('/nothing-here'),
      (await visit(admin, '/account')).page,
      (await visit(admin, '/admin')).page,
    ]) {
      assert.match(page, /<title>[^<]* · Acme &lt;ID&gt;<\/title>/);
      assert.match(page, /<source srcset="\/brand\/logo_dark\/[\w-]+" media="\(prefers-color-scheme: dark\)">/);
      assert.match(page, /<img class="brand-logo" src="\/brand\/logo\/[\w-]+" alt="Acme &lt;ID&gt;">/);
      assert.match(page, /<link rel="icon" href="\/brand\/favicon\/[\w-]+">/);
      assert.match(page, /<a href="mailto:help@acme\.example" rel="noopener noreferrer">Help<\/a>/);
      assert.match(page, /<a href="https:\/\/acme\.example\/terms" rel="noopener noreferrer">Terms of service<\/a>/);
      assert.match(page, /<a href="https:\/\/acme\.example\/privacy" rel="noopener noreferrer">Privacy policy<\/a>/);
      assert.doesNotMatch(page, /Latchkey/);
    }
  });

  test('in a separate stylesheet that only sets colors', async () => {
    const href = /<link rel="stylesheet" href="(\/brand\.[^"]+)">/.exec(await pageOf('/sign-in'))?.[1] ?? '';
    assert.match(href, /^\/brand\.c2410c\.[\w-]{12}\.css$/);
    for (const from of [both.one, both.two]) {
      const css = await fetch(from.url + href);
      assert.equal(css.headers.get('content-type'), 'text/css; charset=utf-8');
      assert.equal(css.headers.get('cache-control'), 'public, max-age=31536000, immutable');
      assert.match(await css.text(), /^:root \{\n {2}--accent: light-dark\(#c2410c, #[0-9a-f]{6}\);\n/);
    }
  });

  test('as a message on the sign-in page', async () => {
    assert.match(await pageOf('/sign-in'), /<p class="service-message">For everyone at Acme &amp; friends\.<\/p>/);
    assert.doesNotMatch(await pageOf('/reset-password'), /For everyone/);
  });

  test('when people sign out', async () => {
    const person = await signedIn(service, await service.newUser());
    assert.match(await (await person.visit('/oauth/logout')).text(), /Sign out of Acme &lt;ID&gt;\?/);
  });

  test('in emails: subject, logo, signature, links and button color', async () => {
    const user = await service.newUser();
    const email = service.running.services.emailsFor('en').resetPassword({
      to: user.email,
      url: 'https://x.example',
    });
    assert.match(email.subject, / · Acme <ID>$/);
    assert.match(email.text, /\nAcme <ID>, http/);
    assert.match(email.html, /background:#c2410c;color:#ffffff/);
    const logo = /<img src="([^"]+)" alt="Acme &lt;ID&gt;" height="32"/.exec(email.html)?.[1] ?? '';
    assert.ok(logo.startsWith(`${issuer()}/brand/logo/`), email.html);
    for (const [label, url] of [
      ['Help', 'mailto:help@acme.example'],
      ['Terms of service', 'https://acme.example/terms'],
      ['Privacy policy', 'https://acme.example/privacy'],
    ] as const) {
      assert.ok(email.text.includes(`\n\n${label}\n${url.replace('mailto:', '')}\n`), email.text);
      assert.match(email.html, new RegExp(`<a class="quiet" href="${url}"[^>]*>${label}</a>`));
    }
    assert.doesNotMatch(email.subject + email.text + email.html, /Latchkey/);
  });

  test('until it is emptied on the settings page', async () => {
    const emptied = await send(admin, path, path, { ...settings, sign_in_message: '' });
    assert.equal(emptied.status, 200);
    assert.doesNotMatch(await pageOf('/sign-in'), /service-message/);
    await send(admin, path, path, settings);
    const refused = await send(admin, path, path, { ...settings, service_name: '' });
    assert.deepEqual(
      [refused.status, alertOn(refused.page)],
      [400, 'Service name must be 1 to 60 visible characters.'],
    );
  });

  test('never with invalid values: each is reported at its field', async () => {
    const wrong = { ...settings, accent: 'red', support_url: 'javascript:alert(1)', terms_url: 'nowhere' };
    const { status, page } = await send(admin, path, path, wrong);
    assert.equal(status, 400);
    const told = [...page.matchAll(/<p class="field-problem" role="alert" id="(\w+)-problem">([^<]*)</g)];
    assert.deepEqual(
      told.map(([, name, text = '']) => [name, /^(Accent color|Support link|Terms of service link) /.test(text)]),
      [
        ['accent', true],
        ['support_url', true],
        ['terms_url', true],
      ],
    );
    assert.match(page, /id="accent"[^>]* value="red"/, 'what was typed stays');
  });

  test('in the color that was picked, unless another one was typed', async () => {
    const accentAfter = async (typed: string) => {
      await send(admin, path, path, { ...settings, accent: typed, accent_picker: '#0f766e' });
      return /id="accent"[^>]* value="([^"]*)"/.exec((await visit(admin, path)).page)?.[1];
    };
    assert.match((await visit(admin, path)).page, /<input type="color" name="accent_picker" value="#c2410c"/);
    assert.equal(await accentAfter('#c2410c'), '#0f766e');
    assert.equal(await accentAfter('#c2410c'), '#c2410c');
    assert.equal(await accentAfter(''), '');
    await send(admin, path, path, settings);
  });

  test('in authenticator apps and passkeys', async () => {
    const { services } = service.running;
    const options = (await services.webauthn.creationOptions(
      { id: 'a', email: 'a@b.example', name: 'A' },
      'AAAA',
      [],
    )) as { rp: { name: string } };
    assert.equal(options.rp.name, 'Acme <ID>');
    assert.equal(authenticatorIssuer(services), `Acme <ID> (${new URL(services.issuer).hostname})`);
  });

  test('on every instance within five seconds', async () => {
    await until(async () => {
      // The clock of a test stands still, and the settings are read again when it has moved.
      both.two.clock.advance(3);
      return (await pageOf('/sign-in', both.two)).includes('Acme &lt;ID&gt;');
    }, 'the brand is known on the other instance');
  });
});

test('with a name and no logo, its first letter is shown beside it and as the favicon', async () => {
  const { services } = service.running;
  await changeSettings(services, { service_name: 'ärzte & <Co>', accent: '#c2410c' }, requester);
  try {
    const page = await (await fetch(`${service.url}/sign-in`)).text();
    assert.match(page, /<span class="monogram" aria-hidden="true">Ä<\/span><span>ärzte &amp; &lt;Co&gt;<\/span>/);
    assert.doesNotMatch(page, /class="mark"|\/assets\/icon\./);
    const path = /<link rel="icon" href="(\/brand\.c2410c\.c384\.[\w-]{12}\.svg)">/.exec(page)?.[1] ?? '';
    for (const from of [both.one, both.two]) {
      const favicon = await fetch(from.url + path);
      assert.equal(favicon.headers.get('content-type'), 'image/svg+xml');
      assert.equal(favicon.headers.get('content-security-policy'), "default-src 'none'");
      assert.match(await favicon.text(), /<rect [^>]*fill="#c2410c"\/><text [^>]*fill="#ffffff">Ä<\/text>/);
    }
    assert.equal((await fetch(service.url + path.replace('c384', 'c385'))).status, 404);
  } finally {
    await changeSettings(services, { service_name: 'Latchkey', accent: '' }, requester);
  }
});

test('without a brand, emails have no logo and no footer links', async () => {
  const email = service.running.services.emailsFor('en').accountDeleted({ to: 'a@b.example' });
  assert.doesNotMatch(email.html, /<img|<a /);
  assert.match(email.text, /\nLatchkey, http\S+\n$/);
});

test("without a brand, pages have the product's name and mark, and no extra stylesheet", async () => {
  const page = await (await fetch(`${service.url}/sign-in`)).text();
  assert.match(page, /<title>Sign in · Latchkey<\/title>/);
  assert.match(page, /<a class="brand" href="\/account"><svg class="mark"/);
  assert.match(page, /<link rel="icon" href="\/assets\/icon\.\w+\.svg"/);
  assert.doesNotMatch(page, /\/brand\.|\/brand\/|Terms of service|Privacy policy|service-message/);
});
