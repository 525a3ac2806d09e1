// The gate's own pages as HTML, in the reader's language. They need no script and load nothing.

import { type LanguageTag, matchLanguage, readAcceptLanguage } from '../../protocol/languages.ts';
import { escapeHtml, foreignName, ownPath } from './html.ts';
import type { GatePage, RenderedPage, Texts } from './page.ts';
import { style, styleSource } from './style.ts';
import { ar, ja, ko, zhHans } from './texts/asian-arabic.ts';
import { de, en, nl } from './texts/germanic.ts';
import { es, fr, it, ptBR } from './texts/romance.ts';
import { pl, tr, uk } from './texts/slavic-turkish.ts';

export const textsIn: Readonly<Record<LanguageTag, Texts>> = {
  en,
  de,
  fr,
  es,
  'pt-BR': ptBR,
  it,
  nl,
  pl,
  tr,
  uk,
  ja,
  ko,
  'zh-Hans': zhHans,
  ar,
};

const statuses: Readonly<Record<GatePage['kind'], number>> = {
  forbidden: 403,
  unknown_host: 403,
  insecure: 403,
  no_cookie: 400,
  sign_in_failed: 400,
  canceled: 403,
  unavailable: 503,
  signed_in: 200,
  sign_out: 200,
  signed_out: 200,
  not_found: 404,
};

export function statusOf({ kind }: GatePage): number {
  return statuses[kind];
}

/** `formActions` are the origins to which the answer to the sign-out form redirects: browsers check them, too. */
export function gatePage(
  page: GatePage,
  acceptLanguage: string | undefined,
  options: { readonly formActions: readonly string[] },
): RenderedPage {
  const language = matchLanguage(readAcceptLanguage(acceptLanguage ?? '')) ?? 'en';
  const formAction = page.kind === 'sign_out' ? ["'self'", ...options.formActions].join(' ') : "'none'";
  const headers: Record<string, string> = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src ${styleSource}; form-action ${formAction}; frame-ancestors 'none'; base-uri 'none'`,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    // With no-referrer, the form would be sent with "Origin: null".
    'Referrer-Policy': 'same-origin',
    Vary: 'Accept-Language',
  };
  if (page.kind === 'unavailable') headers['Retry-After'] = '5';
  return { status: statusOf(page), headers, html: documentOf(page, language) };
}

function documentOf(page: GatePage, language: LanguageTag): string {
  const texts = textsIn[language];
  const title = escapeHtml(texts.titles[page.kind]);
  return `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
${keyMark}
<h1>${title}</h1>
${[...paragraphs(page, texts), ...actions(page, texts)].join('\n')}
</main>
</body>
</html>
`;
}

const keyMark =
  '<svg viewBox="0 0 24 24" width="28" height="28" aria-hidden="true" focusable="false"><circle cx="8" cy="8" r="5" fill="none" stroke="currentColor" stroke-width="2.5"/><path d="M11.8 11.8 21 21m-4.5-4.5 2.5-2.5" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round"/></svg>';

function paragraphs(page: GatePage, texts: Texts): string[] {
  const shown: string[] = [];
  if ('account' in page) {
    shown.push(`<p class="subject"><span>${escapeHtml(texts.signedInAs)}</span> ${foreignName(page.account)}</p>`);
  }
  if ('host' in page) shown.push(`<p class="subject">${foreignName(page.host)}</p>`);
  if (page.kind !== 'signed_in') shown.push(`<p>${sentence(texts.texts[page.kind])}</p>`);
  if ('host' in page) shown.push(`<p class="aside">${sentence(texts.forAdministrators[page.kind])}</p>`);
  return shown;
}

/** What is in backticks is code, and runs from left to right in every language. */
function sentence(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code dir="ltr">$1</code>');
}

/** What can be done next, most likely first. */
function actions(page: GatePage, { actions: labels }: Texts): string[] {
  const link = (label: string, path: string, look = 'button') =>
    `<a class="${look}" href="${ownPath(path)}">${escapeHtml(label)}</a>`;
  const first = (label: string, path: string) => link(label, path, 'button primary');
  switch (page.kind) {
    case 'forbidden':
      return group(first(labels.otherAccount, page.otherAccount), link(labels.signOut, page.signOut));
    case 'no_cookie':
    case 'sign_in_failed':
    case 'canceled':
    case 'unavailable':
      return group(first(labels.tryAgain, page.retry));
    case 'signed_in':
      return group(first(labels.continue, page.to), link(labels.signOut, page.signOut));
    case 'sign_out':
      return group(
        `<form method="post" action="${ownPath(page.action)}"><button class="button primary">${escapeHtml(labels.signOut)}</button></form>`,
        link(labels.cancel, '/'),
      );
    case 'signed_out':
      return group(first(labels.signIn, page.signIn));
    case 'unknown_host':
    case 'insecure':
    case 'not_found':
      return [];
  }
}

function group(...items: string[]): string[] {
  return [`<div class="actions">${items.join('\n')}</div>`];
}
