// The console's overview, search and events, and the pages that its sections share.

import { confirmPage, notAllowedPage, shareLinkPage } from '../../../src/pages/console/console-layout.ts';
import { type EventsPage, eventsPage } from '../../../src/pages/console/events/events.ts';
import { noListPage, refusedDownloadPage } from '../../../src/pages/console/lists.ts';
import { overviewPage } from '../../../src/pages/console/overview.ts';
import { searchPage } from '../../../src/pages/console/search.ts';
import { english as en } from '../../../src/pages/languages/languages.ts';
import { type EventKind, eventKinds } from '../../../src/protocol/events/kinds.ts';
import { m, notice, place, problem, waitingPerson } from './console-data.ts';
import { own, testPages } from './marked.ts';

const totals = { sign_in: [0, 1], failure: [1, 2], refresh: [3, 4] };
const series = { from: 0, step: 1, totals };
const filter = {
  person: '',
  application: '',
  kind: '',
  failures: '',
  reference: '',
  range: '',
  since: '',
  until: '',
  sort: '',
};
const event = { id: '60', failed: true, at: 0, address: '61', requestId: '62', mismatch: undefined };
const difference = { before: '63', received: '64', registered: '65', after: '66' };
const mismatch = { clientId: '67', received: '68', difference };
const events = [
  ...eventKinds.map((kind) => ({ ...event, kind, userId: '69', clientId: '70' })),
  ...Object.entries(en.admin.reasons).flatMap(([kind, reasons]) =>
    Object.keys(reasons).map((reason) => ({ ...event, kind: kind as EventKind, detail: { reason } })),
  ),
  { ...event, kind: 'exchange_refused', detail: { reasons: ['expired', 'client_mismatch'] } },
  { ...event, kind: 'authorization_refused', detail: { reason: 'unknown_client', requested_client: '71' } },
  { ...event, kind: 'access_refused', userId: '69', clientId: '70', hasAccess: false },
  { ...event, kind: 'access_refused', userId: '69', clientId: '70', hasAccess: true },
  { ...event, kind: 'user_disabled', actor: { kind: 'administrator', id: '72' } },
  {
    ...event,
    kind: 'client_updated',
    detail: Object.fromEntries(Object.keys(en.admin.events.details).map((n) => [n, '1'])),
  },
  { ...event, kind: 'user_disabled', address: '', actor: { kind: 'api_key', id: '73' } },
  { ...event, kind: 'authorization_refused', mismatch: { ...mismatch, state: 'can_be_registered' } },
  { ...event, kind: 'authorization_refused', mismatch: { ...mismatch, state: 'registered' } },
  {
    ...event,
    kind: 'authorization_refused',
    mismatch: { ...mismatch, received: '', difference: undefined, state: { problem: '74' } },
  },
] as EventsPage['events'];

testPages({
  'console, overview': overviewPage(own, {
    waiting: { count: 2, people: [waitingPerson] },
    requests: { count: 100, more: true },
    now: 0,
    version: '201',
    period: 'day',
    series,
    steps: [],
    docs: true,
    notice,
    users: { all: 1, neverSignedIn: 3, withoutFactor: 4 },
    filtered: {
      signedIn: { count: 2, more: true },
      inactive: { count: 5, more: false },
    },
    clients: [{ id: '77', name: '78', signIns: 1, refreshes: 2, failures: 3 }],
    warnings: [
      { kind: 'no_mail' },
      { kind: 'outbox' },
      { kind: 'plain_http' },
      { kind: 'instances_differ' },
      { kind: 'store_clock_differs' },
      { kind: 'backup_failed' },
      { kind: 'backup_overdue' },
      { kind: 'backup_on_store_disk' },
      { kind: 'clock_differs', instances: ['81', '82'] },
      { kind: 'administrator_keys', keys: ['79', '80'] },
      { kind: 'old_secret_in_use', client: { id: '79', name: '80' }, usedAt: 0 },
    ],
  }),
  'console, overview of a month': overviewPage(own, {
    waiting: { count: 0, people: [] },
    requests: { count: 0, more: false },
    now: 0,
    version: '201',
    period: 'month',
    series,
    steps: [
      { step: 'email', done: false },
      { step: 'base_url', done: false },
      { step: 'backup', done: false },
      { step: 'second_administrator', done: false },
      { step: 'second_factor', done: false },
      { step: 'first_application', done: true },
    ],
    docs: true,
    users: undefined,
    filtered: undefined,
    clients: [],
    warnings: [],
  }),
  'console, overview of nothing': overviewPage(own, {
    waiting: { count: 0, people: [] },
    requests: { count: 0, more: false },
    now: 0,
    version: '201',
    period: 'day',
    series,
    steps: [{ step: 'first_application', done: false }],
    docs: false,
    users: { all: 0, neverSignedIn: 0, withoutFactor: 0 },
    filtered: undefined,
    clients: [],
    warnings: [],
  }),
  'console, not allowed': notAllowedPage(own),
  'console, question': confirmPage(own, {
    section: 'people',
    title: m.people.deleteTitle('87'),
    text: m.people.deleteText,
    action: '/88',
    button: m.people.delete,
    back: '/89',
  }),
  'console, link': shareLinkPage(own, { url: '90', until: 0, back: '/91' }),
  'console, search': searchPage(own, {
    query: '97',
    found: [
      { kind: 'people', hits: [{ href: '/98', name: '99', about: '100' }], all: { href: '/101', label: '102' } },
      { kind: 'documents', hits: [{ href: '/103', name: '104' }] },
    ],
  }),
  'console, search without results': searchPage(own, { query: '105', found: [] }),
  'console, share a link without admin access': shareLinkPage(own, {
    url: '113',
    until: 0,
    back: '/114',
    remark: own.messages.admin.people.noAdminByLink,
  }),
  'console, events': eventsPage(own, {
    filter,
    events,
    names: {
      users: new Map([['69', '96']]),
      clients: new Map([['70', '97']]),
      apiKeys: new Map([['73', '108']]),
    },
    place,
    now: 0,
    filtered: { person: '1', application: undefined },
    notice,
    problem,
    choices: {
      person: { title: m.events.severalPeople('4'), found: [{ id: '1', name: '2', email: '3' }] },
      application: { title: m.events.chooseApplication, found: [{ id: '1', name: '2' }] },
    },
    applications: [{ id: '1', name: '2' }],
  }),
  'console, no events': eventsPage(own, {
    filter,
    events: [],
    place,
    now: 0,
    notice,
    problem,
    applications: [],
    filtered: { person: undefined, application: undefined },
    choices: { person: undefined, application: undefined },
    names: { users: new Map(), clients: new Map(), apiKeys: new Map() },
  }),
  'console, a list that cannot be shown': noListPage(own, '/admin/people?1=1', problem),
  'console, a page of a list that is gone': noListPage(own, '/admin/people?cursor=1'),
  'console, download refused': refusedDownloadPage(own, { section: 'events', back: '/0', problem }),
});
