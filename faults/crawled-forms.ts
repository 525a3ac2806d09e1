// The forms that somebody finds by following every link within the service, filled in as they would.

import type { Person } from '../test/harness/person.ts';

export interface FoundForm {
  /** The page that it is on. */
  readonly page: string;
  readonly method: 'GET' | 'POST';
  readonly action: string;
  readonly multipart: boolean;
  readonly fields: readonly FoundField[];
}

export interface FoundField {
  readonly name: string;
  readonly value: string;
  readonly hidden: boolean;
  readonly file: boolean;
}

const pagesAtMost = 80;

/** Every form that can be reached from these pages. One with several buttons counts once for each. */
export async function crawledForms(person: Person, url: string, starts: readonly string[]): Promise<FoundForm[]> {
  const waiting = [...starts];
  const seen = new Set<string>();
  const forms = new Map<string, FoundForm>();
  for (let path = waiting.shift(); path !== undefined && seen.size < pagesAtMost; path = waiting.shift()) {
    if (seen.has(path)) continue;
    seen.add(path);
    const response = await person.visit(path);
    if (!(response.headers.get('content-type') ?? '').startsWith('text/html')) continue;
    const page = await response.text();
    for (const form of formsOn(page, path)) forms.set(keyOf(form), form);
    for (const target of linksOn(page, url)) waiting.push(target);
  }
  return [...forms.values()];
}

/** Where a page leads within the service: its links, and the addresses in the emails of the outbox. */
function linksOn(page: string, url: string): string[] {
  const links = [...page.matchAll(/href="([^"]*)"|(https?:\/\/[^"<\s]*)/g)].map(([, href, text]) => href ?? text ?? '');
  return links.flatMap((link) => {
    const target = URL.parse(decoded(link), url);
    if (target?.origin !== url || /^\/(assets|docs|account\/data\.json)/.test(target.pathname)) return [];
    return [target.pathname + target.search];
  });
}

/** Two forms are the same when they differ in their values only. */
const keyOf = ({ action, fields }: FoundForm) => {
  const buttons = fields.filter(({ hidden }) => !hidden).map(({ name, value }) => `${name}=${value}`);
  return [action, ...buttons].join(' ');
};

export function formsOn(page: string, path: string): FoundForm[] {
  return [...page.matchAll(/<form([^>]*)>([\s\S]*?)<\/form>/g)].flatMap(([, attributes = '', content = '']) => {
    const fields = fieldsIn(content);
    const form = {
      page: path,
      method: attributes.includes('method="post"') ? ('POST' as const) : ('GET' as const),
      action: decoded(/\saction="([^"]*)"/.exec(attributes)?.[1] ?? path),
      multipart: attributes.includes('multipart'),
    };
    const buttons = [...content.matchAll(/<button[^>]*\sname="([^"]*)"[^>]*>/g)].map(
      ([tag, name = '']): FoundField => ({ name, value: attribute(tag, 'value'), hidden: false, file: false }),
    );
    if (buttons.length === 0) return [{ ...form, fields }];
    return buttons.map((button) => ({ ...form, fields: [...fields, button] }));
  });
}

function fieldsIn(content: string): FoundField[] {
  const inputs = [...content.matchAll(/<(input|textarea|select)[^>]*\sname="([^"]*)"[^>]*>/g)];
  return inputs.flatMap(([tag, kind, name = '']): FoundField[] => {
    const type = attribute(tag, 'type');
    if ((type === 'radio' || type === 'checkbox') && !/\schecked/.test(tag)) return [];
    const value = kind === 'input' ? attribute(tag, 'value') : '';
    return [{ name, value, hidden: type === 'hidden', file: type === 'file' }];
  });
}

const attribute = (tag: string, name: string) => decoded(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '');

const decoded = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');

/** What a person would type into the fields that are empty. */
export function filled(form: FoundForm, values: Readonly<Record<string, string>>): FoundForm {
  const fields = form.fields.map((field) =>
    field.value === '' && !field.hidden ? { ...field, value: values[field.name] ?? '' } : field,
  );
  return { ...form, fields };
}
