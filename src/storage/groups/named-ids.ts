// Many IDs as one parameter of a statement.

import { type Engine, UnusableText } from '../driver.ts';

/** A table expression with the column `id`; the parameter is a list in JSON. */
export function namedIds(engine: Engine, place: string): string {
  return engine === 'server'
    ? `(SELECT json_array_elements_text(CAST(${place} AS JSON)) AS id)`
    : `(SELECT j.value AS id FROM json_each(${place}) j)`;
}

/** The parameter, for texts that may be anything: JSON hides a zero byte, which one of the engines can't take. */
export function textList(texts: readonly string[]): string {
  if (texts.some((text) => text.includes('\0'))) throw new UnusableText('a text has a zero byte');
  return JSON.stringify(texts);
}
