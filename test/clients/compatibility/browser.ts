// Libraries for the browser that docs/clients/compatibility.md tells about, with its settings, in Chromium.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { findGuide } from '../../../src/cli/clients/create.ts';
import { filledIn } from '../../../src/platform/client-guides.ts';
import { freePort } from '../../harness/service.ts';
import { type Stage, setStage } from '../guide-journey.ts';
import { folderOf } from './software.ts';

let stage: Stage;

before(async () => {
  stage = await setStage();
});
after(() => stage?.stop());

interface Bundler {
  build(options: Readonly<Record<string, unknown>>): Promise<{ outputFiles: readonly { text: string }[] }>;
}
const packages = folderOf('libraries');
const { build } = createRequire(join(packages, 'package.json'))('esbuild') as Bundler;

async function signIn(name: string, change: (settings: string) => string): Promise<string> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const app = await stage.service.newClient({ isPublic: true, redirectUris: [`${origin}/callback`] });
  const [file] = findGuide(name).files;
  assert.ok(file);
  const values = { issuer: stage.proxy.url, clientId: app.id, clientSecret: undefined, redirectUri: app.redirectUri };
  const folder = mkdtempSync(join(packages, 'latchkey-try-'));
  const program = readFileSync(join(folderOf('tries'), `${name}.mjs`), 'utf8');
  writeFileSync(join(folder, 'app.mjs'), `${change(filledIn(file, values))}\n${program}`);
  const { outputFiles } = await build({
    ...{ entryPoints: [join(folder, 'app.mjs')], bundle: true, write: false, format: 'esm', logLevel: 'silent' },
  });
  const server = createServer((request, response) => {
    if (request.url === '/app.js') response.setHeader('Content-Type', 'text/javascript').end(outputFiles[0]?.text);
    else
      response
        .setHeader('Content-Type', 'text/html')
        .end('<a>Sign in</a><p></p><script type="module" src="/app.js"></script>');
  });
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve));
  const context = await stage.browser.newContext();
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(origin);
    await page.waitForSelector('p:has-text("isAuthenticated")');
    await page.click('a');
    await page.fill('input[name=email]', stage.user.email);
    await page.fill('input[name=password]', stage.user.password);
    await page.click('button[type=submit]');
    await page.click('button[value=approve]');
    await page.waitForURL((url) => url.origin === origin);
    await page.waitForSelector('p:has-text("isAuthenticated")');
    return await page.innerText('p');
  } finally {
    await context.close();
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true });
  }
}

test('angular-auth-oidc-client signs a person in with ID-token validation off, and only then', async () => {
  const name = 'angular-auth-oidc-client';
  const result = await signIn(name, (settings) => settings);
  assert.ok(result.includes('"isAuthenticated":true') && result.includes(stage.user.id), result);
  const refused = await signIn(name, (settings) => settings.replace('disableIdTokenValidation: true,', ''));
  assert.ok(refused.includes('"isAuthenticated":false'), refused);
});
