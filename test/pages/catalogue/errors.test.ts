// Error pages.

import { type ErrorTopic, english as en } from '../../../src/pages/languages/languages.ts';
import { errorPage } from '../../../src/pages/layout/error-page.ts';
import { frame, testPages } from './marked.ts';

testPages(
  Object.fromEntries(
    Object.keys(en.errors)
      .filter((topic) => topic !== 'reference' && topic !== 'home')
      .map((topic) => [topic, errorPage(frame, { topic: topic as ErrorTopic, reference: '10', baseUrl: '11' })]),
  ),
);
