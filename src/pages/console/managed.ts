// People and groups that belong to a directory, in the console.

import type { AccountFrame } from '../account/account-layout.ts';
import { badge, type Column } from '../components/display.ts';
import { type Html, html } from '../layout/html.ts';

interface Managed {
  readonly managedBy: string | null;
}

export function managedBadge(frame: AccountFrame, source: string | null): Html {
  return source === null ? html`` : badge(frame.messages.admin.managed.badge(source));
}

/** Which directory each belongs to; none if no one in the list does. */
export function managedColumns<Row extends Managed>(frame: AccountFrame, rows: readonly Row[]): Column<Row>[] {
  if (rows.every(({ managedBy }) => managedBy === null)) return [];
  return [
    { label: frame.messages.admin.managed.managedBy, phone: 'hidden', cell: ({ managedBy }) => managedBy ?? undefined },
  ];
}
