// Counted nouns, and counts of lists.

import type { Total } from '../../protocol/admin/totals.ts';

/** "303", or "10,000+" if there are more. */
export const counted = ({ count, more }: Total) => `${count.toLocaleString('en')}${more ? '+' : ''}`;

/** "1 member", "10,000+ members". */
export const countOf = (total: Total, one: string, many: string) =>
  `${counted(total)} ${total.count === 1 && !total.more ? one : many}`;

export const peopleIn = (total: Total) => countOf(total, 'person', 'people');

export const people = (count: number) => (count === 1 ? '1 person' : `${count.toLocaleString('en')} people`);
