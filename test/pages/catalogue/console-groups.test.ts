// Groups in the console.

import { groupPage, groupsPage } from '../../../src/pages/console/groups/groups.ts';
import { fieldOf, group, notice, picker, place, problem } from './console-data.ts';
import { own, testPages } from './marked.ts';

const may = { mayProtect: true, mayName: true };
const noGroup = {
  items: [],
  search: '',
  place,
  fields: [fieldOf('name', 'text', ''), fieldOf('protected', 'flag', '')],
  problems: {},
  submissionToken: '',
  now: 0,
  notice,
  problem,
};

testPages({
  'console, groups': groupsPage(own, { ...noGroup, items: [group, { ...group, managedBy: '95' }] }, may),
  'console, no groups': groupsPage(own, noGroup, { mayProtect: false, mayName: false }),
  'console, no such group': groupsPage(own, { ...noGroup, search: '96' }, may),
  'console, group': groupPage(own, {
    group,
    ...may,
    entered: {},
    count: { count: 1, more: false },
    members: [
      { ...group, listedSince: -1, listedUntil: 90_000 },
      { ...group, listedSince: null, listedUntil: -1 },
    ],
    search: '',
    sort: 'name',
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
    group: { ...group, managedBy: '95' },
    ...may,
    entered: {},
    count: { count: 1, more: false },
    members: [{ ...group, listedSince: null, listedUntil: null }],
    search: '',
    sort: 'name',
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
    group,
    ...may,
    mayProtect: false,
    entered: {},
    count: { count: 0, more: false },
    members: [],
    search: '104',
    sort: '',
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
