// A section of a file for `latchkey apply`: one row says what its entries are called, which fields they have and what is special
// about them. Reading, comparing, applying and exporting follow from the row, as do the diff and the help.

import type { Requester } from '../../protocol/event.ts';
import type { ImageReader, Logo } from '../../protocol/reading/logo.ts';
import type { Json, JsonObject } from '../../protocol/reading/strict-json.ts';
import type { FieldTable } from '../../protocol/resources/field.ts';
import type { GivenOf } from '../../protocol/resources/resource.ts';
import type { Outcome } from '../admin/outcome.ts';
import type { Metering, Recording, Services } from '../services.ts';

export type ApplyServices = Recording &
  Metering &
  Pick<Services, 'random' | 'keys' | 'webhooks' | 'settings' | 'upstreams' | 'openUpstreams'>;

export interface FileSection<Item extends object = object, Fields extends FieldTable = FieldTable> {
  /** The key of the file, which is what several are called. */
  readonly name: string;
  /** What one is called, with its article. */
  readonly noun: string;
  /** The member that identifies one. */
  readonly key: string;
  /** What is wrong with an identifier that isn't a field with a rule. */
  readonly idProblem?: (id: string) => string | undefined;
  /** For identifiers that people write as they like: the same for all spellings of one. */
  readonly sameBy?: (id: string) => string;
  readonly fields: Fields;
  /** Members that aren't fields. */
  readonly more?: Readonly<Record<string, Member>>;
  /** What the result calls the secret of a new one, and its identifier beside it. */
  readonly secret?: { readonly name: string; readonly of: string };
  /** Deleting can make room for what is new, or wait until no other section needs it. */
  readonly deletes: 'first' | 'in order' | 'last';

  /** All that a file can describe. */
  list(services: ApplyServices): Promise<readonly Item[]>;
  idOf(item: Item): string;
  /** How the diff calls it. */
  called(step: Step<Item, Fields>): string;
  /** How the diff shows a value, where that isn't as it is. Nothing is shown for null if it's new. */
  shown?(name: string, value: unknown, when: 'new' | 'before' | 'after'): unknown;
  /** What the diff remarks about one that may stay. */
  remark?(step: Step<Item, Fields>): string | undefined;
  /** Further members of the result about one that exists. */
  json?(item: Item): object;

  /** Finds what the entries name in other sections and in the store, and adds to the problems what isn't there. */
  resolve?(context: FileContext, described: readonly Described<Fields>[]): Promise<readonly Described<Fields>[]>;
  /** What changes, if that isn't the fields alone; about a new one, what there is besides them. */
  changes?(services: ApplyServices, current: Item | undefined, described: Described<Fields>): readonly Change[];
  /** Of those that aren't in the file, which stay even with --prune. */
  kept?(context: FileContext, items: readonly Item[]): Promise<readonly Item[]>;
  /** What can't be done. */
  problems?(context: FileContext, steps: readonly Step<Item, Fields>[]): Promise<readonly string[]>;

  create(services: ApplyServices, described: Described<Fields>, requester: Requester): Applied;
  /** Given are the fields that change. */
  update(services: ApplyServices, described: Described<Fields>, given: GivenIn<Fields>, requester: Requester): Applied;
  delete(services: ApplyServices, id: string, requester: Requester): Outcome<object>;
  /** What is left to do when it's created or updated. */
  after?(services: ApplyServices, step: Written<Item, Fields>, requester: Requester): Outcome<object> | undefined;

  /** What an export has besides the fields. */
  exported?(services: ApplyServices, item: Item): object | Promise<object>;
  image?(services: ApplyServices, id: string, version: string): Promise<Logo | undefined>;
}

/** The result has a secret if there is a new one. */
type Applied = Outcome<{ secret?: string | undefined }>;

export interface Member {
  readonly about: string;
  problems(value: Json): readonly string[];
}

/** Of any section, the engine goes by names. */
type GivenIn<Fields extends FieldTable> = FieldTable extends Fields
  ? Readonly<Record<string, unknown>>
  : GivenOf<Fields>;

/** One entry of a section. */
export interface Described<Fields extends FieldTable = FieldTable> {
  readonly id: string;
  /** By property; what the file doesn't say is left as it is. */
  readonly given: GivenIn<Fields>;
  /** The whole entry, for members that aren't fields. */
  readonly item: JsonObject;
  /** Once everyone whom they name has been found. */
  readonly lists?: readonly ListChange[];
}

/** By section. One that isn't there says nothing, which isn't the same as that there are none. */
export type Description = ReadonlyMap<string, readonly Described[]>;

export interface FileContext {
  readonly services: ApplyServices;
  readonly file: Description;
  readonly prune: boolean;
  /** What the file names and the store doesn't have. */
  readonly problems: Set<string>;
}

/** What the file says about a list whose entries can end. */
export interface ListChange {
  /** Such as `members` or `allowed.people`; a problem says it as well. */
  readonly path: string;
  /** What the diff calls one of its entries. */
  readonly label: string;
  /** Undefined if the file doesn't say who is on it. */
  readonly wanted: readonly string[] | undefined;
  readonly entries: ItemsDifference;
  /** Undefined if the file doesn't say when they end. */
  readonly ends: ReadonlyMap<string, number | null> | undefined;
  /** Those that end at another time than before. */
  readonly moved: readonly string[];
  readonly until: ItemsDifference;
}

export interface ItemsDifference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Of a list its items, of an image only that it changes. */
export type Change = {
  readonly name: string;
  /** Its place in JSON, with dots; its name if undefined. */
  readonly path?: string;
} & (
  | { readonly items: ItemsDifference }
  | { readonly image: 'added' | 'changed' | 'removed' }
  | { readonly from: unknown; readonly to: unknown }
);

export type Step<Item extends object = object, Fields extends FieldTable = FieldTable> =
  | Written<Item, Fields>
  | { kind: 'unchanged'; id: string; described: Described<Fields>; item: Item }
  | { kind: 'delete'; id: string; item: Item }
  | { kind: 'leave'; id: string; item: Item };

/** What is new, or another than before. */
export type Written<Item extends object = object, Fields extends FieldTable = FieldTable> =
  | { kind: 'create'; id: string; described: Described<Fields>; changes?: readonly Change[] }
  | { kind: 'update'; id: string; described: Described<Fields>; item: Item; changes: readonly Change[] };

/** Where the file says that a secret is. */
export type SecretPlace = { readonly env: string } | { readonly file: string };
export type SecretReader = (place: SecretPlace) => { readonly secret: string } | { readonly problem: string };

export interface FileReaders {
  readonly imageAt: ImageReader;
  readonly secretAt: SecretReader;
}
