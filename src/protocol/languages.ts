// The languages that people can read the pages and emails in, and how a wish for one is met (RFC 4647, section 3.4).

import { includes } from './reading/includes.ts';

export const languageTags = [
  'en',
  'de',
  'fr',
  'es',
  'pt-BR',
  'it',
  'nl',
  'pl',
  'tr',
  'uk',
  'ja',
  'ko',
  'zh-Hans',
  'ar',
] as const;
export type LanguageTag = (typeof languageTags)[number];

export function isLanguageTag(text: string): text is LanguageTag {
  return includes(languageTags, text);
}

/** A header or parameter is read up to this many wishes. */
const wishLimit = 20;

/** The first wish that can be met; a wish for "de-AT" is met by "de". */
export function matchLanguage(wishes: readonly string[]): LanguageTag | undefined {
  for (const wish of wishes.slice(0, wishLimit)) {
    const match = closestTag(wish);
    if (match !== undefined) return match;
  }
  return undefined;
}

/** The wishes of a `ui_locales` parameter, in their order. */
export function readUiLocales(text: string): string[] {
  return text.split(' ').filter((wish) => wish !== '');
}

/** The wishes of an Accept-Language header (RFC 9110, section 12.5.4), the most wanted first. */
export function readAcceptLanguage(header: string): string[] {
  return header
    .slice(0, 1000)
    .split(',')
    .slice(0, wishLimit)
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((piece) => piece.trim());
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return { tag, quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag);
}

function closestTag(wish: string): LanguageTag | undefined {
  const parts = wish.toLowerCase().split(/[-_]/);
  const [language, ...rest] = parts;
  // The one Chinese here is the simplified one, which isn't what readers of the traditional script want.
  if (language === 'zh') return rest.some((part) => ['hant', 'tw', 'hk', 'mo'].includes(part)) ? undefined : 'zh-Hans';
  return languageTags.find((tag) => tag.toLowerCase() === wish.toLowerCase() || tag.split('-')[0] === language);
}
