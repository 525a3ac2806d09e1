// Serves the stylesheets, the icon and the scripts. Each is read once and has a hash of its content in its path, so that
// browsers can cache it forever.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

export interface Assets {
  readonly stylesheet: string;
  readonly consoleStylesheet: string;
  readonly icon: string;
  readonly scripts: { readonly passkeys: string; readonly copy: string };
  readonly files: readonly { readonly path: string; readonly type: string; readonly bytes: Buffer }[];
}

/** The files that each stylesheet is made of. Their order decides between rules that are equally specific. */
const stylesheets = {
  'style.css': ['base.css', 'forms.css', 'consent.css', 'account.css'],
  'console.css': ['console.css', 'console-data.css', 'docs.css', 'docs-code.css', 'docs-search.css'],
};

export function loadAssets(): Assets {
  const read = (name: string) => readFileSync(new URL(`../pages/assets/${name}`, import.meta.url));
  const load = (name: string, type: string, bytes = read(name)) => {
    const version = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
    return { path: `/assets/${name.replace('.', `.${version}.`)}`, type, bytes };
  };
  const loadStylesheet = (name: keyof typeof stylesheets) => {
    const text = stylesheets[name].map((part) => read(part).toString()).join('\n');
    return load(name, 'text/css; charset=utf-8', Buffer.from(text));
  };
  const stylesheet = loadStylesheet('style.css');
  const consoleStylesheet = loadStylesheet('console.css');
  const icon = load('icon.svg', 'image/svg+xml');
  const passkeys = load('passkeys.js', 'text/javascript; charset=utf-8');
  const copy = load('copy.js', 'text/javascript; charset=utf-8');
  const scripts = { passkeys: passkeys.path, copy: copy.path };
  return {
    stylesheet: stylesheet.path,
    consoleStylesheet: consoleStylesheet.path,
    icon: icon.path,
    scripts,
    files: [stylesheet, consoleStylesheet, icon, passkeys, copy],
  };
}

export function assetRoutes(app: FastifyInstance, assets: Assets): void {
  for (const file of assets.files) {
    app.get(file.path, (_request, reply) =>
      reply
        .header('Content-Type', file.type)
        .header('Cache-Control', 'public, max-age=31536000, immutable')
        .header('X-Content-Type-Options', 'nosniff')
        .header('Content-Security-Policy', "default-src 'none'")
        .send(file.bytes),
    );
  }
}
