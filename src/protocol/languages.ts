// The languages of pages and emails, and how a requested one is matched (RFC 4647, section 3.4).

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

/** At most this many languages of a header or parameter are read. */
const wishLimit = 20;

/** The first match; "de" matches "de-AT". */
export function matchLanguage(wishes: readonly string[]): LanguageTag | undefined {
  for (const wish of wishes.slice(0, wishLimit)) {
    const match = closestTag(wish);
    if (match !== undefined) return match;
  }
  return undefined;
}

/** The languages of a `ui_locales` parameter, in order. */
export function readUiLocales(text: string): string[] {
  return text.split(' ').filter((wish) => wish !== '');
}

/** The languages of an Accept-Language header (RFC 9110, section 12.5.4), most preferred first. */
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
  // Chinese here is simplified, which isn't what readers of traditional Chinese want.
  if (language === 'zh') return rest.some((part) => ['hant', 'tw', 'hk', 'mo'].includes(part)) ? undefined : 'zh-Hans';
  return languageTags.find((tag) => tag.toLowerCase() === wish.toLowerCase() || tag.split('-')[0] === language);
}

let languageNames: Intl.DisplayNames | undefined;
/** Cached, because an import looks up the same few tags a million times. */
const knownLocales = new Map<string, string | undefined>();
const mostKnown = 500;

/** A person's language as it's stored, a BCP 47 tag. Undefined when it isn't a language. */
export function canonicalLocale(text: string): string | undefined {
  if (knownLocales.has(text)) return knownLocales.get(text);
  if (knownLocales.size >= mostKnown) knownLocales.clear();
  const locale = lookUp(text);
  knownLocales.set(text, locale);
  return locale;
}

function lookUp(text: string): string | undefined {
  try {
    const [locale = ''] = text.length > 35 ? [] : Intl.getCanonicalLocales(text);
    languageNames ??= new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
    return languageNames.of(locale) === undefined ? undefined : locale;
  } catch {
    return undefined;
  }
}
