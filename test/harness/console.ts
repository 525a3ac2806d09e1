// The console as an administrator uses it: its pages, its forms, and what they say.

import assert from 'node:assert/strict';
import { type Person, readForm } from './person.ts';
import type { TestClient, TestService } from './service.ts';

/** Without the places at which an address may go on in the next line, so that it's found as a whole. */
const shownBy = async (response: Response) => {
  const text = await response.text();
  return { status: response.status, page: text.replaceAll('<wbr>', '') };
};

export const visit = async (admin: Person, path: string) => shownBy(await admin.visit(path));

/** Where a page asks before the form with this action is sent. */
export function questionOn(page: string, action: string): string | undefined {
  const links = [...page.matchAll(/ href="([^"]*)"[^>]* data-ask=""/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  );
  return links.find((href) => href.replace(/\?.*/, '') === action);
}

/** The page, or the one of its tabs that has the form with this action or leads to it. */
async function pageWith(admin: Person, path: string, action: string): Promise<string> {
  const { page } = await visit(admin, path);
  const has = (each: string) => questionOn(each, action) !== undefined || readForm(each, action) !== undefined;
  if (has(page)) return page;
  const [tabs = ''] = /<nav class="tabs"[\s\S]*?<\/nav>/.exec(page) ?? [];
  const others = await Promise.all(
    [...tabs.matchAll(/ href="([^"]*)"/g)].map(async ([, href = '']) => (await visit(admin, href)).page),
  );
  return others.find(has) ?? page;
}

/** Submits the form with this action on a page or one of its tabs, or on the page that asks about it first. */
export async function send(admin: Person, path: string, action: string, values: Record<string, string> = {}) {
  const page = await pageWith(admin, path, action);
  const question = questionOn(page, action);
  const form = readForm(question === undefined ? page : (await visit(admin, question)).page, action);
  assert.ok(form, `no form ${action} on ${path}`);
  return shownBy(await admin.submit(form, values));
}

export const textOf = (page: string, id: string) =>
  new RegExp(`<pre id="${id}"[^>]*>([^<]*)</pre>`).exec(page)?.[1] ?? '';
/** What stands in an element with this role, without the icon before it. */
const roleOn = (page: string, role: string) =>
  new RegExp(`<p class="[^"]*" role="${role}"[^>]*>(?:<svg[\\s\\S]*?</svg>)?(?:<span>)?([^<]*)<`).exec(page)?.[1];
export const alertOn = (page: string) => roleOn(page, 'alert');
export const noticeOn = (page: string) => roleOn(page, 'status');
/** What is wrong with the field with this ID. */
export const problemAt = (page: string, id: string) =>
  new RegExp(`<p class="field-problem" role="alert" id="${id}-problem">([^<]*)<`).exec(page)?.[1];
/** The names of the rows of the page's table. */
export const namesOn = (page: string) =>
  [...page.matchAll(/<th scope="row"[^>]*>(?:<span class="named">[\s\S]*?)?<a [^>]*>([^<]*)<\/a>/g)].map(
    ([, name]) => name,
  );

export const clientSettings = {
  name: 'Recipe box',
  redirect_uris: 'https://recipes.example/callback',
  post_logout_redirect_uris: 'https://recipes.example/bye',
  scope_openid: 'yes',
  scope_email: 'yes',
  type: 'confidential',
};

/** Creates a client in the console. */
export async function register(
  service: TestService,
  admin: Person,
  changes: Record<string, string> = {},
): Promise<TestClient> {
  const { status, page } = await send(admin, '/admin/applications/new', '/admin/applications', {
    ...clientSettings,
    ...changes,
  });
  assert.equal(status, 200, alertOn(page) ?? '');
  const id = textOf(page, 'client-id');
  const record = await service.running.services.storage.findClient(id);
  assert.ok(record);
  return { id, secret: textOf(page, 'client-secret'), redirectUri: record.redirectUris[0] ?? '', record };
}
