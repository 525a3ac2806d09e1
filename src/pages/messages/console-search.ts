// The console's one search. Part of console.ts.

const showAll = (what: string) => (count: string) => (count === '' ? `Show all ${what}` : `Show all ${count} ${what}`);

export const searchMessages = {
  /** Above the field, for screen readers, and in it. */
  label: 'Search the console',
  hint: 'People, applications, groups, settings, documents, references',
  /** Beside the link that opens it. */
  key: '/',
  failed: "The search didn't answer. Press Enter to try again.",
  none: (text: string) => `Nothing matches “${text}”.`,
  found: (count: number) => (count === 1 ? '1 result shown' : `${count} results shown`),
  groups: {
    people: 'People',
    applications: 'Applications',
    groups: 'Groups',
    events: 'Events with this reference',
    pages: 'Pages',
    settings: 'Settings',
    documents: 'Documents',
  },
  /** `count` is empty where they aren't counted. */
  all: {
    people: showAll('people'),
    applications: showAll('applications'),
    groups: showAll('groups'),
    events: showAll('events'),
    documents: showAll('documents'),
  },
};
