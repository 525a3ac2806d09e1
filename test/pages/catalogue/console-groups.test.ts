// Groups in the console.

import { groupPage, groupsPage } from '../../../src/pages/console/groups/groups.ts';
import { group, notice, picker, place, problem } from './console-data.ts';
import { own, testPages } from './marked.ts';

const noGroup = {
  place,
  seesClients: true,
  entered: { name: '', protected: false },
  mayProtect: true,
  mayName: true,
  notice,
  problem,
};

testPages({
  'console, groups': groupsPage(own, { search: '', groups: [group, { ...group, managedBy: '95' }], ...noGroup }),
  'console, no groups': groupsPage(own, { search: '', groups: [], ...noGroup, mayProtect: false, mayName: false }),
  'console, no such group': groupsPage(own, { search: '96', groups: [], ...noGroup }),
  'console, group': groupPage(own, {
    ...group,
    count: { count: 1, more: false },
    members: [
      { ...group, listedUntil: 90_000 },
      { ...group, listedUntil: -1 },
    ],
    ending: false,
    endingDays: 102,
    sharedNames: ['103'],
    now: 0,
    place,
    picker: { ...picker, present: [group.id], ticked: [group.id], end: '96' },
    opens: [{ id: '97', name: '98', until: 90_000 }],
    claimedBy: [
      { id: '97', name: '98' },
      { id: '99', name: '100' },
    ],
    notice,
    problem,
  }),
  'console, group of a directory': groupPage(own, {
    ...group,
    managedBy: '95',
    count: { count: 1, more: false },
    members: [group],
    ending: false,
    endingDays: 102,
    sharedNames: [],
    now: 0,
    place,
    picker,
    opens: [],
    claimedBy: [],
    notice,
    problem,
  }),
  'console, empty group': groupPage(own, {
    ...group,
    mayProtect: false,
    count: { count: 0, more: false },
    members: [],
    ending: true,
    endingDays: 102,
    sharedNames: [],
    now: 0,
    place,
    picker,
    opens: [],
    claimedBy: [],
    notice,
    problem,
  }),
});
