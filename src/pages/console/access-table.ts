// Who has access to what, and why: one table, on an application with its people, on a group with its members, and on a person with
// their applications. What is added stands below it, in a form that opens.

import { type AccountFrame, allows } from '../account/account-layout.ts';
import { type Column, table } from '../components/display.ts';
import { address, type Html, html } from '../layout/html.ts';
import { personSegment } from '../layout/person-path.ts';
import { agoTime } from '../layout/time.ts';
import { action, agoOrNever, briefTime, linkedName } from './console-layout.ts';
import { endColumns } from './ends.ts';

export interface ShownReason {
  readonly kind: 'everyone' | 'person' | 'group';
  readonly group: { readonly name: string } | null;
  /** When it ends; null for never. */
  readonly expiresAt: number | null;
}

export interface ShownAccess {
  /** None of someone who has connected the application and can't use it any more. */
  readonly reasons: readonly ShownReason[];
  /** Since when they've had access; null if that wasn't noted. */
  readonly since: number | null;
  /** When the last of them ends; null for never. */
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
}

export interface ShownPerson {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

export function personColumn<Row>(
  frame: AccountFrame,
  of: (row: Row) => ShownPerson,
  sort?: Column<Row>['sort'],
): Column<Row> {
  const cell = (row: Row) => {
    const { id, name, email } = of(row);
    return html`${linkedName(frame, `/admin/people/${personSegment(id)}`, name)} <span class="quiet second">${address(email)}</span>`;
  };
  return { label: frame.messages.admin.people.column.name, kind: 'wide', sort, cell };
}

export function sinceColumn<Row>(
  { messages }: AccountFrame,
  of: (row: Row) => number | null | undefined,
  now: number,
): Column<Row> {
  const cell = (row: Row) => {
    const at = of(row);
    return at == null ? undefined : agoTime(messages, at, now);
  };
  return { label: messages.admin.person.since, phone: 'hidden', cell };
}

/** Every reason, since when, until when, and when it was last used. */
export function accessColumns<Row extends ShownAccess>(
  frame: AccountFrame,
  rows: readonly Row[],
  now: number,
): Column<Row>[] {
  const { person, brief } = frame.messages.admin;
  return [
    {
      label: person.apps.access,
      cell: (row) => reasonLines(frame, row, now),
      brief: ({ reasons }) => reasonsBriefly(frame, reasons),
    },
    sinceColumn(frame, ({ since }) => since, now),
    ...endColumns(frame, rows, ({ expiresAt }) => expiresAt, now),
    {
      label: person.apps.lastUsed,
      cell: ({ lastUsedAt }) => agoOrNever(frame, lastUsedAt, now),
      brief: ({ lastUsedAt }) => briefTime(frame, lastUsedAt, now, brief.used),
    },
  ];
}

/** The button that ends what a row shows. There's none if no row has it, or if the reader can't press it. */
export function endingColumn<Row>(
  frame: AccountFrame,
  rows: readonly Row[],
  spec: {
    readonly post: string;
    readonly label: string;
    readonly kind: 'danger' | 'asked';
    readonly has?: (row: Row) => boolean;
    readonly fields: (row: Row) => Readonly<Record<string, string>>;
    readonly about: (row: Row) => string;
  },
): Column<Row>[] {
  const { post, label, kind, has = () => true, fields, about } = spec;
  if (!allows(frame, 'POST', post) || !rows.some(has)) return [];
  const cell = (row: Row) =>
    has(row) ? action(frame, post, label, { kind, fields: fields(row), about: about(row) }) : '';
  return [{ label, unlabelled: true, kind: 'end', phone: 'first', cell }];
}

/** On a phone, the last end alone is shown. */
export function reasonsBriefly(frame: AccountFrame, reasons: readonly ShownReason[]): string {
  if (reasons.length === 0) return frame.messages.admin.person.apps.noAccess;
  const { through } = frame.messages.admin.person.apps;
  const groups = reasons.flatMap(({ group }) => (group === null ? [] : [group.name]));
  const others = reasons.filter(({ group }) => group === null).map((reason) => reasonText(frame, reason));
  return [...others, ...(groups.length === 0 ? [] : [through(...groups)])].join(', ');
}

function reasonText({ messages }: AccountFrame, { kind, group }: ShownReason): string {
  const m = messages.admin.person.apps;
  if (kind === 'everyone') return m.everyone;
  return group === null ? m.directly : m.through(group.name);
}

/** More are counted. */
const mostLines = 3;

/** Every way to an application, with its own end where that isn't the row's. */
function reasonLines(frame: AccountFrame, { reasons, expiresAt }: ShownAccess, now: number): Html | string {
  if (reasons.length < 2) return reasonsBriefly(frame, reasons);
  const more = reasons.length - mostLines;
  const shown = more > 1 ? reasons.slice(0, mostLines) : reasons;
  const rest = more > 1 && html`<span class="reason quiet">${frame.messages.admin.access.moreReasons(more)}</span>`;
  const lines = shown.map((reason) => (reason.expiresAt === expiresAt ? { ...reason, expiresAt: null } : reason));
  return html`${lines.map((reason) => reasonLine(frame, reason, now))}${rest}`;
}

export function reasonLine(frame: AccountFrame, reason: ShownReason, now: number): Html {
  const { ends } = frame.messages.admin;
  const { expiresAt: at } = reason;
  const end = at !== null && html` <span class="quiet">${ends.until} ${agoTime(frame.messages, at, now)}</span>`;
  return html`<span class="reason"><span>${reasonText(frame, reason)}</span>${end}</span>`;
}

/** A form that isn't in the way of the list above it; one that was refused is open. */
export function folded(title: string, isOpen: boolean, form: Html): Html {
  if (form.text.trim() === '') return html``;
  return html`<details class="more"${isOpen && html` open`}><summary>${title}</summary>${form}</details>`;
}

export interface ListedPerson extends ShownPerson {
  readonly listedSince: number | null;
  /** When their place in the list ends; null for never. */
  readonly listedUntil: number | null;
}

/** People who are in a list themselves, with since when and until when. */
export function entriesTable(
  frame: AccountFrame,
  people: readonly ListedPerson[],
  {
    sort,
    remove,
    now,
  }: {
    readonly sort?: Column<ListedPerson>['sort'];
    /** Undefined if the reader can't. */
    readonly remove:
      | {
          readonly post: string;
          readonly label: string;
          readonly kind: 'danger' | 'asked';
          readonly kept?: Readonly<Record<string, string>>;
        }
      | undefined;
    readonly now: number;
  },
): Html {
  const end =
    remove &&
    endingColumn(frame, people, {
      ...remove,
      fields: ({ id }) => ({ ...remove.kept, person: id }),
      about: ({ name }) => name,
    });
  return html`<div class="dense">${table<ListedPerson>({
    caption: frame.messages.admin.sections.people,
    rows: people,
    compact: 'wrap',
    columns: [
      personColumn(frame, (person) => person, sort),
      sinceColumn(frame, ({ listedSince }) => listedSince, now),
      ...endColumns(frame, people, ({ listedUntil }) => listedUntil, now),
      ...(end ?? []),
    ],
  })}</div>`;
}
