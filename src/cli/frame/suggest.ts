// "Did you mean …?" for a word that there isn't.

import { closestWord } from '../../protocol/reading/closest-word.ts';

/** What people type who are used to other command lines, by the words of this one. The first that there is wins. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  client: ['app', 'application', 'applications', 'apps'],
  create: ['add', 'new'],
  delete: ['destroy', 'remove', 'rm'],
  end: ['remove', 'revoke', 'rm'],
  disable: ['revoke'],
  events: ['log', 'logs'],
  import: ['restore'],
  list: ['ls'],
  migrate: ['upgrade'],
  second_factor: ['2fa', 'mfa', 'two_factor', 'two_step'],
  serve: ['run', 'start'],
  settings: ['config'],
  show: ['get', 'info'],
  update: ['edit'],
  user: ['people', 'person'],
};

/** A question to add to the complaint, or nothing if no word comes close. */
export function didYouMean(typed: string, known: readonly string[]): string {
  const found = closest(typed, known);
  return found === undefined ? '' : `. Did you mean "${found}"?`;
}

export function closest(typed: string, known: readonly string[]): string | undefined {
  const word = typed.toLowerCase();
  const synonym = Object.keys(synonyms).find((each) => synonyms[each]?.includes(word) && known.includes(each));
  return synonym ?? closestWord(typed, known);
}
