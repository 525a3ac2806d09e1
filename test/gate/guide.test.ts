// docs/gate.md beside the gate: every field and header is in it. test/deploy/gate-nginx and gate-caddy run its configurations.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gateSchema, standardHeaders } from '../../src/gate/config-file.ts';
import { en } from '../../src/gate/pages/texts/germanic.ts';
import { root } from '../harness/command.ts';
import { fencesIn } from '../harness/documents.ts';

const guide = readFileSync(join(root, 'docs/gate.md'), 'utf8');

test('the table has every field of the file, with its default', () => {
  const { $schema: _, ...fields } = JSON.parse(JSON.stringify(gateSchema)).properties;
  const { applications } = fields;
  for (const [name, field] of Object.entries<{ default?: unknown }>({ ...fields, ...applications.items.properties })) {
    const row = new RegExp(`^\\| .*\`${name}(?:\\[\\])?\`.* \\|$`, 'm').exec(guide)?.[0] ?? '';
    assert.notEqual(row, '', name);
    if (!('default' in field) || name in applications.items.properties) continue;
    const shown = Array.isArray(field.default) ? JSON.stringify(field.default).replaceAll(',', ', ') : field.default;
    assert.ok(row.includes(`default \`${shown}\``) || row.includes(`default ${shown}`), `${name}: ${row}`);
  }
});

test('every configuration passes on every identity header', () => {
  const configurations = fencesIn(guide).filter(({ body }) =>
    /copy_headers|authResponseHeaders:|proxy_set_header/.test(body),
  );
  assert.deepEqual(
    configurations.map(({ info }) => info),
    ['nginx file=snippets/gate.conf', 'caddyfile file=Caddyfile', 'yaml'],
  );
  for (const [name, claim] of Object.entries(standardHeaders)) {
    for (const { info, body } of configurations) assert.ok(body.includes(name), `${name} in ${info}`);
    assert.ok(guide.includes(`| \`${name}\` | \`${claim}\` |`), name);
  }
});

test('it says that Traefik was read, not run', () => {
  assert.match(guide, /^## Traefik\n\nWe read [^.]*\d\.\d[^.]*; we haven't run it\./m);
});

test('what it says that people see is what the pages say', () => {
  for (const kind of ['unknown_host', 'insecure', 'no_cookie'] as const) {
    assert.ok(guide.includes(`| "${en.titles[kind]}" |`), kind);
  }
});
