// Reads the client guides in docs/clients and fills in a client's settings, so that `client create` and the console can show a
// program that runs as it is. For software without a guide, it's the settings of the compatibility page, and for the gate those
// of its own page.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { EnvSettings } from '../protocol/admin/file-formats.ts';

/** The documents of this installation. */
export const docsFolder = new URL('../../docs/', import.meta.url);

/** An installation may leave them out. */
export function docsAreIncluded(): boolean {
  return existsSync(docsFolder);
}

const folder = new URL('clients/', docsFolder);
/** The page with settings for software that has no guide, in blocks such as "```ini for=actual-budget". */
const compatibility = 'compatibility';
/** Pages about software that we haven't run. Their settings are in such blocks, too, if there are any that work. */
const readOnly = ['gitea', 'grafana', 'immich', 'open-webui', 'portainer', 'tinyauth'];
/** By their path in the documentation. */
const pagesWithSettings = [...[compatibility, ...readOnly].map((name) => `clients/${name}`), 'gate'];
/** Pages in the folder that aren't guides. */
const others = new Set(['README', compatibility, ...readOnly]);
/** What runs in the browser, which can't keep a secret. */
const publicOnly = new Set(['angular-auth-oidc-client', 'oidc-client-ts', 'react-oidc-context']);
/** Where people return to, in software that doesn't leave it to the redirect URI. */
const callbackPaths: Readonly<Record<string, string>> = {
  'actual-budget': '/openid/callback',
  authjs: '/auth/callback/latchkey',
  'better-auth': '/api/auth/callback/latchkey',
  directus: '/auth/login/latchkey/callback',
  gate: '/gate/callback',
  gitea: '/user/oauth2/latchkey/callback',
  grafana: '/login/generic_oauth',
  grant: '/connect/latchkey/callback',
  immich: '/auth/login',
  'mod-auth-openidc': '/account/callback',
  'next-auth': '/api/auth/callback/latchkey',
  'node-red': '/auth/strategy/callback',
  'omniauth-oauth2': '/auth/latchkey/callback',
  'open-webui': '/oauth/oidc/callback',
  tinyauth: '/api/oauth/callback/latchkey',
};

/** How the list to choose from calls libraries: by the framework, because that's what people look for. Other software has its own name. */
const frameworks: Readonly<Record<string, string>> = {
  'angular-auth-oidc-client': 'Angular (angular-auth-oidc-client)',
  authjs: 'Express (Auth.js)',
  authlib: 'Flask, Django or FastAPI (Authlib)',
  'badgateway-oauth2-client': 'Node.js (@badgateway/oauth2-client)',
  'better-auth': 'Express (better-auth)',
  'express-openid-connect': 'Express (express-openid-connect)',
  'fastify-oauth2': 'Fastify (@fastify/oauth2)',
  fetch: 'Node.js without a library (fetch)',
  'go-oidc': 'Go (go-oidc)',
  grant: 'Express (grant)',
  'hapi-bell': 'hapi (@hapi/bell)',
  'mod-auth-openidc': 'Apache (mod_auth_openidc)',
  'next-auth': 'Next.js (next-auth)',
  oauth4webapi: 'Node.js (oauth4webapi)',
  'oidc-client-ts': 'JavaScript in the browser (oidc-client-ts)',
  'omniauth-oauth2': 'Rails or Sinatra (omniauth-oauth2)',
  'openid-client': 'Node.js (openid-client)',
  'passport-oauth2': 'Passport (passport-oauth2)',
  'react-oidc-context': 'React (react-oidc-context)',
  'requests-oauthlib': 'Python (requests-oauthlib)',
  'simple-oauth2': 'Node.js (simple-oauth2)',
};

/** What insists on the whole redirect URI, because it makes it of the host that a browser asks for. */
const atRoot = new Set(['gate']);
/** What to do with settings that the secret isn't part of. */
const nextSteps: Readonly<Record<string, string>> = {
  gate: `Add this to "applications" in the gate's file. Put the secret, and nothing else, into the file that it names, readable by the
gate alone. Then run:

  latchkey gate check-config FILE

People who sign out of Latchkey are signed out here, too, if it can tell the gate. Unless you've given the URI already, run:

  latchkey client update \${OIDC_CLIENT_ID} --backchannel-logout-uri \${APP_URL}/gate/backchannel-logout`,
};

export interface Guide {
  readonly name: string;
  readonly isPublic: boolean;
  /** What the redirect URI has to end with, if the software insists. */
  readonly callbackPath: string | undefined;
  /** Whether the origin and this path are all of it. */
  readonly isAtRoot: boolean;
  /** The page, for people to read. */
  readonly path: string;
  /** The command that installs what the program needs. */
  readonly install: string | undefined;
  /** All lines of it, such as the settings of a compiler. */
  readonly installCommands: readonly string[];
  /** How the program is started in its folder; undefined if it runs elsewhere. */
  readonly run: readonly string[] | undefined;
  /** Variables that the program reads besides the client's settings, as lines of a .env file. */
  readonly environment: string | undefined;
  /** One file without a name for software that has no guide. */
  readonly files: readonly GuideFile[];
  /** What to do with them, if the secret has to go elsewhere. */
  readonly nextSteps: string | undefined;
}

export interface GuideFile {
  /** Undefined for settings that belong into a file of the reader's. */
  readonly name: string | undefined;
  readonly language: string;
  readonly text: string;
}

let labelled: readonly { readonly name: string; readonly label: string }[] | undefined;

/** The guides for one type of application, by framework. They're read once. */
export function guidesFor(isPublic: boolean): { readonly name: string; readonly label: string }[] {
  const settings = labelled === undefined ? readSettings() : undefined;
  labelled ??= guideNames()
    .map((name) => ({ name, label: frameworks[name] ?? titleOf(name, settings?.get(name)?.page ?? `clients/${name}`) }))
    .sort((a, b) => a.label.localeCompare(b.label, 'en', { sensitivity: 'base' }));
  return labelled.filter(({ name }) => publicOnly.has(name) === isPublic);
}

/** The page's title, or the heading above the settings where a page has those of several. */
function titleOf(name: string, page: string): string {
  const text = readPage(page);
  const above = text.slice(0, text.indexOf(` for=${name}\n`));
  const headings = page === `clients/${compatibility}` ? above.match(/^### .+$/gm) : text.match(/^# .+$/m);
  return headings?.at(-1)?.replace(/^#+ /, '') ?? name;
}

/** None in an installation that leaves the documentation out. */
export function guideNames(): string[] {
  if (!existsSync(folder)) return [];
  const pages = readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -3));
  return [...pages.filter((name) => !others.has(name)), ...readSettings().keys()].sort();
}

/** Finds a guide by name, ignoring case and punctuation: "Auth.js" is authjs. */
export function guideCalled(wanted: string): Guide | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const name = guideNames().find((candidate) => plain(candidate) === plain(wanted));
  if (name === undefined) return undefined;
  const known = {
    name,
    isPublic: publicOnly.has(name),
    callbackPath: callbackPaths[name],
    isAtRoot: atRoot.has(name),
    nextSteps: nextSteps[name],
  };
  const settings = readSettings().get(name);
  if (settings !== undefined) {
    const path = `docs/${settings.page}.md`;
    const nothing = { install: undefined, installCommands: [], run: undefined, environment: undefined };
    return { ...known, ...nothing, path, files: [settings.file] };
  }
  const text = readPage(`clients/${name}`);
  const blocks = text.matchAll(/^```(\w+) file=(\S+)\n([\s\S]*?)^```/gm);
  const files = [...blocks].map(([, language = '', file = '', code = '']) => ({ name: file, language, text: code }));
  const install = /^(?:npm install|apt-get install|pip install) .*$/m.exec(text)?.[0];
  const environment = /^```sh\n((?:[A-Z_]+=.*\n)+)```/m.exec(text)?.[1];
  const installCommands = commandsIn(text, 'Install') ?? [];
  const run = commandsIn(text, 'The program');
  return { ...known, path: `docs/clients/${name}.md`, install, installCommands, run, environment, files };
}

/** The lines of the last shell block in a section. */
function commandsIn(page: string, heading: string): string[] | undefined {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [text = ''] = section.split(/^## /m);
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)];
  return blocks.at(-1)?.[1]?.trim().split('\n');
}

function readSettings(): Map<string, { readonly page: string; readonly file: GuideFile }> {
  const settings = pagesWithSettings.flatMap((page) =>
    [...readPage(page).matchAll(/^( *)```(\w+) for=(\S+)\n([\s\S]*?)^\1```/gm)].map(
      ([, indent = '', language = '', name = '', indented = '']) => {
        // In a list, a block is as far in as its text.
        const text = indented.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
        return [name, { page, file: { name: undefined, language, text } }] as const;
      },
    ),
  );
  return new Map(settings);
}

function readPage(name: string): string {
  const file = new URL(`${name}.md`, docsFolder);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Where the application itself is: what comes before its callback, so that it can be below a path. */
export function appUrl(redirectUri: string, callbackPath: string | undefined): string {
  return callbackPath === undefined ? new URL(redirectUri).origin : redirectUri.slice(0, -callbackPath.length);
}

/** The first redirect URI that the guide's program could work with. */
export function redirectUriFor({ callbackPath, isAtRoot }: Guide, uris: readonly string[]): string | undefined {
  return uris.find((uri) => {
    const origin = URL.parse(uri)?.origin ?? 'null';
    if (origin === 'null' || callbackPath === undefined) return origin !== 'null';
    return isAtRoot ? uri === `${origin}${callbackPath}` : uri.endsWith(callbackPath);
  });
}

/** The guide's other variables. Guides are written for an application on port 3000. */
export function otherVariables(guide: Guide, { redirectUri }: EnvSettings): string | undefined {
  return guide.environment?.replace('http://localhost:3000', () => appUrl(redirectUri, guide.callbackPath));
}

/** What the guide says to do next, with the settings. */
export function filledInSteps(guide: Guide, settings: EnvSettings): string | undefined {
  return guide.nextSteps && withValues(guide.nextSteps, valuesOf(settings, guide.callbackPath));
}

/** Without a secret, programs read it from their environment, and settings keep the variable. */
type Values = Readonly<Record<string, string | undefined>>;

function valuesOf(settings: EnvSettings, callbackPath: string | undefined): Values {
  return {
    OIDC_ISSUER: settings.issuer,
    OIDC_CLIENT_ID: settings.clientId,
    OIDC_CLIENT_SECRET: settings.clientSecret,
    OIDC_REDIRECT_URI: settings.redirectUri,
    APP_URL: appUrl(settings.redirectUri, callbackPath),
    APP_HOST: new URL(settings.redirectUri).host,
  };
}

function withValues(text: string, values: Values, quoted = (value: string) => value): string {
  return text.replace(/\$\{(OIDC_\w+|APP_URL|APP_HOST)\}/g, (found, name: string) => {
    const value = values[name];
    return value === undefined ? found : quoted(value);
  });
}

/** The program with the settings in place of the environment variables. */
export function filledIn(file: GuideFile, settings: EnvSettings, callbackPath?: string): string {
  const values = valuesOf(settings, callbackPath);
  const literal = (name: string, variable: string) => JSON.stringify(values[name]) ?? variable;
  if (file.name === undefined) return withValues(file.text, values, escapes[file.language]);
  if (file.language === 'apache' || file.language === 'ini') return withValues(file.text, values);
  const variable = variables[file.language];
  if (variable !== undefined) return file.text.replace(variable, (found, name: string) => literal(name, found));
  return file.text.replace(/^const \{ (OIDC_\w+(?:, OIDC_\w+)*) \} = process\.env;$/m, (_, names: string) => {
    const constants = names.split(', ').map((name) => `const ${name} = ${literal(name, `process.env.${name}`)};`);
    return constants.join('\n');
  });
}

/** How languages other than JavaScript read a variable of the environment. */
const variables: Readonly<Record<string, RegExp>> = {
  go: /os\.Getenv\("(OIDC_\w+)"\)/g,
  python: /os\.environ\["(OIDC_\w+)"\]/g,
  ruby: /ENV\.fetch\('(OIDC_\w+)'\)/g,
};

/** For values between quotation marks: a redirect URI can contain an apostrophe. */
const escaped = (value: string) => value.replace(/['"\\]/g, '\\$&');
const escapes: Readonly<Record<string, typeof escaped>> = { js: escaped, python: escaped };
