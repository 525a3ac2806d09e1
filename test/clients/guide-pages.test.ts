// What the client guides have in common: each is found, tells the same things, and names the versions that are tested.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { root } from '../harness/command.ts';
import { filesIn } from './guide-program.ts';

const folder = join(root, 'docs/clients');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const pages = readdirSync(folder).filter((name) => !['README.md', 'compatibility.md'].includes(name));
/** About software that was read, not run: their pages say so. */
const readOnly = ['gitea.md', 'grafana.md', 'immich.md', 'open-webui.md', 'portainer.md', 'tinyauth.md'];
const guides = pages.filter((name) => !readOnly.includes(name));
const tests = ['guides.test.ts', 'guides-debian.test.ts', 'compatibility/guides.ts'].map((name) =>
  readFileSync(join(root, 'test/clients', name), 'utf8'),
);
/** Those that bring their own pages have a test of their own, which `npm run compatibility` runs. */
const ofTheirOwn = ['directus.md', 'node-red.md'];
const ownTest = (guide: string) => join(root, 'test/clients/compatibility', guide.replace('.md', '.ts'));
/** What is installed for the tests, and for `npm run compatibility`. */
const folders = ['libraries', 'directus', 'actual-budget', 'meshcentral'].map(
  (name) => `test/clients/compatibility/${name}`,
);
const packages = ['.', ...folders].map(
  (place) => JSON.parse(readFileSync(join(root, place, 'package.json'), 'utf8')) as Packages,
);
interface Packages {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

test('every promised library has a guide', () => {
  assert.deepEqual(guides.sort(), [
    ...['authjs.md', 'authlib.md', 'better-auth.md', 'directus.md', 'express-openid-connect.md', 'fetch.md'],
    ...['go-oidc.md', 'mod-auth-openidc.md', 'next-auth.md', 'node-red.md', 'oauth4webapi.md', 'oidc-client-ts.md'],
    ...['omniauth-oauth2.md', 'openid-client.md', 'passport-oauth2.md', 'react-oidc-context.md'],
  ]);
});

for (const name of readOnly) {
  test(`${name} is in the index and in the table of what works, and says that it was read, not run`, () => {
    const text = read(name);
    assert.ok(read('README.md').includes(`](${name})`), 'in the index');
    assert.ok(read('compatibility.md').includes(`](${name})`), 'in the table');
    assert.match(text, /^We read .*\b(commit|version|documentation)\b[\s\S]*?; we haven't run it\./m);
    for (const word of ['client authentication', 'HS256', 'S256', 'PKCE', 'https', '--claim ']) {
      assert.ok(text.includes(word), word);
    }
    assert.equal(filesIn(name).size, 0, 'no program that nobody has run');
  });
}

for (const guide of guides) {
  test(`${guide} is in the index, has a test, and lists the settings`, () => {
    const text = read(guide);
    assert.ok(read('README.md').includes(`](${guide})`), 'in the index');
    assert.ok(
      ofTheirOwn.includes(guide) ? existsSync(ownTest(guide)) : tests.some((source) => source.includes(`'${guide}'`)),
      'in the tests',
    );
    assert.ok(filesIn(guide).size > 0, 'a program');
    const [, settings = ''] = /^## Settings\n([\s\S]*?)^## /m.exec(text) ?? [];
    for (const word of ['issuer', 'client authentication', 'HS256', 'S256', 'https']) {
      assert.ok(settings.includes(word), `${word} among the settings`);
    }
    assert.match(text, /^## What to know$/m);
  });

  test(`${guide} names the versions that are tested`, () => {
    const [, install = ''] = /^npm install (.*)$/m.exec(read(guide)) ?? [];
    for (const wanted of install.split(' ').filter(Boolean)) {
      const at = wanted.lastIndexOf('@');
      const [name, version] = [wanted.slice(0, at), wanted.slice(at + 1)];
      const installed = packages.map(
        ({ dependencies, devDependencies }) => ({ ...dependencies, ...devDependencies })[name],
      );
      assert.ok(installed.includes(version), `${wanted}, and not ${installed.filter(Boolean)}`);
    }
  });
}

describe('the page about compatibility', () => {
  const text = read('compatibility.md');
  const tables = text.matchAll(/^\| ([^|]+) \| `([a-z0-9-]+)` \| [^|]+ \| ([^|]+) \|$/gm);
  const listed = [...tables].map(([, software = '', name = '', tried = '']) => ({ software, name, tried }));

  test('lists exactly the names that it has settings for', () => {
    const names = [...text.matchAll(/^```\w+ for=(\S+)$/gm)].map(([, name]) => name);
    assert.deepEqual(listed.map(({ name }) => name).sort(), names.sort());
    assert.ok(names.length >= 8);
  });

  for (const { software, tried } of listed) {
    test(`says which version of ${software} was tried`, () => {
      if (tried === 'read only' || tried.includes('Debian')) return;
      const versions = packages.map(({ dependencies }) => dependencies[software]);
      assert.ok(versions.includes(tried), `${tried}, and not ${versions.filter(Boolean)}`);
    });
  }

  test("their packages aren't among the project's own", () => {
    const [own, ...theirs] = packages.map(({ dependencies, devDependencies }) => ({
      ...dependencies,
      ...devDependencies,
    }));
    for (const name of ['next', 'better-auth', 'directus', 'node-red', 'react-oidc-context']) {
      assert.equal(own?.[name], undefined);
      assert.ok(
        theirs.some((each) => each[name] !== undefined),
        name,
      );
    }
  });
});

describe('the page "Is Latchkey for you?"', () => {
  const document = (name: string) => readFileSync(join(root, 'docs', name), 'utf8');
  const text = document('is-it-for-you.md');
  const [, applications = '', sources = ''] = text.split(/^##+ (?:How your applications connect|What we read)$/m);
  const rows = [...applications.matchAll(/^\| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)]
    .map(([, name = '', how = '', note = '', known = '']) => ({ name, how, note, known }))
    .filter(({ name }) => name !== 'application');
  const rowOf = (name: string) => rows.find((row) => row.name === name);
  const headingOf = (page: string) => /^# (.+)$/m.exec(read(page))?.[1] ?? '';

  test('says when something else fits better, and why', () => {
    const reasons = [...(text.split('## How')[0]?.matchAll(/^\| [^|]+ \| [^|]{20,} \|$/gm) ?? [])];
    assert.ok(reasons.length >= 10, `${reasons.length}`);
  });

  test('has every application with a page, and those that companies ask about', () => {
    const asked = ['GitLab', 'Jira', 'Confluence', 'Jenkins', 'Argo CD', 'Vault', 'Harbor', 'Nextcloud', 'Mattermost'];
    const more = ['Grafana', 'Superset', 'Kubernetes', 'Portainer', 'Proxmox', 'Zabbix'];
    const withPage = [...readOnly, ...ofTheirOwn].map(headingOf);
    for (const name of [...asked, ...more, ...withPage, 'Actual Budget', 'MeshCentral']) assert.ok(rowOf(name), name);
    const names = rows.map(({ name }) => name);
    assert.deepEqual(
      names,
      [...new Set(names)].sort((one, other) => one.localeCompare(other, 'en')),
    );
  });

  test('uses the five ways that it explains, and three marks', () => {
    const ways = [...applications.matchAll(/^\| ([^|]+) \| [^|]+ \|$/gm)].map(([, way]) => way).slice(1);
    assert.deepEqual(ways, ['directly', 'with settings', 'over the bridge', 'behind the gate', 'not at all']);
    for (const { name, how, known } of rows) {
      assert.ok(ways.includes(how), `${name}: ${how}`);
      assert.match(known, /^(run \d[\d.]*|read|not known)$/, name);
    }
  });

  test('agrees with the tables of what works directly and over the bridge', () => {
    const [, directly = ''] = read('compatibility.md').split(/^## (?:Works with settings|Doesn't work directly)$/m);
    for (const page of readOnly) {
      const works = directly.includes(`](${page})`);
      assert.equal(['directly', 'with settings'].includes(rowOf(headingOf(page))?.how ?? ''), works, page);
    }
    const [, tried = ''] = document('bridge.md').split(/^## (?:Tried with|What it can't do)$/m);
    for (const { name, how } of rows.filter((row) => new RegExp(`^\\| \\[?${row.name}\\b`, 'm').test(tried)))
      assert.equal(how, 'over the bridge', name);
  });

  test('marks as run only what a test signs in with, or what was tried by hand, in that version', () => {
    for (const { name, known } of rows.filter((row) => row.known.startsWith('run '))) {
      const version = known.slice('run '.length);
      const [word = ''] = name.toLowerCase().split(' ');
      const installed = packages.flatMap(({ dependencies }) => Object.entries(dependencies));
      const byHand = new RegExp(`^\\| ${name}.*\\| ${version.replaceAll('.', '\\.')} .*by hand \\|$`, 'm');
      const isTested = installed.some(([each, wanted]) => each.includes(word) && wanted === version);
      assert.ok(isTested || byHand.test(read('compatibility.md')), `${name} ${version}`);
    }
    for (const page of readOnly) assert.equal(rowOf(headingOf(page))?.known, 'read', page);
  });

  test('says what was read, and what is not known', () => {
    const ownPages = readOnly.map(headingOf);
    for (const { name, note, known } of rows.filter((row) => !row.known.startsWith('run '))) {
      assert.ok(ownPages.includes(name) ? note.includes('](clients/') : sources.includes(`**${name}**`), name);
      assert.equal(note.includes("don't know"), known === 'not known', name);
    }
  });
});
