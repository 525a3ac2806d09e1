// Requests for access, reviews, and the pages of owners in the console.

import { accessRequestsPage } from '../../../src/pages/console/access-requests/access-requests.ts';
import { ownedApplicationsPage, ownedEventsPage } from '../../../src/pages/console/clients/owners.ts';
import { reviewPage, reviewsPage } from '../../../src/pages/console/reviews/reviews.ts';
import { notice, place, problem } from './console-data.ts';
import { app, own, testPages } from './marked.ts';

const request = {
  id: '90',
  person: { id: '91', name: '92', email: '93' },
  application: { id: '94', name: '95' },
  status: 'open',
  note: '96',
  askedAt: 0,
  decidedAt: null,
  decider: undefined,
} as const;
const requests = { requests: [request], place, status: 'open', now: 0, notice, problem } as const;
const review = {
  id: '90',
  name: '91',
  status: 'open',
  dueAt: 0,
  items: 2,
  reviewed: 1,
  applications: [],
  closedAt: null,
  closedBy: null,
  closedByName: undefined,
} as const;
const reviews = { reviews: [review], place, entered: {}, submissionToken: '', now: 0, notice, problem };
const oneReview = { review, items: [], filters: {}, place, asOf: 0, mayClose: true, now: 0, notice, problem };
const client = { id: '90', app, revokedAt: null };
const names = { users: new Map(), clients: new Map(), apiKeys: new Map() };
const ownedEvents = {
  client,
  events: [],
  names,
  failures: false,
  place,
  now: 0,
  ofOne: true,
  notice,
  problem,
} as const;

testPages({
  'console, access requests': accessRequestsPage(own, requests),
  'console, no access requests': accessRequestsPage(own, { ...requests, requests: [] }),
  'console, no owned applications': ownedApplicationsPage(own, { clients: [], notice, problem }),
  'console, events of an owned application': ownedEventsPage(own, ownedEvents),
  'console, reviews': reviewsPage(own, reviews),
  'console, no reviews': reviewsPage(own, { ...reviews, reviews: [] }),
  'console, review': reviewPage(own, oneReview),
});
