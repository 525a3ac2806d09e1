import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Invalid } from '../../../src/protocol/resources/field.ts';
import { typedValue } from '../../../src/protocol/resources/resource.ts';
import { readSettings, sessionLimits, settingFields, settingNames } from '../../../src/protocol/resources/settings.ts';

const initial = {
  second_factor: 'optional',
  session_hours: 24,
  kept_session_days: 30,
  kept_session_idle_days: 14,
  default_upstream: '',
  email_codes: 'off',
  passwords: 'allowed',
  passwords_until: '',
  sign_up: 'closed',
  sign_up_domains: [],
  default_groups: [],
  scim_user_name: 'email',
  scim_verified_domains: [],
  disable_inactive_after_days: null,
  inactive_notice_days: 14,
  review_keep_days: 730,
  first_steps: 'shown',
  service_name: 'Latchkey',
  accent: '',
  support_url: '',
  terms_url: '',
  privacy_url: '',
  sign_in_message: '',
};
const read = (stored: Record<string, string>) => readSettings(new Map(Object.entries(stored)));

test('unset settings have their initial value', () => {
  assert.deepEqual(read({}), initial);
  assert.deepEqual(read({ session_hours: '8' }), { ...initial, session_hours: 8 });
  assert.deepEqual(read({ second_factor: '"everyone"' }), { ...initial, second_factor: 'everyone' });
});

describe('an invalid stored value is ignored', () => {
  for (const stored of [
    { second_factor: 'everyone' },
    { second_factor: '"nobody"' },
    { second_factor: '["everyone"]' },
    { session_hours: '"8"' },
    { session_hours: '0' },
    { session_hours: '721' },
    { session_hours: '1.5' },
    { session_hours: '' },
    { of_a_later_version: '1' },
    { constructor: '1' },
  ] as Record<string, string>[]) {
    test(JSON.stringify(stored), () => assert.deepEqual(read(stored), initial));
  }
});

describe('typed values', () => {
  for (const [name, text, value] of [
    ['second_factor', 'administrators', 'administrators'],
    ['second_factor', 'Everyone', undefined],
    ['second_factor', '', undefined],
    ['session_hours', '8', 8],
    ['session_hours', '08', 8],
    ['session_hours', '8h', undefined],
    ['session_hours', '', undefined],
    ['session_hours', '-1', undefined],
    ['session_hours', '1e1', undefined],
    ['session_hours', '99999999999', undefined],
    ['kept_session_days', '365', 365],
    ['kept_session_days', '366', undefined],
    ['service_name', ' Acme ID ', 'Acme ID'],
    ['service_name', 'Zoë’s Küche 漢字', 'Zoë’s Küche 漢字'],
    ['service_name', '', undefined],
    ['service_name', '\u200b\u200b', undefined],
    ['service_name', 'x'.repeat(60), 'x'.repeat(60)],
    ['service_name', 'x'.repeat(61), undefined],
    ['service_name', 'Acme\r\nBcc: all@example.com', undefined],
    ['service_name', 'Acme \u202eDI', 'Acme DI'],
    ['accent', '#2457C5', '#2457c5'],
    ['accent', '', ''],
    ['accent', '#24c', undefined],
    ['accent', 'red', undefined],
    ['accent', '#2457c5; background: url(x)', undefined],
    ['support_url', 'https://help.example/#contact', 'https://help.example/#contact'],
    ['support_url', 'mailto:help@example.com?subject=Sign-in', 'mailto:help@example.com?subject=Sign-in'],
    ['support_url', 'http://localhost:3000/help', 'http://localhost:3000/help'],
    ['support_url', 'http://help.example', undefined],
    ['support_url', '', ''],
    ['terms_url', 'https://acme.example/terms', 'https://acme.example/terms'],
    ['terms_url', 'mailto:legal@acme.example', undefined],
    ['privacy_url', 'javascript:alert(1)', undefined],
    ['privacy_url', 'https://user:secret@acme.example', undefined],
    ['privacy_url', `https://acme.example/${'x'.repeat(1000)}`, undefined],
    ['sign_in_message', ' For staff of Acme. ', 'For staff of Acme.'],
    ['sign_in_message', '', ''],
    ['sign_in_message', 'x'.repeat(201), undefined],
    ['sign_in_message', 'two\nlines', undefined],
    ['sign_up', 'domains', 'domains'],
    ['sign_up', 'everyone', undefined],
    ['sign_up_domains', 'example.com, Example.ORG,', ['example.com', 'example.org']],
    ['sign_up_domains', 'bücher.example,xn--bcher-kva.example', ['xn--bcher-kva.example']],
    ['sign_up_domains', '@example.com', ['example.com']],
    ['sign_up_domains', '', []],
    ['sign_up_domains', '*', undefined],
    ['sign_up_domains', '*.example.com', undefined],
    ['sign_up_domains', 'localhost', undefined],
    ['sign_up_domains', 'example.com.', undefined],
    ['sign_up_domains', 'ada@example.com', undefined],
    ['sign_up_domains', '127.0.0.1', undefined],
    ['sign_up_domains', Array.from({ length: 51 }, (_, index) => `d${index}.example`).join(), undefined],
    ['default_groups', 'Crew , Staff', ['Crew', 'Staff']],
    ['default_groups', 'x'.repeat(101), undefined],
    ['default_groups', Array.from({ length: 21 }, (_, index) => `g${index}`).join(), undefined],
  ] as const) {
    test(`${name} ${JSON.stringify(text)}`, () => {
      const read = settingFields[name].read(typedValue(settingFields[name], text), {});
      assert.deepEqual(read instanceof Invalid ? undefined : read, value);
    });
  }
});

test('session lengths are in milliseconds', () => {
  const HOUR = 3_600_000;
  assert.deepEqual(sessionLimits(read({})), { brief: 24 * HOUR, kept: 720 * HOUR, keptIdle: 336 * HOUR });
});

test("every setting's name is its key in the store", () => {
  assert.deepEqual([...settingNames], [...Object.keys(initial), 'logo', 'logo_dark', 'favicon']);
});
