// Requests adapted from Microsoft's and Okta's documentation, in the order of a person's and a group's life.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { createAttribute } from '../../../src/operations/attributes/attributes.ts';
import { changeSettings } from '../../../src/operations/settings/change-settings.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../src/protocol/reading/strict-json.ts';
import { newDirectory } from '../../harness/scim.ts';
import { requester } from '../../harness/service.ts';
import { serviceOfSuite } from '../../harness/suite.ts';

interface Step {
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly body?: JsonObject;
  readonly status: number;
  /** The name of the ID in the response, for later steps. */
  readonly keeps?: string;
  /** What the response has, besides other things. */
  readonly has?: JsonObject;
  /** Members that it doesn't have. */
  readonly lacks?: readonly string[];
}

const read = (name: string): { readonly sources: readonly string[]; readonly steps: readonly Step[] } =>
  JSON.parse(readFileSync(new URL(`../../fixtures/scim/${name}.json`, import.meta.url), 'utf8'));

const service = serviceOfSuite();
before(async () => {
  const attribute = { name: 'employee_number', label: 'Employee number', kind: 'text' };
  assert.equal((await createAttribute(service.running.services, attribute, requester)).kind, 'done');
});

for (const source of ['entra', 'okta']) {
  for (const kind of ['email', 'username'] as const) {
    describe(`${source}, with scim_user_name: ${kind}`, () => {
      test('every request is answered as documented', async () => {
        await set({ scim_user_name: kind });
        const { steps } = read(source);
        const directory = await newDirectory(service, { source: `${source}-${kind}` });
        const names = new Map<string, string>();
        const filled = (value: Json): Json =>
          mapTexts(value, (text) => text.replaceAll(/\{(\w+)\}/g, (all, name) => names.get(name) ?? all));
        for (const given of steps) {
          const step = kind === 'email' ? given : (withUsernames(given as unknown as Json) as unknown as Step);
          const path = encodeURI(String(filled(step.path)));
          const { status, body } = await directory.send(step.method, path, step.body && filled(step.body));
          const about = `${step.title}: ${JSON.stringify(body)}`;
          assert.equal(status, step.status, about);
          if (step.has !== undefined) assertHas(body, filled(step.has), about);
          for (const name of step.lacks ?? []) assert.equal(Object.hasOwn(body, name), false, about);
          if (step.keeps !== undefined) names.set(step.keeps, body.id);
        }
      });
    });
  }
}

test('the files name their source and cover what directories do', () => {
  const all = ['entra', 'okta'].map(read);
  for (const { sources } of all)
    for (const url of sources)
      assert.match(url, /^https:\/\/(learn\.microsoft\.com|developer\.okta\.com|github\.com\/okta)\//);
  const texts = all.map(({ steps }) => steps.map((step) => JSON.stringify([step.method, step.path, step.body ?? {}])));
  const [entra = [], okta = []] = texts;
  const operations: readonly (readonly [string, RegExp, readonly string[]])[] = [
    ['create', /^\["POST","\/Users"/, entra],
    ['create', /^\["POST","\/Users"/, okta],
    ['create a group', /^\["POST","\/Groups"/, entra],
    ['create a group', /^\["POST","\/Groups"/, okta],
    ['match by filter', /^\["GET","\/Users\?filter=userName eq/, entra],
    ['match by filter', /^\["GET","\/Users\?filter=userName eq/, okta],
    ['match a group', /^\["GET","\/Groups\?.*filter=displayName eq/, entra],
    ['PATCH with a path', /"path":"name\.givenName"/, entra],
    ['PATCH without a path', /"Operations":\[.*\{"op":"replace","value":\{"displayName"/, entra],
    ['PATCH without a path', /"op":"replace","value":\{"active":false\}/, okta],
    ['active as a text', /"path":"active","value":"False"/, entra],
    ['add members', /"op":"Add","path":"members","value":\[\{"\$ref":null/, entra],
    ['add members', /"op":"add","path":"members","value":\[/, okta],
    ['remove members by values', /"op":"Remove","path":"members","value":\[/, entra],
    ['remove members by a filter', /"op":"remove","path":"members\[value eq/, entra],
    ['remove members by a filter', /"op":"remove","path":"members\[value eq/, okta],
    ['remove and add members', /members\[value eq.*"op":"add","path":"members"/, okta],
    ['replace members', /"op":"replace","path":"members"/, okta],
    ['soft delete', /"path":"active","value":false/, entra],
    ['hard delete', /^\["DELETE","\/Users/, entra],
    ['delete a group', /^\["DELETE","\/Groups/, okta],
    ['rename', /"path":"displayName","value":"Languages"/, entra],
    ['rename', /"value":\{"id":"\{group\}","displayName"/, okta],
    ['replace', /^\["PUT","\/Users/, okta],
    ['replace a group', /^\["PUT","\/Groups/, okta],
  ];
  for (const [name, pattern, requests] of operations) {
    assert.ok(
      requests.some((request) => pattern.test(request)),
      `${name} ${pattern}`,
    );
  }
});

async function set(values: Parameters<typeof changeSettings>[1]): Promise<void> {
  assert.equal((await changeSettings(service.running.services, values, requester)).kind, 'done');
}

/** The order of lists is no part of it. */
function assertHas(actual: unknown, expected: Json, about: string): void {
  if (Array.isArray(expected)) {
    assert.ok(Array.isArray(actual) && actual.length === expected.length, about);
    for (const item of expected)
      assert.ok(
        actual.some((each) => has(each, item)),
        about,
      );
  } else if (isJsonObject(expected)) {
    assert.ok(typeof actual === 'object' && actual !== null, about);
    for (const [name, value] of Object.entries(expected)) {
      assertHas((actual as Record<string, unknown>)[name], value, `${name} of ${about}`);
    }
  } else assert.equal(actual, expected, about);
}

function has(actual: unknown, expected: Json): boolean {
  try {
    assertHas(actual, expected, '');
    return true;
  } catch {
    return false;
  }
}

function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapTexts(each, change)]));
}

/** The same with usernames instead of email addresses, wherever a directory writes a userName. */
function withUsernames(value: Json): Json {
  const local = (text: string) => text.replace(/@.*/, '');
  if (typeof value === 'string') return value.replace(/(userName eq ")([^"@]*)@[^"]*/, '$1$2');
  if (Array.isArray(value)) return value.map(withUsernames);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const isName = name === 'userName' || (name === 'value' && value.path === 'userName');
      return [name, isName && typeof each === 'string' ? local(each) : withUsernames(each)];
    }),
  );
}
