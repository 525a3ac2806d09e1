// The tabs of an application in the console: who sees which, what connects it, and whether that has worked.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { guideCalled } from '../../../src/platform/client-guides.ts';
import { clientSettings, noticeOn, register, send, visit } from '../../harness/console.ts';
import { Person, readForm } from '../../harness/person.ts';
import {
  authorizePath,
  exchangeParameters,
  newVerifier,
  obtainCode,
  obtainTokens,
  postForm,
} from '../../harness/relying-party.ts';
import { newUserWithRoles } from '../../harness/roles.ts';
import type { TestClient } from '../../harness/service.ts';
import { consoleOfSuite } from '../../harness/suite.ts';

const tabs = ['Connect', 'Settings', 'Access', 'Claims', 'Secrets', 'Webhook', 'Danger'];

const { service, admin, signInAgain } = consoleOfSuite();

const pathOf = ({ id }: { readonly id: string }) => `/admin/applications/${id}`;
const tabsOn = (page: string) => {
  const [, nav = ''] = /<nav class="tabs"[^>]*>([\s\S]*?)<\/nav>/.exec(page) ?? [];
  return [...nav.matchAll(/<a href="([^"]+)"( aria-current="page")?>([^<]+)</g)].map(([, href, current, label]) => ({
    href: href ?? '',
    label,
    current: current !== undefined,
  }));
};

describe('tabs', () => {
  test('each has its own URL, and the first is what connects the application', async () => {
    const client = await service.newClient();
    const listed = tabsOn((await visit(admin, pathOf(client))).page);
    assert.deepEqual(
      listed.map(({ label }) => label),
      tabs,
    );
    assert.equal(listed[0]?.href, pathOf(client));
    for (const { href, label } of listed) {
      const { status, page } = await visit(admin, href);
      assert.equal(status, 200, href);
      assert.deepEqual(
        tabsOn(page).flatMap((each) => (each.current ? [each.label] : [])),
        [label],
      );
    }
  });

  test("someone who can't change applications has no Danger tab, and nothing to press", async () => {
    const client = await service.newClient();
    const auditor = new Person(service);
    await auditor.signIn(await newUserWithRoles(service, ['auditor']));
    const listed = tabsOn((await visit(auditor, pathOf(client))).page);
    assert.deepEqual(
      listed.map(({ label }) => label),
      tabs.slice(0, -1),
    );
    for (const { href } of listed) {
      assert.doesNotMatch(
        (await visit(auditor, href)).page,
        new RegExp(`method="post" action="${pathOf(client)}`),
        href,
      );
    }
    assert.equal((await visit(auditor, `${pathOf(client)}/danger`)).status, 403);
  });

  test('a form that fails shows the tab that it belongs to, and so does what was done', async () => {
    const client = await register(service, admin);
    const current = (page: string) => tabsOn(page).find((each) => each.current)?.label;
    const path = pathOf(client);
    const wrong = await send(admin, `${path}/settings`, path, { ...clientSettings, name: ' ' });
    assert.deepEqual([wrong.status, current(wrong.page)], [400, 'Settings']);
    const saved = await send(admin, `${path}/settings`, path, { ...clientSettings, name: 'Saved' });
    assert.deepEqual([noticeOn(saved.page), current(saved.page)], ['Changes saved.', 'Settings']);
    const revoked = await send(admin, `${path}/revoke`, `${path}/revoke`);
    assert.equal(current(revoked.page), 'Danger');
    const claim = await send(admin, `${path}/claims/new?source=value`, `${path}/claims`, { claim: 'a', value: 'b' });
    assert.deepEqual([noticeOn(claim.page), current(claim.page)], ['Claim saved.', 'Claims']);
    assert.match((await visit(admin, `${path}/delete`)).page, new RegExp(`href="${path}/danger"[^>]*>Cancel`));
  });

  test('a public application says why it has no secret', async () => {
    const client = await service.newClient({ isPublic: true });
    const { page } = await visit(admin, `${pathOf(client)}/secrets`);
    assert.match(page, /Public applications have no secret: PKCE protects their codes\./);
    assert.equal(readForm(page, `${pathOf(client)}/rotate-secret`), undefined);
  });
});

test('what a developer needs can be copied: the client ID, the issuer, and every endpoint that discovery announces', async () => {
  const client = await service.newClient();
  const { page } = await visit(admin, pathOf(client));
  const copied = [...page.matchAll(/<code id="([\w-]+)">(.+?)<\/code><button [^>]*data-copy="([\w-]+)"/g)];
  assert.ok(copied.every(([, id, , button]) => id === button));
  const values = copied.map(([, , text = '']) => text.replaceAll(/<[^>]*>/g, ''));
  assert.deepEqual(values.slice(0, 3), [client.id, service.url, `${service.url}/.well-known/openid-configuration`]);
  const response = await fetch(`${service.url}/.well-known/openid-configuration`);
  const discovery = (await response.json()) as Record<string, string>;
  const announced = Object.entries(discovery).flatMap(([name, url]) =>
    /_endpoint$|^jwks_uri$/.test(name) ? [url] : [],
  );
  assert.deepEqual(values.slice(3).sort(), announced.sort());
});

for (const isPublic of [false, true]) {
  test(`what breaks with the defaults of libraries is named (${isPublic ? 'public' : 'confidential'})`, async () => {
    const { page } = await visit(admin, pathOf(await service.newClient({ isPublic })));
    const [, list = ''] = page.split('Library defaults to change');
    const values = [...list.matchAll(/<dt>([^<]+)<\/dt><dd><code>([^<]+)<\/code><br><span class="quiet">([^<]+)</g)];
    assert.deepEqual(
      values.map(([, name, value]) => [name, value]),
      [
        ['Client authentication', isPublic ? 'none' : 'client_secret_post'],
        ['ID token signature', 'HS256'],
        ['PKCE', 'S256'],
      ],
    );
    assert.match(values[1]?.[3] ?? '', isPublic ? /The key stays with Latchkey/ : /Verified with the client secret/);
    assert.doesNotMatch(page, /Most libraries need/);
  });
}

test('programs are listed by framework', async () => {
  const listed = async (isPublic: boolean) => {
    const { page } = await visit(admin, pathOf(await service.newClient({ isPublic })));
    return [...page.matchAll(/<option value="([^"]+)"[^>]*>([^<]+)</g)].map(([, name = '', label = '']) => ({
      name,
      label,
    }));
  };
  const all = [...(await listed(false)), ...(await listed(true))];
  const labelOf = (wanted: string) => all.find(({ name }) => name === wanted)?.label;
  assert.equal(labelOf('next-auth'), 'Next.js (next-auth)');
  assert.equal(labelOf('authjs'), 'Express (Auth.js)');
  assert.equal(labelOf('react-oidc-context'), 'React (react-oidc-context)');
  // Software is called by its own name.
  for (const { name, label } of all.filter((each) => !['directus', 'node-red'].includes(each.name))) {
    if (guideCalled(name)?.install !== undefined) assert.match(label, /^[A-Z].* \(.+\)$/, name);
  }
});

describe('the program', () => {
  const program = async (client: { readonly id: string }, guide: string) =>
    (await visit(admin, `${pathOf(client)}?guide=${guide}`)).page;
  const filesOn = (page: string) =>
    [...page.matchAll(/<pre id="file-\d+"[^>]*>([^<]*)</g)].map(([, text = '']) => text);

  test('has everything filled in but the secret, which it reads from its environment', async () => {
    const client = await service.newClient();
    const page = await program(client, 'openid-client');
    const [file = ''] = filesOn(page);
    const quoted = (text: string) => `&quot;${text}&quot;`;
    assert.ok(file.includes(`const OIDC_CLIENT_ID = ${quoted(client.id)};`), file);
    assert.ok(file.includes(`const OIDC_ISSUER = ${quoted(service.url)};`));
    assert.ok(file.includes(`const OIDC_REDIRECT_URI = ${quoted(client.redirectUri)};`));
    assert.ok(file.includes('const OIDC_CLIENT_SECRET = process.env.OIDC_CLIENT_SECRET;'));
    assert.equal(page.includes(client.secret), false);
    assert.match(page, /reads the secret from the environment variable OIDC_CLIENT_SECRET/);
    assert.match(page, /<pre id="install"[^>]*>npm install openid-client@/);
    assert.match(page, /<option value="openid-client" selected>/);
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length, 'labels find what they name');
    assert.match(page, /href="\/docs\/clients\/openid-client">Read the guide</);
  });

  test('settings keep the place of the secret', async () => {
    const client = await service.newClient({ redirectUris: ['https://budget.example/openid/callback'] });
    const page = await program(client, 'actual-budget');
    const [file = ''] = filesOn(page);
    assert.ok(file.includes(`ACTUAL_OPENID_CLIENT_ID=${client.id}`), file);
    assert.match(file, /^ACTUAL_OPENID_CLIENT_SECRET=\$\{OIDC_CLIENT_SECRET\}$/m);
    assert.match(page, /Put the client secret where it says OIDC_CLIENT_SECRET/);
    assert.match(page, /href="\/docs\/clients\/compatibility">/);
  });

  test('uses the redirect URI that the software insists on, or says which one is missing', async () => {
    const client = await service.newClient({
      redirectUris: ['https://cms.example/', 'https://cms.example/login/generic_oauth'],
    });
    assert.match(
      filesOn(await program(client, 'grafana'))[0] ?? '',
      /root_url = https:\/\/cms\.example\n|https:\/\/cms\.example/,
    );
    const page = await program(client, 'directus');
    assert.deepEqual(filesOn(page), []);
    assert.match(
      page,
      /Its redirect URI ends with \/auth\/login\/latchkey\/callback, and none of this application’s does/,
    );
    assert.match(page, new RegExp(`href="${pathOf(client)}/settings">Open settings<`));
  });

  test('is one for the type of application, and an unknown one is ignored', async () => {
    const optionsOn = (page: string) => [...page.matchAll(/<option value="([^"]+)"/g)].map(([, name]) => name);
    const [secret, open] = [await service.newClient(), await service.newClient({ isPublic: true })];
    const shown = optionsOn(await program(secret, 'nothing'));
    assert.ok(shown.includes('openid-client') && shown.includes('gate') && !shown.includes('oidc-client-ts'));
    const page = await program(open, 'openid-client');
    assert.ok(optionsOn(page).includes('oidc-client-ts') && !optionsOn(page).includes('openid-client'));
    assert.deepEqual(filesOn(page), []);
  });
});

describe('whether it works', () => {
  const statusOf = async (client: { readonly id: string }, who = admin) => {
    const { page } = await visit(who, pathOf(client));
    const [, attributes = '', text = ''] =
      /<div class="connection" id="connection"([^>]*)>([\s\S]*?)<\/div>\n<div class="summary">/.exec(page) ?? [];
    return {
      state: /data-state="([^" ]+)/.exec(attributes)?.[1],
      polls: attributes.includes(`data-poll="${pathOf(client)}"`),
      text: text
        .replace(/<svg[\s\S]*?<\/svg>/g, '')
        .replace(/<[^>]+>/g, ' ')
        .replace(/\s+/g, ' ')
        .replaceAll(' .', '.')
        .trim(),
      page,
    };
  };
  const ask = (client: TestClient, changes: Record<string, string>) =>
    new Person(service).visit(authorizePath(client, newVerifier(), changes));

  test('it waits for the first sign-in, and says when there was one', async () => {
    const client = await service.newClient();
    const waiting = await statusOf(client);
    assert.deepEqual([waiting.state, waiting.polls], ['waiting', true]);
    assert.match(waiting.text, /^Waiting for the first sign-in…/);
    assert.match(waiting.page, new RegExp(`<a href="${pathOf(client)}">Check again</a>`), 'without JavaScript');
    await obtainTokens(service, client, await service.newUser());
    const connected = await statusOf(client);
    assert.deepEqual([connected.state, connected.polls], ['connected', false]);
    assert.match(connected.text, /^Connected\. Last successful sign-in: (now|\d+ seconds? ago)\.$/);
  });

  test('a redirect URI that is not registered is named, and can be added right there', async () => {
    const client = await service.newClient();
    const uri = `${client.redirectUri}/x`;
    await ask(client, { redirect_uri: uri });
    const refused = await statusOf(client);
    assert.deepEqual([refused.state, refused.polls], ['refused', true]);
    assert.match(
      refused.text,
      /The last attempt failed Authorization refused .*The redirect URI isn&#39;t registered\./,
    );
    const added = await send(admin, pathOf(client), `${pathOf(client)}/redirect-uris`);
    assert.match(noticeOn(added.page) ?? '', /^Redirect URI added\./);
    assert.equal((await statusOf(client)).state, 'waiting', 'what is fixed is over');
  });

  const mistakes: [string, (client: TestClient) => Promise<unknown>, RegExp, string | undefined][] = [
    [
      'a wrong secret',
      async (client) => {
        const { code, verifier } = await obtainCode(service, client, await service.newUser(), { scope: 'openid' });
        return postForm(service, '/oauth/token', {
          ...exchangeParameters(client, code, verifier),
          client_secret: 'lk_secret_wrong',
        });
      },
      /The client_secret isn&#39;t one of the application&#39;s secrets\./,
      'secrets',
    ],
    [
      'a scope that it may not ask for',
      (client) => ask(client, { scope: 'openid email' }),
      /Scope not registered for this client: &#39;email&#39;\./,
      'settings',
    ],
    [
      'a code that was exchanged with another verifier',
      async (client) => {
        const { code } = await obtainCode(service, client, await service.newUser(), { scope: 'openid' });
        return postForm(service, '/oauth/token', exchangeParameters(client, code, newVerifier()));
      },
      /The code_verifier doesn&#39;t match the code_challenge/,
      undefined,
    ],
  ];
  for (const [name, make, sentence, tab] of mistakes) {
    test(`${name} is named${tab === undefined ? '' : ', with the way to fix it'}`, async () => {
      const client = await service.newClient({ scopes: ['openid'] });
      await make(client);
      const { state, text, page } = await statusOf(client);
      assert.equal(state, 'refused');
      assert.match(text, sentence);
      assert.match(page, /href="\/admin\/events\?reference=[^"]+">View event</);
      const fixes = [...page.matchAll(/class="button small" href="([^"]+)">Open \w+</g)].map(([, href]) => href);
      assert.deepEqual(fixes, tab === undefined ? [] : [`${pathOf(client)}/${tab}`]);
    });
  }

  test('someone without access is named, and can be let in', async () => {
    const client = await service.newClient({ access: 'listed' });
    const person = new Person(service);
    await person.signIn(await service.newUser({ name: 'Mary Jackson' }));
    assert.equal((await person.visit(authorizePath(client, newVerifier()))).status, 403);
    assert.match((await statusOf(client)).text, /Access denied: Mary Jackson/);
    await send(admin, pathOf(client), `${pathOf(client)}/access/allow`);
    assert.equal((await statusOf(client)).state, 'waiting');
  });

  test('whoever looks after applications sees the same, with what they can press', async () => {
    const client = await service.newClient();
    await ask(client, { redirect_uri: `${client.redirectUri}/x` });
    const person = new Person(service);
    await person.signIn(await newUserWithRoles(service, ['applications']));
    const { state, page } = await statusOf(client, person);
    assert.equal(state, 'refused');
    assert.ok(readForm(page, `${pathOf(client)}/redirect-uris`));
    const auditor = new Person(service);
    await auditor.signIn(await newUserWithRoles(service, ['auditor']));
    const read = await statusOf(client, auditor);
    assert.equal(read.state, 'refused');
    assert.equal(readForm(read.page, `${pathOf(client)}/redirect-uris`), undefined);
  });

  test('a code that nobody exchanges is told from a sign-in', async () => {
    const client = await service.newClient();
    await obtainCode(service, client, await service.newUser());
    const { state, text } = await statusOf(client);
    assert.equal(state, 'approved');
    assert.match(text, /hasn’t exchanged the code for tokens/);
  });

  test('an application that works says what was refused within the last hour, and nothing older', async () => {
    const client = await service.newClient();
    await obtainTokens(service, client, await service.newUser());
    service.clock.advance(1);
    await ask(client, { redirect_uri: 'https://evil.example/' });
    const both = await statusOf(client);
    assert.match(both.text, /^The last attempt failed .* Connected\. Last successful sign-in:/);
    service.clock.advance(61 * 60);
    await signInAgain();
    assert.equal((await statusOf(client)).state, 'connected');
  });

  test('one whose events are gone is known by the people who use it', async () => {
    const client = await service.newClient();
    await obtainTokens(service, client, await service.newUser());
    await service.running.services.journal.flush();
    await service.execute(`DELETE FROM events WHERE client_id = '${client.id}'`);
    assert.equal((await statusOf(client)).text, 'Connected. People have signed in.');
  });

  test('one that is revoked says so, with the way back for those who may', async () => {
    const client = await service.newClient();
    await send(admin, `${pathOf(client)}/revoke`, `${pathOf(client)}/revoke`);
    const { state, polls, page } = await statusOf(client);
    assert.deepEqual([state, polls], ['revoked', false]);
    assert.match(page, new RegExp(`nobody can sign in to it\\. <a href="${pathOf(client)}/danger">Restore it</a>`));
    const auditor = new Person(service);
    await auditor.signIn(await newUserWithRoles(service, ['auditor']));
    assert.doesNotMatch((await statusOf(client, auditor)).page, /Restore it/);
  });

  test('what a stranger asks for is shown as text', async () => {
    const client = await service.newClient();
    await ask(client, { redirect_uri: 'https://evil.example/<img src=x onerror=alert(1)>' });
    const { page } = await statusOf(client);
    assert.doesNotMatch(page, /<img src=x/);
    assert.match(page, /&lt;img src=x/);
  });
});

describe('a new application', () => {
  const form = '/admin/applications/new';
  const outsideOf = (page: string) => page.replace(/<details class="more"[\s\S]*?<\/details>/, '');
  const namesIn = (page: string) =>
    new Set(
      [...page.matchAll(/<(?:input(?! type="hidden")|textarea|select)[^>]* name="(\w+)"/g)].map(([, name]) => name),
    );

  test('asks for name, type, redirect URI and access; the rest is under More options', async () => {
    const { page } = await visit(admin, form);
    assert.deepEqual([...namesIn(outsideOf(page))], ['name', 'type', 'redirect_uris', 'access']);
    assert.match(page, /<details class="more"><summary>More options<\/summary>/);
    for (const name of ['post_logout_redirect_uris', 'scope_openid', 'launch_url']) assert.ok(namesIn(page).has(name));
  });

  test('is shown again with the options open if one of them has a value or a problem', async () => {
    const plain = {
      name: ' ',
      redirect_uris: 'https://a.example/cb',
      scope_openid: 'yes',
      scope_profile: 'yes',
      scope_email: 'yes',
    };
    const isOpen = async (values: Record<string, string>) =>
      (await send(admin, form, '/admin/applications', { ...plain, ...values })).page.includes(
        '<details class="more" open>',
      );
    assert.equal(await isOpen({}), false);
    assert.equal(await isOpen({ launch_url: 'https://a.example/' }), true);
    assert.equal(await isOpen({ scope_email: '' }), true);
    assert.equal(await isOpen({ name: 'A', launch_url: 'javascript:alert(1)' }), true);
  });

  test('can be limited from the beginning, and leads to who can use it', async () => {
    const { page } = await send(admin, form, '/admin/applications', { ...clientSettings, access: 'listed' });
    const id = /<pre id="client-id"[^>]*>([^<]+)</.exec(page)?.[1] ?? '';
    assert.equal((await service.running.services.storage.findClient(id))?.access, 'listed');
    assert.match(page, new RegExp(`href="${pathOf({ id })}">Continue to application<`));
    assert.match(page, new RegExp(`href="${pathOf({ id })}/access">Choose who can use it<`));
    const open = await send(admin, form, '/admin/applications', clientSettings);
    assert.doesNotMatch(open.page, /Choose who can use it/);
    assert.equal((await send(admin, form, '/admin/applications', { ...clientSettings, access: 'some' })).status, 400);
  });

  test('has its access changed on its own tab only', async () => {
    const client = await register(service, admin);
    const { page } = await visit(admin, `${pathOf(client)}/settings`);
    assert.equal(namesIn(page).has('access'), false);
    const sent = { ...clientSettings, access: 'listed', fields: 'name access' };
    await send(admin, `${pathOf(client)}/settings`, pathOf(client), sent);
    assert.equal((await service.running.services.storage.findClient(client.id))?.access, 'everyone');
  });
});
