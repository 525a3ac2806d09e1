// The HTML around the content of every page.

import { languages } from '../languages/languages.ts';
import type { Messages } from '../messages/messages.ts';
import { type Html, html } from './html.ts';
import { languagePicker } from './language-picker.ts';

export type Script = 'passkeys' | 'copy';
type ScriptFile = Script | 'times';

/** What every page needs, whatever is on it. */
export interface Frame {
  readonly messages: Messages;
  readonly brand: { readonly name: string };
  /** Where the page is shown again after another language was picked; undefined where none can be. */
  readonly returnTo?: string | undefined;
  /** Paths of the stylesheets, the icon and the scripts, with their version. */
  readonly assets: {
    readonly stylesheet: string;
    readonly consoleStylesheet: string;
    readonly icon: string;
    readonly scripts: Readonly<Record<ScriptFile, string>>;
  };
}

export interface PageContent {
  readonly title: string;
  readonly body: Html;
  /** Shown in the header, on the right. */
  readonly corner?: Html;
  readonly width?: 'wide' | 'broad';
  readonly script?: Script | undefined;
}

export function layout(frame: Frame, content: PageContent): string {
  const { messages, assets } = frame;
  const width = { narrow: '', wide: ' wide', broad: ' wide broad' }[content.width ?? 'narrow'];
  return html`<!doctype html>
<html lang="${messages.language}" dir="${languages[messages.language].direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${messages.title(content.title, frame.brand.name)}</title>
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.stylesheet}">
${content.width === 'broad' && html`<link rel="stylesheet" href="${assets.consoleStylesheet}">`}
<script src="${assets.scripts.times}" defer></script>
${content.script !== undefined && html`<script src="${assets.scripts[content.script]}" defer></script>`}
</head>
<body>
<a class="skip" href="#content">${messages.skipToContent}</a>
<header class="bar${width}">
<span class="brand">${keyMark}${frame.brand.name}</span>
${content.corner}
</header>
<main id="content" class="sheet${width}">
${content.body}
</main>
${frame.returnTo !== undefined && languagePicker(messages, frame.returnTo)}
</body>
</html>
`.text;
}

const keyMark = html`<svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false"><circle cx="8" cy="8" r="5" fill="none" stroke="currentColor" stroke-width="2.5"/><path d="M11.8 11.8 21 21m-4.5-4.5 2.5-2.5" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round"/></svg>`;

/** A message that needs attention, if there is one. */
export function alert(text: string | undefined): Html | undefined {
  return text === undefined ? undefined : html`<p class="alert" role="alert">${text}</p>`;
}
