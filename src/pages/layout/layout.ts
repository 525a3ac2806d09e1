// The HTML around every page, and the layout of pages that stand alone: one sheet below the service's name.

import { languages } from '../languages/languages.ts';
import { brand, brandLinks } from './brand.ts';
import type { Frame, Script } from './frame.ts';
import { type Html, html } from './html.ts';
import { languagePicker } from './language-picker.ts';

export type { Frame } from './frame.ts';

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

export interface DocumentContent {
  readonly title: string;
  /** The classes of the body. */
  readonly look: string;
  readonly consoleStylesheet: boolean;
  readonly body: Html;
}

export function htmlDocument(frame: Frame, content: DocumentContent): string {
  const { messages, assets } = frame;
  const scripts = scriptsFor(content.body).map(
    (script) => html`<script src="${assets.scripts[script]}" defer></script>\n`,
  );
  return html`<!doctype html>
<html lang="${messages.language}" dir="${languages[messages.language].direction}">
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
  const links = brandLinks(frame);
  if (frame.returnTo === undefined && links === undefined) return undefined;
  return html`<footer class="footer">${frame.returnTo !== undefined && languagePicker(frame.messages, frame.returnTo)}${links}</footer>`;
}

/** The attribute by which each script finds what it works on. */
const hooks: Record<Script, string> = {
  passkeys: 'data-passkey',
  copy: 'data-copy',
  passwords: 'data-reveal',
  times: 'data-time',
  files: 'data-face-of',
};

/** A page loads the scripts that its content has work for. */
function scriptsFor(body: Html): Script[] {
  return (Object.keys(hooks) as Script[]).filter((script) => body.text.includes(` ${hooks[script]}=`));
}
