// The console's one search. Part of console.ts.

export const searchMessages = {
  /** Above the field, for screen readers, and in it. */
  label: 'Search the console',
  hint: 'People, applications, groups, settings, documents, or the reference of an error page.',
  /** Beside the link that opens it. */
  key: '/',
  close: 'Close',
  failed: "The search didn't answer. Press Enter to try again.",
  none: (text: string) => `Nothing matches “${text}”.`,
  found: (count: number) => (count === 1 ? '1 result' : `${count} results`),
  groups: {
    people: 'People',
    applications: 'Applications',
    groups: 'Groups',
    events: 'Events with this reference',
    pages: 'Pages',
    settings: 'Settings',
    documents: 'Documents',
  },
  all: {
    people: 'Show all people that match',
    applications: 'Show all applications that match',
    groups: 'Show all groups that match',
    events: 'Show all events with this reference',
    documents: 'Show all documents that match',
  },
};
