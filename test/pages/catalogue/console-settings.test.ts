// Settings, branding and attributes in the console.

import assert from 'node:assert/strict';
import { attributePage, attributesPage } from '../../../src/pages/console/attributes/attributes.ts';
import { confirmPage } from '../../../src/pages/console/console-layout.ts';
import { rulesPage, type ShownRule } from '../../../src/pages/console/settings/rule-questions.ts';
import { brandingPage, settingsPage, settingsSavedPage } from '../../../src/pages/console/settings/setting-forms.ts';
import { fieldOf, m, notice, problem, problems } from './console-data.ts';
import { own, testPages } from './marked.ts';

const attributeForm = [
  fieldOf('name', 'text', '1'),
  fieldOf('kind', 'choice', 'text', ['text', 'number', 'boolean', 'list']),
  fieldOf('label', 'text', '2'),
  fieldOf('editable_by', 'choice', 'person', ['administrator', 'person']),
  fieldOf('values', 'lines', '3'),
];

const among = { among: 9, you: true } as const;
const some = { ...among, people: { count: 8, more: true } };
const nobody = { ...among, people: { count: 0, more: false } };
const passwords = { kind: 'passwords', who: 'everyone', isEnd: false, until: undefined, isOver: false } as const;
const ruleSets: readonly (readonly ShownRule[])[] = [
  [{ kind: 'second_factor', who: 'everyone', ...some }],
  [{ kind: 'second_factor', who: 'administrators', ...nobody }],
  [{ ...passwords, ...nobody }],
  [{ ...passwords, ...some, until: 0 }],
  [{ ...passwords, ...some, who: 'administrators', isEnd: true, until: 0 }],
  [{ ...passwords, ...some, isEnd: true, until: 0, isOver: true }],
  [
    { ...passwords, ...some },
    { kind: 'inactive', days: 30, notice: 7, people: { count: 1, more: false }, isWaitingForEmail: false },
    { kind: 'inactive', days: 30, notice: 7, people: { count: 0, more: false }, isWaitingForEmail: true },
  ],
];

testPages({
  'console, attributes': attributesPage(own, {
    place: undefined,
    now: 0,
    items: [{ name: '1', label: '2', kind: 'list', editableBy: 'person' }],
    submissionToken: '',
    fields: attributeForm,
    notice,
    problem,
    problems: {},
  }),
  'console, no attributes': attributesPage(own, {
    place: undefined,
    now: 0,
    items: [],
    submissionToken: '',
    fields: attributeForm,
    notice,
    problem,
    problems: {},
  }),
  'console, attribute': attributePage(own, {
    name: '1',
    label: '2',
    kind: 'text',
    usedBy: [{ id: '3', name: '4' }],
    fields: attributeForm.slice(2),
    notice,
    problem,
    problems: {},
  }),
  'console, unused attribute': attributePage(own, {
    name: '1',
    label: '2',
    kind: 'boolean',
    usedBy: [],
    fields: attributeForm.slice(2, 4),
    notice,
    problem,
    problems: {},
  }),
  ...Object.fromEntries(
    [
      [m.attributes.deleteTitle('1'), m.attributes.deleteHint, m.attributes.delete],
      [m.attributes.deleteTitle('1'), m.attributes.deleteUsed(['2', '3']), m.attributes.delete],
      [m.attributes.openTitle('1'), m.attributes.openText(['2', '3']), m.attributes.openConfirm],
    ].map(([title = '', text = '', button = ''], index) => [
      `console, question about an attribute ${index}`,
      confirmPage(own, { section: 'settings', title, text, button, action: '/1', back: '/2' }),
    ]),
  ),
  'console, settings': settingsPage(own, {
    section: 'signIn',
    problems: {},
    passwordOnly: { everyone: 2, administrators: 1, most: 10 },
    fields: [
      fieldOf('second_factor', 'choice', '107', ['optional', 'administrators', 'everyone']),
      fieldOf('default_upstream', 'select', '117', ['', '117']),
      fieldOf('session_hours', 'number', '108'),
      fieldOf('kept_session_days', 'number', '109'),
      fieldOf('kept_session_idle_days', 'number', '110'),
    ],
    notice,
    problem,
  }),
  'console, settings of accounts': settingsPage(own, {
    section: 'accounts',
    problems: {},
    passwordOnly: undefined,
    fields: [
      fieldOf('sign_up', 'choice', '118', ['closed', 'links', 'domains', 'approval', 'open']),
      fieldOf('disable_inactive_after_days', 'number', '119'),
    ],
    notice,
    problem,
  }),
  'console, settings of the console': settingsPage(own, {
    section: 'console',
    problems: {},
    passwordOnly: undefined,
    fields: [
      fieldOf('review_keep_days', 'number', '120'),
      fieldOf('first_steps', 'choice', '121', ['shown', 'hidden']),
    ],
    notice,
    problem,
  }),
  'console, settings saved': settingsSavedPage(own, '/1'),
  ...Object.fromEntries(
    ruleSets.map((rules, index) => [
      `console, rules ${index}`,
      rulesPage(own, rules, { path: '/1', fields: {} }) ?? assert.fail('no question'),
    ]),
  ),
  'console, branding': brandingPage(own, {
    fields: [
      fieldOf('service_name', 'text', '111'),
      fieldOf('accent', 'color', '112'),
      fieldOf('support_url', 'url', '114'),
      fieldOf('terms_url', 'url', '115'),
      fieldOf('privacy_url', 'url', '116'),
      fieldOf('sign_in_message', 'text', '113'),
    ],
    notice,
    problem,
    problems,
    images: [
      { name: 'logo', path: '/brand/logo/1' },
      { name: 'logo_dark', path: '/brand/logo_dark/1' },
      { name: 'favicon', path: undefined },
    ],
  }),
});
