// The tabs of a person's page, and what the person has access to. Part of console.ts.

import { lazy } from '../languages/lazy.ts';

const groupNames = lazy(() => new Intl.ListFormat('en'));

export const personMessages = {
  tabs: { profile: 'Profile', access: 'Access', security: 'Security', activity: 'Activity', danger: 'Danger zone' },
  tabsLabel: (name: string) => `Pages about ${name}`,
  groups: {
    title: 'Groups',
    none: 'Not in any group.',
    add: 'Add to group',
    group: 'Group',
    addHint: 'If they’re in it already, they get this end.',
    remove: 'Remove',
  },
  apps: {
    title: 'Applications',
    lead: "Applications they've connected, and restricted ones they can use.",
    none: 'No applications.',
    access: 'Access',
    everyone: 'Everyone',
    directly: 'Directly',
    through: (...groups: readonly string[]) => `Through ${groupNames().format(groups)}`,
    noAccess: 'No access',
    lastUsed: 'Last used',
    give: 'Give access',
    giveHint: 'If they have access directly, they get this end.',
    application: 'Application',
    searchHint: 'Find restricted applications by any part of the name, or by the beginning of a client ID or host.',
    noneFound: 'No restricted applications found.',
    end: 'End access',
  },
  since: 'Since',
  signIn: 'Sign-in',
  recentActivity: 'Recent activity',
  allEvents: 'View all events',
  notices: {
    'group-joined': 'Added to the group.',
    'group-left': 'Removed from the group.',
    'access-given': 'Access given.',
    'access-ended': 'Access ended.',
  },
};
