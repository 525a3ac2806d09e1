// What administrators manage, described once: its fields, its list and its actions. Operations of the API with their place in its
// document, commands with their help, and the console's routes are made from it; what only one of them needs stays with that one.

import type { Area } from '../../protocol/admin/rights.ts';
import type { Total } from '../../protocol/admin/totals.ts';
import type { Requester } from '../../protocol/event.ts';
import type { FieldTable } from '../../protocol/resources/field.ts';
import type { GivenOf } from '../../protocol/resources/resource.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Services } from '../services.ts';
import type { AdminOutcome, Outcome, Unconfirmed } from './outcome.ts';
import type { ListPage, ListRequest } from './paging.ts';

/** What can be typed for one, each with what it's about, from the store alone. */
export type StoredWords = (storage: Storage) => Promise<readonly (readonly [word: string, about: string])[]>;

export interface Subject<Item extends object = object, Found extends object = object> {
  /** What one and several are called inside a sentence. Names in the API's document follow. */
  readonly one: string;
  readonly many: string;
  /** Its list needs the right to read this, and actions the right to change it. */
  readonly area: Area;
  /** Where the API and the console have it. */
  readonly api: string;
  readonly console: string;
  /** Whose operations the API's document shows it with, if not by itself. */
  readonly tag?: string;
  readonly command: string;
  /** Where the command is another's: what theirs are called in it. */
  readonly commandNames?: Readonly<Record<string, string>>;
  /** What the command's help says first. */
  readonly about: string;
  /** Everything that is shown of one. */
  readonly fields: FieldTable;
  /** The field that names one; an ID if undefined. The API has it in the body if it doesn't belong into logs. */
  readonly key?: {
    readonly name: string;
    readonly description: string;
    readonly example: string;
    readonly inBody?: true;
  };
  /** What the command line takes instead of the ID: a name. */
  readonly named?: {
    readonly example: string;
    find(services: Services, text: string): Outcome<{ readonly id: string }>;
  };
  /** What completion offers for one: what this finds, or what it offers for such a name elsewhere. */
  readonly completes?: StoredWords | 'group';
  /** What has the fields, in what an operation on one has led to. */
  shown(found: Found): object;
  readonly list: List<Item>;
  readonly create: Creation<Found>;
  readonly show?: Described & { run(services: Services, key: string): Outcome<Found> };
  readonly change?: Change<Found>;
  /** By their names in paths and commands. */
  readonly actions: Actions;
}

interface List<Item> {
  /** What follows its name in a sentence: in which order it is, and what it leaves out. */
  readonly about: string;
  /** What it shows, where that isn't what is shown of one. */
  readonly items?: { readonly one: string; readonly many: string; readonly fields: FieldTable };
  /** Whether it can be searched by any part of a name, and counted. Only of pages. */
  readonly searched?: true;
  /** Of few, all of them; otherwise a page. */
  readonly read:
    | {
        all(services: Services): Promise<readonly Item[]>;
        /** The API has it as the items of an object, so that it can become a page. */
        readonly asItems?: true;
      }
    | {
        page(services: Services, request: ListRequest): Outcome<ListPage<Item>>;
        /** For questions about one. */
        find?(services: Services, id: string): Promise<Item | undefined>;
      };
  /** Of the command line, by their titles: a field, or what to print. */
  readonly columns: Readonly<Record<string, string | ((item: Item) => string)>>;
}

/** With a session it needs recent proof of identity: always, or in some cases. */
type Proof<About> = true | Cases<About>['needIt'];
interface Cases<About> {
  needIt(services: Services, about: About): boolean | Promise<boolean>;
}

/** What every action says of itself, in lower case: it's part of the API's document and of the help. */
interface Described {
  readonly does: string;
  /** What the API's document calls the operation, where that isn't made from the names. */
  readonly operation?: string;
}

interface Creation<Found> extends Described {
  readonly proof?: Proof<object>;
  /** What is given. */
  readonly fields: FieldTable;
  /** What is shown only now, besides the fields. */
  readonly once?: FieldTable;
  /** The field that is the command's argument, and what its help says about that. */
  readonly argument?: { readonly name: string; readonly about?: string };
  /** What was given is checked here, wherever it comes from. */
  run(services: Services, given: object, requester: Requester): Outcome<Found>;
  /** For people, on the command line. */
  says(created: Found, services: Services, words: Words): string | Promise<string>;
  readonly details?: string;
  readonly examples: readonly string[];
}

interface Change<Found> extends Described {
  readonly proof?: true;
  readonly fields: FieldTable;
  /** What `force` allows, where it can be refused without. */
  readonly force?: string;
  run(
    services: Services,
    key: string,
    given: GivenOf<FieldTable>,
    requester: Requester,
    force: boolean,
  ): Promise<AdminOutcome<Found> | Unconfirmed>;
  readonly details?: string;
  readonly examples: readonly string[];
}

/** What is deleted, for a question: its name, and how many of what go with it. */
export interface Loss {
  readonly what: string;
  readonly with: readonly (readonly [count: number | Total, one: string, many: string])[];
  /** What is said if the answer isn't yes. */
  readonly otherwise?: string;
}

/** Of one that its key names. */
export interface Action<Result extends object = object> extends Described {
  /** About what its key names. */
  readonly proof?: Proof<string>;
  /** What has happened to it then, or to what is named here: its previous secret is retired. */
  readonly done: string;
  readonly what?: string;
  /** It ends there: the API shows nothing, and calls it the deletion of what its path names. */
  readonly deletes?: true;
  /** What `force` allows, where it can be refused without. */
  readonly force?: string;
  run(
    services: Services,
    key: string,
    requester: Requester,
    force: boolean,
  ): Promise<AdminOutcome<Result> | Unconfirmed>;
  /** What the command line asks about on a terminal. */
  readonly loses?: (services: Services, key: string, requester: Requester, force: boolean) => Outcome<Loss>;
  /** What the command line says about it, if not just what was done. */
  json?(result: Result & Keyed, services: Services): object;
  /** For people, on the command line; if undefined, it shows the one that it was about. */
  says?(result: Result & Keyed, services: Services, words: Words): string;
  readonly details?: string;
  /** The field of the console's form that has the ID, where the path hasn't. */
  readonly field?: string;
  /** What its command was called before. */
  readonly formerly?: string;
  readonly examples?: readonly string[];
}

export type Actions = Readonly<Record<string, Action>>;

/** What was named by its key. */
interface Keyed {
  readonly key: string;
}

/** How the command line writes it where it prints. */
export interface Words {
  time(at: number): string;
  howLong(milliseconds: number): string;
}

/** Keeps the types of its functions, and forgets them: they belong to the same subject. */
export function defineSubject<Item extends object, Found extends object>(
  subject: Subject<Item, Found>,
): Subject<Item, Found> {
  return subject;
}

export function defineAction<Result extends object>(action: Action<Result>): Action<Result> {
  return action;
}

export async function findItem<Item extends object>(
  { list: { read } }: Subject<Item>,
  services: Services,
  id: string,
): Promise<Item | undefined> {
  if ('page' in read) return read.find?.(services, id);
  return (await read.all(services)).find((item) => 'id' in item && item.id === id);
}

/** What is shown once, as a command prints it. */
export function onceText(made: string, lines: Readonly<Record<string, string>>, what: string, remark?: string): string {
  const widest = Math.max(...Object.keys(lines).map(({ length }) => length));
  const shown = Object.entries(lines).map(([name, value]) => `  ${name.padEnd(widest)}  ${value}`);
  const copy = `Copy the ${what} now. You won't be able to see it again.`;
  return [made, shown.join('\n'), ...(remark === undefined ? [] : [remark]), copy].join('\n\n');
}
