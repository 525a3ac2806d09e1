// What is wrong with what was given, as a record: each surface makes its own sentence of it.

export interface Clause {
  /** What the sentence begins with: "the" and some words, or a name, which keeps its case. */
  readonly subject?: string;
  /** The rest of the sentence, without its full stop. */
  readonly says: string;
  /** What was probably meant instead of a name that there isn't. */
  readonly meant?: string;
}

export interface Problem extends Clause {
  /** The field of the input, as files and the API call it. Undefined if it's about none. */
  readonly field?: string;
}

/** To go into a sentence. */
export function clauseOf({ subject, says }: Clause): string {
  return subject === undefined ? says : `${subject} ${says}`;
}

export function sentenceOf(clause: Clause): string {
  const text = clauseOf(clause);
  const isNamed = clause.subject !== undefined && !clause.subject.startsWith('the ');
  // Neither is an address a word.
  const beginsWithWord = !isNamed && /^[a-z']+ /.test(text);
  const sentence = `${beginsWithWord ? text.charAt(0).toUpperCase() + text.slice(1) : text}.`;
  return clause.meant === undefined ? sentence : `${sentence} Did you mean ${clause.meant}?`;
}

/** The problem of a field, if it has one. */
export function problemWith(field: string, says: string | undefined): readonly Problem[] {
  return says === undefined ? [] : [{ field, says }];
}
