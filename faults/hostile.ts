// Input that no honest client sends.

import type { Random } from './random.ts';

/** In a page, this text must never appear as it is; in a header, never as a line of its own. */
export const markup = '<lk onload=x>"\'><script>alert(1)</script>';
export const injectedHeader = 'x-injected';

const texts: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\x01\x02\x1b[31m\x7f',
  '\u0085\u009b\u2028\u2029',
  '\u202eevil\u202c\u200b\ufeff',
  'line\r\nbreak',
  `a\r\n${injectedHeader}: 1`,
  markup,
  "' OR 1=1 --",
  "'; DROP TABLE users; --",
  '$(id) `id` |id ;id',
  '../../../../etc/passwd',
  '..%2f..%2f%00',
  '%s%n%d%x',
  '{{7*7}}<%= 7*7 %>',
  '__proto__',
  'constructor',
  'toString',
  'undefined',
  'null',
  'NaN',
  'true',
  '-1',
  '0',
  '1e309',
  '99999999999999999999',
  '0x10',
  '٣',
  'é\u0301',
  'ǅİıß',
  '😀👨‍👩‍👧',
  '\ud83d',
  '//evil.example',
  '/\\evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
  'data:text/html,x',
  'http://localhost:9999/callback#x',
  'http://localhost:9999/callback/../x',
  'a@b',
  '"a b"@example.test',
  'ada1@example.test',
  'openid openid  profile',
  'lks_AAAA',
  'AAAA.BBBB',
  '.',
  '....',
  'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.',
];

export function hostileText(random: Random): string {
  const kind = random.below(20);
  if (kind === 0)
    return random.pick(['a', '\u00e9', '\0', '%', ' ', '<', '\\']).repeat(random.pick([200, 255, 1025, 5000]));
  if (kind === 1)
    return Array.from({ length: random.below(40) }, () => String.fromCharCode(random.below(0x100))).join('');
  if (kind === 2)
    return Array.from({ length: random.below(20) }, () => String.fromCharCode(random.below(0x10000))).join('');
  return random.pick(texts);
}

/** A text with one change: shorter, longer, or with another character in it. */
export function altered(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  return random.pick([
    text.slice(0, at),
    text.slice(at),
    `${text.slice(0, at)}${random.pick(['A', '.', '\0', ' ', '=', '%', '\u00e9'])}${text.slice(at + 1)}`,
    text + text,
    `${text} `,
    text.toUpperCase(),
    [...text].reverse().join(''),
  ]);
}

/** JSON text of any type and depth. */
export function hostileJson(random: Random): string {
  const kind = random.below(16);
  if (kind < 6) return JSON.stringify(hostileText(random));
  return random.pick([
    'null',
    'true',
    'false',
    '0',
    '-1',
    '1.5',
    '1e400',
    '-0',
    '123456789012345678901234567890',
    '[]',
    '{}',
    '[[]]',
    '"\\ud800"',
    '"\\u0000"',
    '"\\udc00\\ud800"',
    '[null]',
    '{"a":{"b":[]}}',
    '{"__proto__":{"admin":true}}',
    '{"toString":1}',
    '{"length":-1}',
    '[1,"a",null,{}]',
    '"',
    '{',
    '[1,]',
    'NaN',
    "'a'",
    'undefined',
    '\u00e9',
    `${'['.repeat(3000)}${']'.repeat(3000)}`,
    `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`,
    JSON.stringify(Array.from({ length: 200 }, () => 'https://a.example/cb')),
    JSON.stringify(Array.from({ length: 5 }, () => hostileText(random))),
  ]);
}

/** Percent-encoded as it should be, or in one of the ways that it should not. */
export function encoded(text: string, random: Random): string {
  const right = [...Buffer.from(text)].map((byte) =>
    /[A-Za-z0-9._~-]/.test(String.fromCharCode(byte))
      ? String.fromCharCode(byte)
      : `%${byte.toString(16).padStart(2, '0')}`,
  );
  if (random.chance(0.85)) return right.join('');
  return random.pick([
    '%',
    '%2',
    '%zz',
    '%ff',
    '%c0%af',
    '%ed%a0%80',
    '%F4%90%80%80',
    '%u0041',
    '+',
    '%25%30%30',
    '%e2%80',
    ';',
    '|',
    '{}',
    '[]',
    '%0d%0a',
    '%00',
    '%5c',
    '%2f',
    '%2e%2e%2f',
    '%09',
    '=',
    '==',
    '&',
    '&&=',
    '?',
    '#',
    '%23',
    "'",
    '"',
    '<',
    '\\',
    '^`',
  ]);
}
