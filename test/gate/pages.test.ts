// The gate's own pages: what they say in every language, what they offer, and what hostile hosts, accounts and paths can't do.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { GatePage, RenderedPage } from '../../src/gate/pages/page.ts';
import { gatePage, textsIn } from '../../src/gate/pages/render.ts';
import { style } from '../../src/gate/pages/style.ts';
import { languages, messagesIn } from '../../src/pages/languages/languages.ts';
import { languageTags } from '../../src/protocol/languages.ts';
import { root } from '../harness/command.ts';
import { gatePages } from '../harness/gate-pages.ts';

const kinds = Object.keys(gatePages) as GatePage['kind'][];
const issuer = 'https://id.example';
const rendered = (page: GatePage, language?: string): RenderedPage =>
  gatePage(page, language, { formActions: [issuer] });

/** Where the page leads, by what is written on it. */
function actionsOf(html: string): [string, string][] {
  const links = [...html.matchAll(/<a class="[^"]+" href="([^"]*)">([^<]*)<\/a>/g)];
  const forms = [
    ...html.matchAll(/<form method="post" action="([^"]*)"><button class="[^"]+">([^<]*)<\/button><\/form>/g),
  ];
  assert.equal(links.length + forms.length, html.match(/<(?:a|form)\b/g)?.length ?? 0);
  return [...forms, ...links].map(([, path = '', label = '']) => [label, path]);
}

const retry: [string, string] = ['Try again', '/gate/sign-in?to=%2Fwiki%3Fa%3D1%26b'];
const answers: Record<GatePage['kind'], { status: number; title: string; actions: [string, string][] }> = {
  forbidden: {
    status: 403,
    title: 'This account can&#39;t open this page',
    actions: [
      ['Use another account', '/gate/sign-in?to=%2Fwiki%3Fa%3D1%26b&amp;account=other'],
      ['Sign out', '/gate/sign-out'],
    ],
  },
  unknown_host: { status: 403, title: 'No application is set up here', actions: [] },
  insecure: { status: 403, title: 'Open this page with https', actions: [] },
  no_cookie: { status: 400, title: 'The sign-in cookie is missing', actions: [retry] },
  sign_in_failed: { status: 400, title: 'Couldn&#39;t sign you in', actions: [retry] },
  canceled: { status: 403, title: 'Sign-in was canceled', actions: [retry] },
  unavailable: { status: 503, title: 'Sign-in isn&#39;t available right now', actions: [retry] },
  signed_in: {
    status: 200,
    title: 'You&#39;re signed in',
    actions: [
      ['Continue', '/wiki?a=1&amp;b'],
      ['Sign out', '/gate/sign-out'],
    ],
  },
  sign_out: {
    status: 200,
    title: 'Sign out?',
    actions: [
      ['Sign out', '/gate/sign-out'],
      ['Cancel', '/'],
    ],
  },
  signed_out: { status: 200, title: 'You&#39;re signed out', actions: [['Sign in', '/gate/sign-in?to=%2F']] },
  not_found: { status: 404, title: 'Page not found', actions: [] },
};

for (const kind of kinds) {
  test(`${kind}: its status, its title and where it leads`, () => {
    const page = gatePages[kind];
    const { status, html } = rendered(page);
    const expected = answers[kind];
    assert.equal(status, expected.status);
    assert.ok(html.includes(`<title>${expected.title}</title>`));
    assert.ok(html.includes(`<h1>${expected.title}</h1>`));
    assert.deepEqual(actionsOf(html), expected.actions);
    if ('account' in page) assert.ok(html.includes(`<span>Signed in as</span> <bdi>${page.account}</bdi>`));
    if ('host' in page) assert.ok(html.includes(`<bdi>${page.host}</bdi>`));
  });
}

test('administrators read what to do about an unknown host and a proxy that hides https', () => {
  assert.match(rendered(gatePages.unknown_host).html, /add this host to the configuration file of <code/);
  assert.match(rendered(gatePages.insecure).html, /<code dir="ltr">X-Forwarded-Proto: https<\/code>/);
});

test('the style is allowed by its digest, and nothing else is loaded, framed or run', () => {
  for (const kind of kinds) {
    const { html, headers } = rendered(gatePages[kind]);
    const [, inline = ''] = /<style>([\s\S]*)<\/style>/.exec(html) ?? [];
    const formAction = kind === 'sign_out' ? `'self' ${issuer}` : "'none'";
    assert.equal(
      headers['Content-Security-Policy'],
      `default-src 'none'; style-src 'sha256-${hash('sha256', inline, 'base64')}'; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`,
    );
    assert.doesNotMatch(html, /<script|<link|<img|\ssrc=|\sstyle=|\son\w+=/);
  }
});

test('pages are never cached, and say when to try again only where that helps', () => {
  for (const kind of kinds) {
    const { 'Content-Security-Policy': _, ...headers } = rendered(gatePages[kind]).headers;
    assert.deepEqual(headers, {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'same-origin',
      Vary: 'Accept-Language',
      ...(kind === 'unavailable' && { 'Retry-After': '5' }),
    });
  }
});

const wishes: [string | undefined, string][] = [
  [undefined, 'en'],
  ['', 'en'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['sv, pt;q=0.5, fr;q=0.7', 'fr'],
  ['zh-TW', 'en'],
  ['"><script>', 'en'],
];
for (const [header, language] of wishes) {
  test(`Accept-Language ${header} gets ${language}`, () => {
    assert.match(rendered(gatePages.not_found, header).html, new RegExp(`^<!doctype html>\n<html lang="${language}" `));
  });
}

for (const tag of languageTags) {
  const texts = textsIn[tag];

  test(`${languages[tag].name}: every page is in the language and its direction`, () => {
    for (const kind of kinds) {
      const { html, status } = rendered(gatePages[kind], tag);
      assert.ok(html.includes(`<html lang="${tag}" dir="${languages[tag].direction}">`));
      assert.ok(html.includes(`<h1>${texts.titles[kind].replaceAll("'", '&#39;')}</h1>`), kind);
      assert.equal(status, answers[kind].status);
      assert.doesNotMatch(html.replace(style, ''), /undefined|`|\[object/, kind);
    }
  });

  test(`${languages[tag].name} uses the words of Latchkey's own pages`, () => {
    const { signIn, account, signOut, signedOut, errors } = messagesIn(tag);
    assert.deepEqual(
      [texts.signedInAs, texts.actions.signIn, texts.actions.signOut, texts.actions.otherAccount],
      [account.signedInAs.replace(/:$/, ''), signIn.submit, account.signOut, account.secondStep.other],
    );
    assert.deepEqual([texts.actions.continue, texts.actions.cancel], [account.proof.goOn, account.proof.cancel]);
    assert.deepEqual([texts.texts.sign_out, texts.titles.signed_out], [signOut.text, signedOut.title]);
    assert.deepEqual([texts.titles.not_found, texts.texts.not_found], [errors.notFound.title, errors.notFound.text]);
  });
}

/** What a language says, by where. */
function sayings(value: object, path = ''): [string, string][] {
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === 'string' ? [[`${path}${name}`, member] as [string, string]] : sayings(member, `${path}${name}.`),
  );
}

const codeIn = (text: string) => text.match(/`[^`]+`/g)?.sort() ?? [];

test('no language says anything in English, and code is the same in all of them', () => {
  const english = new Map(sayings(textsIn.en));
  for (const tag of languageTags) {
    for (const [path, text] of sayings(textsIn[tag])) {
      assert.notEqual(text.trim(), '', `${tag}: ${path}`);
      assert.deepEqual(codeIn(text), codeIn(english.get(path) ?? ''), `${tag}: ${path}`);
      if (tag !== 'en') assert.notEqual(text, english.get(path), `${tag}: ${path}`);
    }
  }
});

test("the colors are those of Latchkey's own pages", () => {
  const tokens = readFileSync(join(root, 'src/pages/assets/tokens.css'), 'utf8');
  const own = style.match(/--[\w-]+: .*;/g) ?? [];
  assert.equal(own.length, 13);
  for (const token of own) assert.ok(tokens.includes(`  ${token}\n`), token);
});

const hostileNames: [string, string][] = [
  ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
  [`"'><img src=x onerror=alert(1)>&amp;`, '&quot;&#39;&gt;&lt;img src=x onerror=alert(1)&gt;&amp;amp;'],
  ['</bdi></main>`', '&lt;/bdi&gt;&lt;/main&gt;`'],
  // Another direction, nothing visible, a line break, half a character.
  ['ada\u202egnp.exe', 'ada\ufffdgnp.exe'],
  ['a\u200bda@\u2066example\u00ad.com\ufeff', 'a\ufffdda@\ufffdexample\ufffd.com\ufffd'],
  ['ada\r\nSet-Cookie: a\u0000\u009b', 'ada\ufffd\ufffdSet-Cookie: a\ufffd\ufffd'],
  ['ada\ud800', 'ada\ufffd'],
  ['x'.repeat(319) + '\u{1f511}'.repeat(9_000), `${'x'.repeat(319)}\ufffd…`],
  ['عادا لوفلايس', 'عادا لوفلايس'],
];
for (const [name, shown] of hostileNames) {
  test(`a host or an account ${JSON.stringify(name.slice(0, 40))} is text, and shows all of itself`, () => {
    for (const tag of ['en', 'ar']) {
      const pages: GatePage[] = [
        { ...gatePages.forbidden, account: name },
        { ...gatePages.signed_in, account: name },
        { ...gatePages.sign_out, account: name },
        { ...gatePages.unknown_host, host: name },
        { ...gatePages.insecure, host: name },
      ];
      for (const page of pages) {
        const { html, headers } = rendered(page, tag);
        const honest = rendered(gatePages[page.kind], tag);
        assert.equal(html.replace(/<bdi>.*<\/bdi>/, ''), honest.html.replace(/<bdi>.*<\/bdi>/, ''));
        assert.ok(html.includes(`<bdi>${shown}</bdi>`), html.slice(-800));
        assert.deepEqual(headers, honest.headers);
      }
    }
  });
}

const paths: [string, string][] = [
  ['/a?b="><script>', '/a?b=&quot;&gt;&lt;script&gt;'],
  ['/a//b', '/a//b'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['\t//evil.example', '/'],
  ['https://evil.example/', '/'],
  ['javascript:alert(1)', '/'],
  ['wiki', '/'],
  ['', '/'],
];
for (const [path, target] of paths) {
  test(`a link to ${JSON.stringify(path)} stays on the host`, () => {
    const targets = (page: GatePage) => actionsOf(rendered(page).html).map(([, href]) => href);
    assert.deepEqual(targets({ ...gatePages.forbidden, otherAccount: path, signOut: path }), [target, target]);
    assert.deepEqual(targets({ ...gatePages.signed_in, to: path, signOut: path }), [target, target]);
    assert.deepEqual(targets({ ...gatePages.signed_out, signIn: path }), [target]);
    assert.deepEqual(targets({ ...gatePages.sign_out, action: path }), [target, '/']);
    for (const kind of ['no_cookie', 'sign_in_failed', 'canceled', 'unavailable'] as const) {
      assert.deepEqual(targets({ ...gatePages[kind], retry: path }), [target]);
    }
  });
}
