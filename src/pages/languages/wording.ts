// What the sentences of a language need besides words: plural forms and numbers, from Intl.

import { lazy } from './lazy.ts';

export interface Wording<Category extends Intl.LDMLPluralRule> {
  /** The form for the count. A language has to give each of its categories. */
  plural(count: number, forms: Readonly<Record<Category, string>>): string;
  number(value: number): string;
}

/** `Category` lists the plural categories of the language; a test compares them with Intl. */
export function wording<Category extends Intl.LDMLPluralRule>(tag: string): Wording<Category> {
  const rules = lazy(() => new Intl.PluralRules(tag));
  const numbers = lazy(() => new Intl.NumberFormat(tag));
  return {
    plural: (count, forms) => forms[rules().select(count) as Category],
    number: (value) => numbers().format(value),
  };
}
