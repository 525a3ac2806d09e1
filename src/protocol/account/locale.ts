// The language that somebody reads, as a tag of BCP 47.

let names: Intl.DisplayNames | undefined;

/** The tag as it's stored. Undefined when it isn't a language. */
export function canonicalLocale(text: string): string | undefined {
  try {
    const [locale = ''] = text.length > 35 ? [] : Intl.getCanonicalLocales(text);
    names ??= new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
    return names.of(locale) === undefined ? undefined : locale;
  } catch {
    return undefined;
  }
}
