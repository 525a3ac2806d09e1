// A person's language, as a BCP 47 tag.

let names: Intl.DisplayNames | undefined;
/** Cached, because an import looks up the same few tags a million times. */
const known = new Map<string, string | undefined>();
const most = 500;

/** The tag as it's stored. Undefined when it isn't a language. */
export function canonicalLocale(text: string): string | undefined {
  if (known.has(text)) return known.get(text);
  if (known.size >= most) known.clear();
  const locale = lookUp(text);
  known.set(text, locale);
  return locale;
}

function lookUp(text: string): string | undefined {
  try {
    const [locale = ''] = text.length > 35 ? [] : Intl.getCanonicalLocales(text);
    names ??= new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
    return names.of(locale) === undefined ? undefined : locale;
  } catch {
    return undefined;
  }
}
