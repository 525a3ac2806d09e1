// Groups. Part of console.ts.

import type { Total } from '../../protocol/admin/totals.ts';
import { counted } from './counts.ts';

export const groupMessages = {
  lead: 'Groups decide who can use an application. Applications don’t see groups unless you add a claim for them.',
  fields: {
    name: { label: 'Name' },
    protected: { label: 'Only administrators can change this group and its members' },
  },
  column: { members: 'Members' },
  create: 'Create group',
  none: 'No groups yet.',
  noneFound: 'No groups found.',
  searchHint: 'Search by any part of the name.',
  add: 'Add people',
  /** In a form that takes several; %s is one of them. */
  names: { typed: 'One per line.', remove: 'Remove %s', add: 'Add a group' },
  picker: {
    button: 'Add selected',
    count: (count: number) => (count === 1 ? 'Add 1 person' : `Add ${count} people`),
    present: 'Member',
  },
  remove: 'Remove',
  members: (total: Total) => `Members (${counted(total)})`,
  noMembers: 'No members yet.',
  protected: 'Protected',
  protection: 'Protection',
  protectedNote: 'This group is protected. Only administrators can change it and its members.',
  save: 'Save',
  renameTitle: 'Rename',
  rename: 'Rename',
  renameHint: 'Applications that get the names of groups see the new one.',
  applications: 'Applications',
  applicationsLead: 'Applications this group gives access to, or that receive it in a claim.',
  noApplications: 'No application uses this group yet.',
  application: 'Application',
  use: 'Use',
  opens: 'Members can sign in',
  claims: 'Used in claims',
  sharedName: (text: string) =>
    `${text} is the ID of one group and the name of another. Where either can be given, it means the group with this ID.`,
  usedBy: (names: string) => `Claims in ${names} use this group and will no longer match anyone.`,
  delete: 'Delete group',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteHint: 'Members lose access to applications they can use only through this group.',
};
