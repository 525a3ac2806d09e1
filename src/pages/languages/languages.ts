// Every language that people can choose: its own name, the direction it is written in, and its catalogue.

import type { LanguageTag } from '../../protocol/languages.ts';
import { consoleMessages } from '../messages/console.ts';
import { docsMessages } from '../messages/docs.ts';
import { type Catalogue, en } from './en.ts';
import { type Formats, formatsFor } from './formats.ts';

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

/** A service loads every language when it starts. Commands load what they need, because loading all takes longer than they do. */
const loaders: Readonly<Record<Exclude<LanguageTag, 'en'>, () => Promise<Catalogue>>> = {
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
  es: async () => (await import('./es.ts')).es,
  'pt-BR': async () => (await import('./pt-BR.ts')).ptBR,
  it: async () => (await import('./it.ts')).it,
  nl: async () => (await import('./nl.ts')).nl,
  pl: async () => (await import('./pl.ts')).pl,
  tr: async () => (await import('./tr.ts')).tr,
  uk: async () => (await import('./uk.ts')).uk,
  ja: async () => (await import('./ja.ts')).ja,
  ko: async () => (await import('./ko.ts')).ko,
  'zh-Hans': async () => (await import('./zh-Hans.ts')).zhHans,
  ar: async () => (await import('./ar.ts')).ar,
};

export const english = messagesOf('en', en);
const loaded = new Map<LanguageTag, Messages>([['en', english]]);

export async function loadLanguage(tag: LanguageTag): Promise<Messages> {
  if (tag !== 'en' && !loaded.has(tag)) loaded.set(tag, messagesOf(tag, await loaders[tag]()));
  return messagesIn(tag);
}

export async function loadAllLanguages(): Promise<void> {
  await Promise.all((Object.keys(languages) as LanguageTag[]).map(loadLanguage));
}

/** English where the language hasn't been loaded. */
export function messagesIn(language: LanguageTag): Messages {
  return loaded.get(language) ?? english;
}

function messagesOf(language: LanguageTag, catalogue: Catalogue): Messages {
  return { ...catalogue, ...formatsFor(language), language, admin: consoleMessages, docs: docsMessages };
}
