// The texts of every language that Latchkey has.

import type { LanguageTag } from '../../../protocol/languages.ts';
import { ar, ja, ko, zhHans } from './asian-arabic.ts';
import { de, en, nl } from './germanic.ts';
import { es, fr, it, ptBR } from './romance.ts';
import { pl, tr, uk } from './slavic-turkish.ts';
import type { Texts } from './wording.ts';

export const textsIn: Readonly<Record<LanguageTag, Texts>> = {
  en,
  de,
  fr,
  es,
  'pt-BR': ptBR,
  it,
  nl,
  pl,
  tr,
  uk,
  ja,
  ko,
  'zh-Hans': zhHans,
  ar,
};
