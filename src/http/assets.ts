// Serves the stylesheets, the icon and the scripts. Each is read once and has a hash of its content in its path, so that
// browsers can cache it forever.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { AssetPaths, Script } from '../pages/layout/layout.ts';

export interface Assets extends AssetPaths {
  readonly files: readonly { readonly path: string; readonly type: string; readonly bytes: Buffer }[];
}

/** The files that each stylesheet is made of. Their order decides between rules that are equally specific. */
const stylesheets = {
  'style.css': [
    'tokens.css',
    'base.css',
    'shell.css',
    'sidebar.css',
    'controls.css',
    'forms.css',
    'display.css',
    'lists.css',
    'tables.css',
    'pages.css',
    'outbox.css',
    'print.css',
  ],
  'console.css': [
    'console.css',
    'choices.css',
    'search.css',
    'charts.css',
    'docs/docs.css',
    'docs/code.css',
    '../dev/components.css',
  ],
};

export function loadAssets(): Assets {
  const files: Assets['files'][number][] = [];
  const read = (name: string) => readFileSync(new URL(`../pages/assets/${name}`, import.meta.url));
  const load = (name: string, type: string, bytes = read(name)) => {
    const version = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
    const path = `/assets/${name.replace('.', `.${version}.`)}`;
    files.push({ path, type, bytes });
    return path;
  };
  const loadStylesheet = (name: keyof typeof stylesheets) => {
    const text = stylesheets[name].map((part) => read(part).toString()).join('\n');
    return load(name, 'text/css; charset=utf-8', Buffer.from(text));
  };
  const script = (name: Script) => load(`${name}.js`, 'text/javascript; charset=utf-8');
  return {
    stylesheet: loadStylesheet('style.css'),
    consoleStylesheet: loadStylesheet('console.css'),
    icon: load('icon.svg', 'image/svg+xml'),
    scripts: {
      passkeys: script('passkeys'),
      copy: script('copy'),
      passwords: script('passwords'),
      times: script('times'),
      files: script('files'),
      poll: script('poll'),
      questions: script('questions'),
      picks: script('picks'),
      follows: script('follows'),
      notices: script('notices'),
      previews: script('previews'),
      ends: script('ends'),
      names: script('names'),
      search: script('search'),
    },
    files,
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
