// What administrators read about access that ends by itself. Part of console.ts.

import { endHint } from './field-labels.ts';

export const endMessages = {
  /** Of an account, and of a place in a list. */
  ends: 'Access ends',
  expired: 'Expired',
  /** Before "in 5 days". */
  until: 'Ends',
  filter: 'Show',
  soon: 'Ending soon',
  soonHint: (days: number) => `Access that ends in the next ${days} days.`,
  nobody: (days: number) => `Nobody's access ends in the next ${days} days.`,
  label: 'Access ends (optional)',
  hint: endHint,
  entryHint: `${endHint} Anyone who is in the list already gets this end.`,
  groupHint: `${endHint} A group that is on the list already gets this end.`,
  title: 'End of access',
  lead: 'From then on, the person can’t sign in, and their sessions and tokens no longer work.',
  save: 'Save end of access',
};
