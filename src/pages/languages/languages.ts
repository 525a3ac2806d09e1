// Every language that people can choose: its own name, the direction it is written in, and its catalogue.

import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { LanguageTag } from '../../protocol/languages.ts';
import type { consoleMessages } from '../messages/console.ts';
import { docsMessages } from '../messages/docs.ts';
import { type Catalogue, en } from './en.ts';
import { type Formats, formatsFor } from './formats.ts';
import { lazy } from './lazy.ts';

export interface Language {
  /** In the language itself, for the picker. */
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
}

export const languages: Readonly<Record<LanguageTag, Language>> = {
  en: { name: 'English', direction: 'ltr' },
  de: { name: 'Deutsch', direction: 'ltr' },
  fr: { name: 'Français', direction: 'ltr' },
  es: { name: 'Español', direction: 'ltr' },
  'pt-BR': { name: 'Português (Brasil)', direction: 'ltr' },
  it: { name: 'Italiano', direction: 'ltr' },
  nl: { name: 'Nederlands', direction: 'ltr' },
  pl: { name: 'Polski', direction: 'ltr' },
  tr: { name: 'Türkçe', direction: 'ltr' },
  uk: { name: 'Українська', direction: 'ltr' },
  ja: { name: '日本語', direction: 'ltr' },
  ko: { name: '한국어', direction: 'ltr' },
  'zh-Hans': { name: '简体中文', direction: 'ltr' },
  ar: { name: 'العربية', direction: 'rtl' },
};

/** What a page or an email is written with: the words of its language, and the English ones of console and documentation. */
export interface Messages extends Catalogue, Formats {
  readonly language: LanguageTag;
  readonly admin: typeof consoleMessages;
  readonly docs: typeof docsMessages;
}

export type ErrorTopic = Exclude<keyof Catalogue['errors'], 'reference' | 'home'>;

const load = createRequire(import.meta.url);

/** Each takes a hundredth of a second to load, so that's left until someone reads it. */
const catalogues: Readonly<Record<Exclude<LanguageTag, 'en'>, () => Catalogue>> = {
  de: () => (load('./de.ts') as typeof import('./de.ts')).de,
  fr: () => (load('./fr.ts') as typeof import('./fr.ts')).fr,
  es: () => (load('./es.ts') as typeof import('./es.ts')).es,
  'pt-BR': () => (load('./pt-BR.ts') as typeof import('./pt-BR.ts')).ptBR,
  it: () => (load('./it.ts') as typeof import('./it.ts')).it,
  nl: () => (load('./nl.ts') as typeof import('./nl.ts')).nl,
  pl: () => (load('./pl.ts') as typeof import('./pl.ts')).pl,
  tr: () => (load('./tr.ts') as typeof import('./tr.ts')).tr,
  uk: () => (load('./uk.ts') as typeof import('./uk.ts')).uk,
  ja: () => (load('./ja.ts') as typeof import('./ja.ts')).ja,
  ko: () => (load('./ko.ts') as typeof import('./ko.ts')).ko,
  'zh-Hans': () => (load('./zh-Hans.ts') as typeof import('./zh-Hans.ts')).zhHans,
  ar: () => (load('./ar.ts') as typeof import('./ar.ts')).ar,
};

/** 20 files that only the console needs. */
const wordsOfConsole = lazy(() => {
  const file = fileURLToPath(new URL('../messages/console.ts', import.meta.url));
  return (load(file) as typeof import('../messages/console.ts')).consoleMessages;
});

export const english = messagesOf('en', en);
const loaded = new Map<LanguageTag, Messages>([['en', english]]);

export function messagesIn(language: LanguageTag): Messages {
  const known = loaded.get(language);
  if (known !== undefined || language === 'en') return known ?? english;
  const messages = messagesOf(language, catalogues[language]());
  loaded.set(language, messages);
  return messages;
}

function messagesOf(language: LanguageTag, catalogue: Catalogue): Messages {
  return {
    ...catalogue,
    ...formatsFor(language),
    language,
    get admin() {
      return wordsOfConsole();
    },
    docs: docsMessages,
  };
}
