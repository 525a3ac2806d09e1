// SCIM tokens in the console.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createScimToken } from '../../../src/operations/scim/scim-tokens.ts';
import { noticeOn, send, textOf, visit } from '../../harness/console.ts';
import { newUpstream } from '../../harness/discovery.ts';
import { Person } from '../../harness/person.ts';
import { newUserWithRoles } from '../../harness/roles.ts';
import { directoryWith } from '../../harness/scim.ts';
import { requester } from '../../harness/service.ts';
import { everythingIn } from '../../harness/store.ts';
import { consoleOfSuite } from '../../harness/suite.ts';

const path = '/admin/scim-tokens';

const { service, administrator, admin, signInAgain } = consoleOfSuite();

describe('SCIM tokens in the console', () => {
  test('one is created, shown once with the base URL, stored as a digest, listed, and revoked on a page that asks', async () => {
    const empty = await visit(admin, path);
    assert.match(empty.page, /No SCIM tokens yet\./);
    assert.equal(textOf(empty.page, 'base-url'), `${service.running.services.issuer}/scim/v2`);
    assert.match(empty.page, /href="\/docs\/scim"/);
    const input = { source: 'entra', name: 'Entra ID', days: '30', adopt: 'yes' };
    const { page } = await send(admin, path, path, input);
    const secret = textOf(page, 'token');
    assert.match(secret, /^lk_scim_[\w-]{43}$/);
    assert.equal(textOf(page, 'base-url'), `${service.running.services.issuer}/scim/v2`);
    assert.equal((await everythingIn(service)).join('\n').includes(secret.slice(8)), false);
    const [token] = await service.rows('scim_tokens');
    const { id, source, name, adopts, upstream, created_by: maker, created_at: at, expires_at: end } = token ?? {};
    assert.deepEqual(
      { source, name, adopts: Number(adopts), upstream, maker },
      {
        source: 'entra',
        name: 'Entra ID',
        adopts: 1,
        upstream: null,
        maker: administrator.id,
      },
    );
    assert.equal(Number(end) - Number(at), 30 * 24 * 60 * 60 * 1000);
    const directory = directoryWith(service, secret);
    assert.equal((await directory.send('GET', '/Users')).status, 200);
    const listed = await visit(admin, path);
    assert.equal(listed.page.includes(secret), false);
    assert.match(
      listed.page,
      /Entra ID <code class="quiet">…[^<]{4}<\/code><\/span> <span class="badge[^"]*">(?:<svg.*?<\/svg>)?Takes over people/,
    );
    assert.match(listed.page, /data-label="Source">entra</);
    assert.match(listed.page, /data-label="Created by">Margaret Hamilton</);
    assert.match(listed.page, new RegExp(`href="${path}/${id}/revoke" aria-label="Revoke Entra ID"`));
    const question = await visit(admin, `${path}/${id}/revoke`);
    assert.match(question.page, /<h1>Revoke Entra ID\?<\/h1>/);
    assert.match(question.page, /People and groups of entra stay as they are\./);
    assert.equal((await directory.send('GET', '/Users')).status, 200, 'a question changes nothing');
    const ended = await send(admin, `${path}/${id}/revoke`, `${path}/${id}/revoke`);
    assert.equal(noticeOn(ended.page), 'SCIM token revoked.');
    assert.deepEqual(await service.rows('scim_tokens'), []);
    assert.equal((await directory.send('GET', '/Users')).status, 401);
    assert.equal((await visit(admin, `${path}/${id}/revoke`)).status, 404);
    const kinds = (await service.events()).map(({ kind }) => kind);
    assert.deepEqual(
      kinds.filter((kind) => kind.startsWith('scim_token')),
      ['scim_token_created', 'scim_token_ended'],
    );
  });

  test('where people sign in is chosen among identity providers, together with the claim', async () => {
    const bare = (await visit(admin, path)).page;
    assert.equal(/name="(upstream|subject_claim)"/.test(bare), false, 'nothing to choose from');
    const { name, label } = await newUpstream(service);
    const { page } = await visit(admin, path);
    assert.match(page, new RegExp(`<option value="${name}">${label}</option>`));
    await send(admin, path, path, { source: 'entra', name: 'Signs in', upstream: name, subject_claim: 'oid' });
    await send(admin, path, path, { source: 'okta', name: 'Without' });
    const rows = await service.rows('scim_tokens');
    assert.deepEqual(rows.map(({ name: own, upstream, subject_claim: claim }) => [own, upstream, claim]).toSorted(), [
      ['Signs in', name, 'oid'],
      ['Without', null, 'sub'],
    ]);
    assert.match((await visit(admin, path)).page, new RegExp(`data-label="Sign-in">${name} \\(oid\\)<`));
  });

  for (const [field, value, sentence] of [
    ['source', 'Entra ID', 'The source must have 1 to 40 lowercase letters, digits, dots, underscores and hyphens.'],
    ['name', '', 'The name is empty.'],
    ['days', '0', 'A SCIM token can be valid for 1 to 3650 days.'],
    ['upstream', 'nowhere', 'There is no identity provider &quot;nowhere&quot;.'],
  ] as const) {
    test(`${field} ${JSON.stringify(value)} is refused at its field, and the rest stays`, async () => {
      const before = (await service.rows('scim_tokens')).length;
      const input = { source: 'entra', name: 'Kept', days: '7', [field]: value };
      const { status, page } = await send(admin, path, path, input);
      assert.equal(status, 400);
      assert.ok(page.includes(sentence), sentence);
      for (const [own, typed] of Object.entries(input)) {
        if (own !== 'upstream') assert.match(page, new RegExp(`name="${own}"[^>]* value="${typed}"`), own);
      }
      assert.equal((await service.rows('scim_tokens')).length, before);
    });
  }

  test('one that has expired is marked', async () => {
    const { services } = service.running;
    await createScimToken(services, { source: 'old', name: 'Old one', days: 1 }, requester);
    service.clock.advance(25 * 60 * 60);
    await signInAgain();
    assert.match((await visit(admin, path)).page, /Old one[\s\S]*?Expired/);
  });

  test('an auditor sees them without forms; people and applications see nothing of them', async () => {
    const auditor = new Person(service);
    await auditor.signIn(await newUserWithRoles(service, ['auditor']));
    const { status, page } = await visit(auditor, path);
    assert.equal(status, 200);
    assert.match(page, /data-label="Source">old</);
    assert.match(page, /\/scim\/v2</);
    assert.equal(/action="\/admin|\/revoke"|Create SCIM token/.test(page), false);
    for (const role of ['people', 'applications'] as const) {
      const person = new Person(service);
      await person.signIn(await newUserWithRoles(service, [role]));
      assert.equal((await visit(person, path)).status, 403);
      assert.equal((await visit(person, '/admin')).page.includes(path), false, 'not in the navigation');
    }
  });
});
