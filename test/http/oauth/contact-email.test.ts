// The email address of an application's developer, on the pages that tell people to contact them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Api, newKey } from '../../harness/api.ts';
import { Person } from '../../harness/person.ts';
import { authorizePath, newVerifier } from '../../harness/relying-party.ts';
import type { TestService } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

const service = serviceOfSuite();

const elsewhere = { redirect_uri: 'https://elsewhere.example/cb' };
const refusedPage = async (client: Awaited<ReturnType<TestService['newClient']>>) =>
  (await new Person(service).request(authorizePath(client, newVerifier(), elsewhere))).text();
const signedOutPage = async (clientId: string) => {
  const query = new URLSearchParams({ client_id: clientId, post_logout_redirect_uri: elsewhere.redirect_uri });
  return (await new Person(service).request(`/oauth/logout?${query}`)).text();
};

test('a refused sign-in and a sign-out without a way back show it', async () => {
  const client = await service.newClient({ name: 'Photos', contactEmail: 'dev@photos.example' });
  for (const page of [await refusedPage(client), await signedOutPage(client.id)]) {
    assert.match(page, /<p>Photos: <a href="mailto:dev@photos\.example">dev@photos\.example<\/a><\/p>/);
  }
});

test('without one, nothing is shown', async () => {
  const client = await service.newClient();
  for (const page of [await refusedPage(client), await signedOutPage(client.id)]) {
    assert.match(page, /contact the app/);
    assert.equal(page.includes('mailto:'), false);
  }
});

test('a link to it has no other headers', async () => {
  const client = await service.newClient({ contactEmail: 'a?cc=b&subject=c@photos.example' });
  assert.match(await refusedPage(client), /href="mailto:a%3Fcc%3Db%26subject%3Dc@photos\.example"/);
});

test('the API sets it, removes it and refuses what is no email address', async () => {
  const api = await Api.of(service);
  const key = await newKey(service);
  const { id } = await service.newClient();
  const set = (contact_email: string | null) =>
    api.call('updateApplication', key, { params: { client_id: id }, body: { contact_email } });
  assert.equal((await api.call('getApplication', key, { params: { client_id: id } })).data.contact_email, null);
  assert.equal((await set(' dev@photos.example ')).data.contact_email, 'dev@photos.example');
  assert.deepEqual((await service.events('client_updated')).at(-1)?.detail?.changed, ['contactEmail']);
  assert.equal((await set('')).data.contact_email, null);
  for (const wrong of ['dev', 'dev@', '"><script>@a.example', 'a@b.example, c@d.example']) {
    assert.equal((await set(wrong)).status, 400, wrong);
  }
});
