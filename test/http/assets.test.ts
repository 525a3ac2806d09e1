// The stylesheets that pages link to are served, and together they hold every CSS file of the source.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { root } from '../harness/command.ts';
import { startTestService, type TestService } from '../harness/service.ts';

const folder = join(root, 'src/pages/assets');

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

async function stylesheetsOf(path: string): Promise<{ path: string; text: string }[]> {
  const page = await (await fetch(service.url + path)).text();
  const paths = [...page.matchAll(/<link rel="stylesheet" href="([^"]+)">/g)].map(([, href = '']) => href);
  return Promise.all(
    paths.map(async (path) => {
      const response = await fetch(service.url + path);
      assert.equal(response.status, 200, path);
      assert.equal(response.headers.get('content-type'), 'text/css; charset=utf-8');
      assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
      return { path, text: await response.text() };
    }),
  );
}

test('a page has one stylesheet; the documentation and the console have a second one', async () => {
  const [style, ...others] = await stylesheetsOf('/sign-in');
  assert.match(style?.path ?? '', /^\/assets\/style\.[0-9a-f]{12}\.css$/);
  assert.deepEqual(others, []);
  const [first, second, ...more] = await stylesheetsOf('/docs');
  assert.deepEqual(first, style);
  assert.match(second?.path ?? '', /^\/assets\/console\.[0-9a-f]{12}\.css$/);
  assert.deepEqual(more, []);
});

test('every CSS file is in exactly one stylesheet, and the tokens come first', async () => {
  const served = await stylesheetsOf('/docs');
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.css'))) {
    const part = readFileSync(join(folder, name), 'utf8');
    assert.equal(served.filter(({ text }) => text.includes(part)).length, 1, name);
  }
  assert.ok(served[0]?.text.startsWith(readFileSync(join(folder, 'tokens.css'), 'utf8')));
});

test('colors are only defined in tokens.css, and no rule uses left or right', () => {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.css'))) {
    const text = readFileSync(join(folder, name), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
    if (name !== 'tokens.css') assert.doesNotMatch(text, /#[0-9a-f]{3,8}\b|\b(rgb|hsl|oklch)\(/i, name);
    assert.doesNotMatch(text, /\b(left|right)\s*[:;]|-(left|right)\s*:/, `${name} would not be mirrored`);
  }
});
