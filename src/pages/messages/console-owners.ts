// Owners of applications, and what they read about theirs.

export const ownerMessages = {
  title: 'Owners',
  lead: 'They decide who has access to it, in the console under Your applications. They see no secrets and change no settings.',
  none: 'Nobody owns it. Administrators decide who has access.',
  change: 'Change owners',
  people: 'People',
  peopleHint: 'Email addresses, one per line.',
  groups: 'Groups',
  groupsHint: 'Names of protected groups, one per line. Their members own the application.',
  save: 'Save owners',
  noOwner: 'No owner',
  ownedBy: (who: string) => `Owner: ${who}`,
  yourLead: 'You decide who has access to these.',
  yourNone: 'You own no applications.',
  failures: 'Failures',
};
