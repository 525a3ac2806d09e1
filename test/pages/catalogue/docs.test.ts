// The documentation site.

import { docsPage, docsSearchPage } from '../../../src/pages/docs/docs.ts';
import type { NavigationEntry, NavigationGroup } from '../../../src/pages/docs/navigation.ts';
import { html } from '../../../src/pages/layout/html.ts';
import { frame, testPages } from './marked.ts';

const entry = (name: string, label: string, children: readonly NavigationEntry[] = []) => ({ name, label, children });
const navigation: readonly NavigationGroup[] = [
  { group: 'start', entries: [entry('103', '104')] },
  { group: 'reference', entries: [entry('105', '106'), entry('110', '111', [entry('112', '113')])] },
];
const heading = (depth: number) => ({ depth, text: '114', anchor: '115' });
const document = { title: '101', body: html`102`, headings: [heading(2), heading(3)] };
const section = { name: '116', title: '117', heading: '118', anchor: '119' };
const results = [{ section, excerpt: [{ text: '120', matches: true }] }];

testPages({
  documentation: docsPage(frame, { navigation, name: '105', document }),
  'search in the documentation': docsSearchPage(frame, { navigation, query: '121', results, more: true }),
  'search without a result': docsSearchPage(frame, { navigation, query: '121', results: [], more: false }),
  'search without a query': docsSearchPage(frame, { navigation, query: '', results: [], more: false }),
});
