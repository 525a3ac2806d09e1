// Reads the client guides in docs/clients and fills in a client's settings in place of environment variables, so that
// `client create` can print a program that runs as it is.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EnvSettings } from '../../protocol/admin/env-file.ts';
import { UsageError } from '../command.ts';

const folder = fileURLToPath(new URL('../../../docs/clients/', import.meta.url));
/** Pages in the folder that aren't guides. */
const others = new Set(['README', 'not-supported']);
/** Guides for public clients. */
const publicOnly = new Set(['oidc-client-ts']);

export interface Guide {
  readonly name: string;
  readonly isPublic: boolean;
  /** The page, for people to read. */
  readonly path: string;
  /** The command that installs what the program needs. */
  readonly install: string | undefined;
  readonly files: readonly { readonly name: string; readonly language: string; readonly text: string }[];
}

/** None in an installation that leaves the documentation out. */
export function guideNames(): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -3))
    .filter((name) => !others.has(name))
    .sort();
}

/** Finds a guide by name, ignoring case and punctuation: "Auth.js" is authjs. */
export function findGuide(wanted: string): Guide {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const name = guideNames().find((candidate) => plain(candidate) === plain(wanted));
  if (name === undefined) {
    const instead = guideNames().length > 0 ? `. Guides: ${guideNames().join(', ')}` : ' in this installation';
    throw new UsageError(`there's no guide for "${wanted}"${instead}`);
  }
  const text = readFileSync(join(folder, `${name}.md`), 'utf8');
  const blocks = text.matchAll(/^```(\w+) file=(\S+)\n([\s\S]*?)^```/gm);
  const files = [...blocks].map(([, language = '', file = '', code = '']) => ({ name: file, language, text: code }));
  const install = /^(?:npm install|apt-get install|pip install) .*$/m.exec(text)?.[0];
  return { name, isPublic: publicOnly.has(name), path: `docs/clients/${name}.md`, install, files };
}

/** The program with the settings in place of the environment variables. */
export function filledIn(file: Guide['files'][number], settings: EnvSettings): string {
  const values: Record<string, string> = {
    OIDC_ISSUER: settings.issuer,
    OIDC_CLIENT_ID: settings.clientId,
    OIDC_CLIENT_SECRET: settings.clientSecret ?? '',
    OIDC_REDIRECT_URI: settings.redirectUri,
  };
  const literal = (name: string) => JSON.stringify(values[name]);
  switch (file.language) {
    case 'apache':
      return file.text.replace(/\$\{(OIDC_\w+)\}/g, (found, name: string) => values[name] ?? found);
    case 'python':
      return file.text.replace(/os\.environ\["(OIDC_\w+)"\]/g, (_, name: string) => literal(name));
    default:
      return file.text.replace(/^const \{ (OIDC_\w+(?:, OIDC_\w+)*) \} = process\.env;$/m, (_, names: string) =>
        names
          .split(', ')
          .map((name) => `const ${name} = ${literal(name)};`)
          .join('\n'),
      );
  }
}
