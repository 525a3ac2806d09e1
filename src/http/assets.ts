// Serves the stylesheets, the icon and the scripts. Each file is read once and has a hash of its content in its path, so
// that browsers can cache it forever.

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

export function loadAssets(): Assets {
  const load = (name: string, type: string) => {
    const bytes = readFileSync(new URL(`../pages/assets/${name}`, import.meta.url));
    const version = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
    return { path: `/assets/${name.replace('.', `.${version}.`)}`, type, bytes };
  };
  const stylesheet = load('style.css', 'text/css; charset=utf-8');
  const consoleStylesheet = load('console.css', 'text/css; charset=utf-8');
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
