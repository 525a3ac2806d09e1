// One field of a resource that administrators manage: what it takes, what it starts with, when it can be set, and what
// it's called. Everything that reads, checks, stores or shows a field goes by its row; resource.ts does so for whole
// tables. A rule that needs the store or the network isn't here: the operation adds it.

import { endRule, readEnd } from '../ends.ts';
import type { Clause } from '../problem.ts';
import { capitalized } from '../reading/in-sentences.ts';
import { type Logo, readLogo } from '../reading/logo.ts';
import { isTexts } from '../reading/strict-json.ts';

/** What is wrong with a value. */
export class Invalid {
  readonly problems: readonly Clause[];
  constructor(...problems: readonly (string | Clause)[]) {
    this.problems = problems.map((problem) => (typeof problem === 'string' ? { says: problem } : problem));
  }
}

/** The other fields by property, as they will be. Some rules depend on them. */
export type Whole = Readonly<Record<string, unknown>>;

/** `items` is a list of objects. */
export type FieldKind = 'text' | 'list' | 'items' | 'choice' | 'flag' | 'number' | 'time' | 'end' | 'image' | 'secret';

/** How the command line names a field. */
export interface OptionWords {
  /** The field's name with hyphens if undefined. */
  readonly name?: string;
  /** What its value is called in the help. */
  readonly value?: string;
  /** From the description if undefined. */
  readonly about?: string;
  /** For a change, where that says something else. */
  readonly change?: string;
  /** Of a list of words: each has an option of its own. */
  readonly many?: true;
  /** The flag that takes a flag back, and what that does. Without one, a change says yes or no. */
  readonly opposite?: { readonly name: string; readonly about: string };
  /** What the option that empties a list or removes an image is about. */
  readonly clear?: string;
  /** What that option is called; "no-" and the option's name if undefined. */
  readonly clearName?: string;
  /** The value that stands for none, where an empty one doesn't. */
  readonly none?: string;
  /** What "show" calls it; the name with spaces if undefined. */
  readonly label?: string;
  /** What "show" says for no and yes. */
  readonly said?: readonly [string, string];
  /** What "show" says for an empty list, which it leaves out if undefined. */
  readonly empty?: string;
  readonly completes?: 'upstream' | 'client' | 'group';
}

interface Row<Property extends string> {
  /** Sentences for the API's documentation. The command line's help follows from them. */
  readonly description: string;
  /** What its value has to be, completing a sentence that starts with its name. */
  readonly rule?: string;
  /** What a form shows for a text, where that isn't a plain field. */
  readonly input?: 'email' | 'color';
  /** What records call it; the name in camel case if undefined. */
  readonly property?: Property;
  /** How it's found in a record that doesn't have it under its property. */
  readonly find?: (record: Whole) => unknown;
  /** What a new resource has if it isn't given, where that depends on other fields. */
  readonly initialFrom?: (whole: Whole) => unknown;
  /** Both if undefined. */
  readonly settable?: 'create' | 'never';
  /** Changing it needs fresh proof of identity, and so does setting what only a new resource can be given. */
  readonly needsProof?: true;
  /** A value that is none: the field can be null, and an empty text means the same. */
  readonly nullable?: true;
  /** What a file that doesn't say it means by that; undefined leaves the field as it is. */
  readonly absentInFile?: 'initial';
  /** A list whose items belong together: a difference shows it as a whole. */
  readonly comparedWhole?: true;
  /** A list whose order says nothing. */
  readonly unordered?: true;
  /** Fields by property that its rule looks at: it's checked again when they change. */
  readonly dependsOn?: readonly string[];
  /** False: the command line has no option for it. */
  readonly option?: OptionWords | false;
  /** What the console's forms call it; its name if undefined. False: the console has another place for it. */
  readonly formName?: string | false;
  /** The only form that has it; both if undefined. */
  readonly inForm?: 'create';
  /** What an event calls it among what has changed; the property if undefined. False: an event doesn't. */
  readonly eventName?: string | false;
  /** An event holds its new value: under the field's name, or another one. */
  readonly recorded?: true | string;
}

export interface Field<Value = unknown, Property extends string = string> extends Row<Property> {
  readonly kind: FieldKind;
  /** What a new resource has if it isn't given; undefined if it has to be. */
  readonly initial: Value | undefined;
  /** Of a choice, or of a list that can hold only these. */
  readonly values?: readonly string[];
  /** Of a list: how many items it has at least and at most. Of a number: its range. */
  readonly least?: number;
  readonly most?: number;
  /** Of a list: a later version may have further values, so what is shown isn't limited to these. */
  readonly growing?: true;
  /** Of a list: whether people separate its items with spaces, instead of line breaks. */
  readonly words?: true;
  /** Of a list: the command line takes all items at once, with commas between them. */
  readonly commas?: true;
  /** Of a list: what has these names, which a form offers. */
  readonly names?: 'groups';
  /** Of a list in a form: what people can put between its items, if not only line breaks. */
  readonly separators?: RegExp;
  /** Of a list of objects: one in a line, for people. Two that differ have different lines. */
  readonly line?: (item: never) => string;
  /** Of a text: the longest, as a form allows it. */
  readonly longest?: number;
  /** Of a text in a form: keyboards neither capitalize nor correct it. */
  readonly verbatim?: true;
  /** Of a text: the form that the API asks for. */
  readonly pattern?: RegExp;
  /** Of a flag that a form shows as a choice: what no and yes are called. */
  readonly flagWords?: readonly [string, string];
  /** Whether the API's documentation names what it starts with. */
  readonly documentsInitial?: true;
  /** Whether the API's schema says how long a text can be. */
  readonly documentsLimit?: true;
  /** Of what is given, where the description is of what is shown. */
  readonly givenDescription?: string;
  /** The value as it's stored, or what is wrong with what was given. Without the time, there's no end that can be read. */
  read(given: unknown, whole: Whole, now?: number): Value | Invalid;
}

export type FieldTable = Readonly<Record<string, Field<unknown, string>>>;

/** `clean` normalizes; `problem` is what is wrong then, and completes a sentence that begins with `subject` if there is one. */
interface TextRow<Property extends string>
  extends Row<Property>,
    Pick<Field, 'longest' | 'documentsLimit' | 'pattern' | 'verbatim'> {
  readonly subject?: string;
  readonly initial?: string | null;
  readonly clean?: (text: string, whole: Whole) => string;
  readonly problem?: (text: string, whole: Whole) => string | undefined;
}

export function text<const Property extends string = never>(
  row: TextRow<Property> & { readonly nullable: true },
): Field<string | null, Property>;
export function text<const Property extends string = never>(row: TextRow<Property>): Field<string, Property>;
export function text<Property extends string>(row: TextRow<Property>): Field<string | null, Property> {
  const { clean = (given: string) => given, problem, subject, ...rest } = row;
  return {
    ...rest,
    kind: 'text',
    initial: row.initial ?? (row.nullable ? null : undefined),
    read: (given, whole) => {
      if (row.nullable && (given === null || given === '')) return null;
      if (typeof given !== 'string') return new Invalid(`the ${row.property ?? 'value'} must be a string`);
      const cleaned = clean(given, whole);
      if (row.nullable && cleaned === '') return null;
      const wrong = problem?.(cleaned, whole);
      return wrong === undefined ? cleaned : new Invalid({ ...(subject && { subject }), says: wrong });
    },
  };
}

interface ListRow<Item extends string, Property extends string>
  extends Row<Property>,
    Pick<Field, 'growing' | 'least' | 'most' | 'words' | 'commas' | 'names' | 'separators'> {
  readonly initial?: readonly Item[];
  readonly values?: readonly Item[];
  /** The items as they're stored, each once, or what is wrong with them. */
  readonly items?: (given: readonly string[], whole: Whole) => readonly Item[] | Invalid;
  readonly problems?: (items: readonly string[], whole: Whole) => readonly string[];
}

export function list<Item extends string = string, const Property extends string = never>(
  row: ListRow<Item, Property> & { readonly nullable: true },
): Field<readonly Item[] | null, Property>;
export function list<Item extends string = string, const Property extends string = never>(
  row: ListRow<Item, Property>,
): Field<readonly Item[], Property>;
export function list<Item extends string, Property extends string>(
  row: ListRow<Item, Property>,
): Field<readonly Item[] | null, Property> {
  const { items, problems, ...rest } = row;
  return {
    ...rest,
    kind: 'list',
    initial: row.initial ?? (row.nullable ? null : row.least === undefined ? [] : undefined),
    read: (given, whole) => {
      if (row.nullable && given === null) return null;
      if (!isTexts(given)) return new Invalid('the list must hold strings');
      const wrong = problems?.(given, whole) ?? [];
      if (wrong.length > 0) return new Invalid(...wrong);
      const read = items === undefined ? given : items(given, whole);
      // Without a rule of its own, an item is any text.
      return read instanceof Invalid ? read : ([...new Set(read)] as Item[]);
    },
  };
}

interface ChoiceRow<Value extends string, Property extends string> extends Row<Property> {
  readonly values: readonly Value[];
  readonly initial?: NoInfer<Value>;
  /** What it says when the value is another one. */
  readonly rule: string;
  /** What is wrong with one of the values. */
  readonly problem?: (value: Value, whole: Whole) => string | undefined;
}

export function choice<const Value extends string, const Property extends string = never>(
  row: ChoiceRow<Value, Property> & { readonly nullable: true },
): Field<Value | null, Property>;
export function choice<const Value extends string, const Property extends string = never>(
  row: ChoiceRow<Value, Property>,
): Field<Value, Property>;
export function choice<Value extends string, Property extends string>(
  row: ChoiceRow<Value, Property>,
): Field<Value | null, Property> {
  const { problem, ...rest } = row;
  return {
    ...rest,
    kind: 'choice',
    initial: row.initial ?? (row.nullable ? null : undefined),
    read: (given, whole) => {
      if (row.nullable && (given === null || given === '')) return null;
      const value = row.values.find((each) => each === given);
      const wrong = value === undefined ? row.rule : problem?.(value, whole);
      return value === undefined || wrong !== undefined ? new Invalid(wrong ?? row.rule) : value;
    },
  };
}

export function flag<const Property extends string = never>(
  row: Row<Property> & Pick<Field, 'flagWords' | 'documentsInitial'> & { readonly initial?: boolean },
): Field<boolean, Property> {
  return {
    ...row,
    kind: 'flag',
    initial: row.initial ?? false,
    read: (given) => (typeof given === 'boolean' ? given : new Invalid('it must be true or false')),
  };
}

interface NumberRow<Property extends string> extends Row<Property> {
  readonly initial?: number;
  readonly least: number;
  readonly most: number;
  /** What else `rule` says. */
  readonly isValid?: (value: number, whole: Whole) => boolean;
}

export function number<const Property extends string = never>(
  row: NumberRow<Property> & { readonly nullable: true },
): Field<number | null, Property>;
export function number<const Property extends string = never>(row: NumberRow<Property>): Field<number, Property>;
export function number<Property extends string>(row: NumberRow<Property>): Field<number | null, Property> {
  const { isValid, ...rest } = row;
  const { least, most, rule = `must be a whole number from ${least} to ${most}` } = rest;
  return {
    ...rest,
    kind: 'number',
    rule,
    initial: row.initial ?? (row.nullable ? null : undefined),
    read: (given, whole) => {
      if (row.nullable && (given === null || given === '')) return null;
      const isInRange = typeof given === 'number' && Number.isInteger(given) && given >= least && given <= most;
      return isInRange && isValid?.(given, whole) !== false ? given : new Invalid(rule);
    },
  };
}

/** A picture, given as bytes and kept elsewhere. Records have its version, as `logoVersion`; null removes it. */
export function image<const Property extends string = never>(
  row: Row<Property> & { readonly noun?: string },
): Field<Logo | null, Property> {
  const { noun = 'logo', ...rest } = row;
  return {
    ...rest,
    kind: 'image',
    nullable: true,
    initial: null,
    read: (given) => {
      if (given === null) return null;
      const logo = given instanceof Uint8Array ? readLogo(given) : 'must be a picture';
      return typeof logo === 'string' ? new Invalid({ subject: `the ${noun}`, says: logo }) : logo;
    },
  };
}

/** Only the compiler knows this: records don't have the text, but something sealed. */
export type SecretText = string & { readonly isSecret?: true };

/** Given in clear text, kept sealed or as a digest, and never shown. */
export function secret<const Property extends string = never>(
  row: Row<Property> & { readonly subject: string; readonly problem: (text: string) => string | undefined },
): Field<SecretText, Property> {
  const { problem, subject, ...rest } = row;
  return {
    ...rest,
    kind: 'secret',
    initial: undefined,
    read: (given) => {
      if (typeof given !== 'string') return new Invalid('the secret must be a string');
      const wrong = problem(given);
      return wrong === undefined ? given : new Invalid({ subject, says: wrong });
    },
  };
}

/** Only the compiler knows this: it's given as a text. */
export type EndTime = number & { readonly isEnd?: true };

/** When access ends: a time, a date or days from now are given, and a time is kept; null for never. */
export function end<const Property extends string = never>({
  what = 'when access ends',
  ...row
}: Pick<Row<Property>, 'property' | 'needsProof' | 'inForm' | 'eventName'> & {
  readonly what?: string;
} = {}): Field<EndTime | null, Property> {
  const sentence = capitalized(what);
  return {
    ...row,
    kind: 'end',
    description: `${sentence}; null for never.`,
    givenDescription: `${sentence}. ${capitalized(endRule)}. A date is the end of that day, UTC. Null for never.`,
    initial: null,
    nullable: true,
    recorded: true,
    longest: 100,
    documentsLimit: true,
    verbatim: true,
    option: {
      name: 'expires',
      value: 'DATE',
      about: 'when access ends: 2027-01-31, 2027-01-31T17:00Z, 30d, or never',
      none: 'never',
    },
    read: (given, _whole, now = Number.NaN) => {
      if (given === null) return null;
      const at = typeof given === 'string' ? readEnd(given, now) : { problem: endRule };
      return typeof at === 'number' ? at : new Invalid({ subject: 'the end', says: at.problem });
    },
  };
}

interface ItemsRow<Item, Property extends string> extends Row<Property>, Pick<Field, 'most'> {
  readonly line: (item: Item) => string;
  readonly items: (given: unknown) => readonly Item[] | Invalid;
}

/** A list of objects. What they look like is said by `items` here, and in the API's schemas. */
export function items<Item extends object, const Property extends string = never>(
  row: ItemsRow<Item, Property>,
): Field<readonly Item[], Property> {
  const { items: read, ...rest } = row;
  return { ...rest, kind: 'items', initial: [], read };
}

/** One of a list, in a line. */
export function itemLine({ line }: Field, item: unknown): string {
  // The function and the item come from the same row.
  return line === undefined ? String(item) : line(item as never);
}

/** Something that is only shown. */
export type ShownField<Value = unknown, Property extends string = string> = Field<Value, Property> & {
  readonly settable: 'never';
};

/** A time that the service sets, in milliseconds. */
export function time<const Property extends string = never>(
  row: Partial<Row<Property>> & { readonly nullable: true },
): ShownField<number | null, Property>;
export function time<const Property extends string = never>(row?: Partial<Row<Property>>): ShownField<number, Property>;
export function time<Property extends string>(row: Partial<Row<Property>> = {}): ShownField<number | null, Property> {
  return shown({ description: '', ...row, kind: 'time' });
}

export function shown<Value, const Property extends string = never>(
  row: Omit<Row<Property>, 'settable'> & Pick<Field, 'kind' | 'values' | 'least'>,
): ShownField<Value, Property> {
  return { ...row, settable: 'never', initial: undefined, read: () => new Invalid("it can't be set") };
}
