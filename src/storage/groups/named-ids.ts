// Many IDs as one parameter of a statement.

import type { Engine } from '../driver.ts';

/** A table expression with the column `id`; the parameter is a list in JSON. */
export function namedIds(engine: Engine, place: string): string {
  return engine === 'server'
    ? `(SELECT json_array_elements_text(CAST(${place} AS JSON)) AS id)`
    : `(SELECT j.value AS id FROM json_each(${place}) j)`;
}
