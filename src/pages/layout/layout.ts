// What every page needs, the HTML around it, and the layout of pages that stand alone: one sheet below the service's name.

import type { Theme } from '../../protocol/brand/accent.ts';
import type { Brand } from '../../protocol/brand/brand.ts';
import { icon } from '../components/icon.ts';
import { languages, type Messages } from '../languages/languages.ts';
import { hidden } from './form.ts';
import { type Html, html, type Interpolation } from './html.ts';
import { type AppIdentity, appIcon } from './identity.ts';

/** The attribute by which each script finds what it works on. */
const hooks = {
  passkeys: 'data-passkey',
  copy: 'data-copy',
  passwords: 'data-reveal',
  times: 'data-time',
  files: 'data-face-of',
  poll: 'data-poll',
  questions: 'data-ask',
  picks: 'data-picks',
  ends: 'data-end',
  names: 'data-names',
  follows: 'data-follows',
  notices: 'data-dismiss',
  previews: 'data-preview',
  search: 'data-search',
};

export type Script = keyof typeof hooks;

/** Paths of the stylesheets, the icon and the scripts, with their version. */
export interface AssetPaths {
  readonly stylesheet: string;
  readonly consoleStylesheet: string;
  readonly icon: string;
  readonly scripts: Readonly<Record<Script, string>>;
}

export interface Frame {
  readonly messages: Messages;
  readonly assets: AssetPaths;
  readonly brand: Brand;
  /** How the page is shown again after another language was picked; undefined where that can't be. */
  readonly returnTo?: string | FormAgain | undefined;
  /** Whatever the browser prefers; undefined for that. */
  readonly theme?: Theme | undefined;
}

/** Where a page that answers a form comes again, and the fields that it's made of. */
export interface FormAgain {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

export interface PageContent {
  readonly title: string;
  readonly body: Html;
  readonly width?: 'wide' | 'broad';
}

export function layout(frame: Frame, content: PageContent): string {
  const width = content.width === undefined ? '' : ` ${content.width}`;
  return htmlDocument(frame, {
    title: content.title,
    look: `single${width}`,
    consoleStylesheet: content.width === 'broad',
    body: html`<header class="bar">${brand(frame)}</header>
<main id="content" class="sheet">
${content.body}
</main>
${footer(frame)}`,
  });
}

/** The top of a page that stands alone, with the application that it leads to. */
export function leading(title: string, text?: Html | string | false, app?: AppIdentity, more?: Interpolation): Html {
  return html`<div class="lead">
${app && appIcon(app)}
<h1>${title}</h1>
${text && html`<p>${text}</p>`}
${more}
</div>`;
}

export interface DocumentContent {
  readonly title: string;
  /** The classes of the body. */
  readonly look: string;
  readonly consoleStylesheet: boolean;
  readonly body: Html;
}

export function htmlDocument(frame: Frame, content: DocumentContent): string {
  const { messages, assets } = frame;
  // Modules, so that names in one script are none in another.
  const scripts = scriptsFor(content.body).map(
    (script) => html`<script src="${assets.scripts[script]}" type="module"></script>\n`,
  );
  return html`<!doctype html>
<html lang="${messages.language}" dir="${languages[messages.language].direction}"${frame.theme !== undefined && html` data-theme="${frame.theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${messages.title(content.title, frame.brand.name)}</title>
${frame.brand.favicon === undefined ? html`<link rel="icon" href="${assets.icon}" type="image/svg+xml">` : html`<link rel="icon" href="${frame.brand.favicon}">`}
<link rel="stylesheet" href="${assets.stylesheet}">
${content.consoleStylesheet && html`<link rel="stylesheet" href="${assets.consoleStylesheet}">`}
${frame.brand.stylesheet !== undefined && html`<link rel="stylesheet" href="${frame.brand.stylesheet}">`}
${scripts}</head>
<body class="${content.look}">
<a class="skip" href="#content">${messages.skipToContent}</a>
${content.body}
</body>
</html>
`.text;
}

export function footer(frame: Frame): Html | undefined {
  const { messages, returnTo } = frame;
  const links = brandLinks(frame.brand, messages).map(
    ({ label, url }) => html`<li><a href="${url}" rel="noopener noreferrer">${label}</a></li>`,
  );
  if (returnTo === undefined && links.length === 0) return undefined;
  return html`<footer class="footer">${returnTo !== undefined && languagePicker(messages, returnTo)}${links.length > 0 && html`<ul class="brand-links">${links}</ul>`}</footer>`;
}

/** A page loads the scripts that its content has work for. */
function scriptsFor(body: Html): Script[] {
  return (Object.keys(hooks) as Script[]).filter((script) => body.text.includes(` ${hooks[script]}=`));
}

/** The service's logo, or its mark and name, as a link to where its users are at home. */
export function brand(frame: Frame): Html {
  const { logo, name, monogram } = frame.brand;
  const mark = monogram === undefined ? keyMark : html`<span class="monogram" aria-hidden="true">${monogram}</span>`;
  return html`<a class="brand" href="/account">${logo === undefined ? html`${mark}<span>${name}</span>` : picture(logo, name)}</a>`;
}

function picture(logo: { light: string; dark: string }, name: string): Html {
  const dark = html`<source srcset="${logo.dark}" media="(prefers-color-scheme: dark)">`;
  return html`<picture>${logo.dark !== logo.light && dark}<img class="brand-logo" src="${logo.light}" alt="${name}"></picture>`;
}

/** The links at the foot of every page and email. */
export function brandLinks({ links }: Brand, messages: Messages): { label: string; url: string }[] {
  return (['support', 'terms', 'privacy'] as const).flatMap((link) => {
    const url = links[link];
    return url === undefined ? [] : [{ label: messages.links[link], url }];
  });
}

const keyMark = html`<svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false"><circle cx="8" cy="8" r="5" fill="none" stroke="currentColor" stroke-width="2.5"/><path d="M11.8 11.8 21 21m-4.5-4.5 2.5-2.5" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round"/></svg>`;

/** Every language by its own name. It's a form, so it works without a script. */
function languagePicker(messages: Messages, returnTo: string | FormAgain): Html {
  const { action, fields } =
    typeof returnTo === 'string' ? { action: '/language', fields: { return_to: returnTo } } : returnTo;
  const choices = Object.entries(languages).map(
    ([tag, { name }]) =>
      html`<button type="submit" name="language" value="${tag}" lang="${tag}"${tag === messages.language && html` aria-current="true"`}>${name}</button>`,
  );
  return html`<details class="menu languages">
<summary class="button quiet-button small">${icon('language', 'small')}<span class="unseen">${messages.languagePicker}: </span>${languages[messages.language].name}</summary>
<form class="menu-items" method="post" action="${action}">
${Object.entries(fields).map(([name, value]) => hidden(name, value))}
${choices}
</form>
</details>`;
}
