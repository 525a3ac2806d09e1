// Every component in every state, for those who work on the service. The page exists only during development, so its words
// are not part of the catalogue.

import { barChart } from '../components/chart.ts';
import { button, chips, linkButton, menu, pager, tabs } from '../components/controls.ts';
import { alert, badge, card, doneNotice, emptyState, notice, stats, table } from '../components/display.ts';
import { icon, iconNames } from '../components/icon.ts';
import { type AccountFrame, appShell, type NavigationLink, questionCard } from '../layout/app-shell.ts';
import {
  checkbox,
  choiceGroup,
  chosenTime,
  colorField,
  field,
  imageField,
  passwordField,
  radio,
  select,
  textArea,
} from '../layout/form.ts';
import { Html, html } from '../layout/html.ts';
import { accountCard, appIcon } from '../layout/identity.ts';
import type { Frame } from '../layout/layout.ts';

export function componentsPage(frame: Frame): string {
  const person: AccountFrame = {
    ...frame,
    account: { name: 'Ada Lovelace', email: 'ada.lovelace@analytical-engine.example' },
    formToken: '',
  };
  const body = html`
${section('Colors', html`<ul class="swatches">${swatches.map((name) => html`<li><svg class="swatch" aria-hidden="true"><rect width="100%" height="100%" fill="var(--${name})"/></svg><code>--${name}</code></li>`)}</ul>`)}
${section('Text', text)}
${section('Buttons', buttons)}
${section('Fields', fields(frame))}
${section('Badges', html`<p class="actions">${badge('Label')}${badge('Administrator', 'accent', 'shield-check')}${badge('Active', 'good')}${badge('Expires soon', 'warning')}${badge('Disabled', 'danger')}</p>`)}
${section('Notices', html`${doneNotice('Passkey added.', 'Dismiss')}${notice('This service runs without a mail server.')}${notice('Email verified.', 'good')}${notice('The previous secret is still in use.', 'warning')}${alert('Incorrect email or password.')}`)}
${section('Cards', cards)}
${section('Table', people)}
${section('Pager', html`${pager(pages('Pages of events', '/dev/components', '51–100'))}${pager(pages('Pages of people', undefined, '1–50'))}`)}
${section('Tabs and chips', html`${tabs('An application', [tab('Overview', true), tab('Access', false), tab('Secrets', false)])}${chips('Filter', [tab('Failures only', true), tab('Last 24 hours', false)])}`)}
${section('Menu', menus)}
${section('Question', question(person))}
${section('People and applications', identities)}
${section('Empty state', emptyState({ icon: 'squares-2x2', title: 'No applications yet', text: 'Register the first one to get a client ID.' }))}
${section('Figures', html`${stats(figures)}<div class="figures">${charts}</div>`)}
${section('Icons', html`<ul class="swatches">${iconNames.map((name) => html`<li>${icon(name)}<code>${name}</code></li>`)}</ul>`)}`;
  const href = '/dev/components';
  const links: NavigationLink[] = [
    { href, label: 'Overview', icon: 'chart-bar', current: true },
    { href, label: 'Applications', icon: 'squares-2x2' },
    { href, label: 'People', icon: 'users' },
  ];
  const elsewhere = { href: '/dev/outbox', label: 'Outbox', icon: 'inbox' } as const;
  return appShell(
    person,
    { label: 'Example', links, elsewhere, full: true },
    {
      title: 'Components',
      back: { href: '/dev/outbox', label: 'Outbox' },
      marks: badge('Development', 'warning'),
      actions: linkButton({ label: 'Add person', href: '/dev/components', kind: 'primary', icon: 'user-plus' }),
      body,
    },
  );
}

function section(title: string, content: Html): Html {
  return html`<section><h2 class="section-title">${title}</h2>${content}</section>`;
}

const swatches = [
  'ground',
  'sheet',
  'raised',
  'hover',
  'line',
  'ink',
  'quiet',
  'accent',
  'tint',
  'good',
  'good-tint',
  'warning',
  'warning-tint',
  'danger',
  'danger-tint',
];

const text = html`<h1>A page's title</h1><h2>A section's title</h2><h3>A title inside a section</h3>
<p>Text with a <a href="/dev/components">link</a>, <strong>something important</strong> and <code>code</code>.</p>
<p class="quiet">Quiet text.</p><p class="aside">An aside.</p><pre>A block of code</pre>`;

const buttons = html`<div class="actions">${[
  button({ label: 'Save changes', kind: 'primary', type: 'button' }),
  button({ label: 'Rotate secret', type: 'button' }),
  button({ label: 'Copy link', icon: 'document-duplicate', type: 'button' }),
  button({ label: 'Delete account', kind: 'danger', type: 'button' }),
  button({ label: 'Delete account', kind: 'primary danger', type: 'button' }),
  button({ label: 'Use another account', kind: 'link', type: 'button' }),
  button({ label: 'Resend', small: true, type: 'button' }),
  button({ label: 'Revoke', kind: 'danger', small: true, type: 'button' }),
]}</div>
<p>With the focus:</p>
<div class="actions focus-example">${[
  button({ label: 'Save changes', kind: 'primary', type: 'button' }),
  button({ label: 'Rotate secret', type: 'button' }),
  linkButton({ label: 'Use another account', href: '/dev/components', kind: 'link' }),
]}</div>`;

function fields(frame: Frame): Html {
  return html`<form method="get" action="/dev/components">
${field({ name: 'text', label: 'Name', autocomplete: 'off', value: 'Ada Lovelace', hint: 'Applications show it.' })}
${field({ name: 'wrong', label: 'Email', type: 'email', autocomplete: 'off', value: 'ada@', problem: 'Enter a valid email address.' })}
${passwordField(frame.messages, { name: 'secret', label: 'Password', autocomplete: 'off', hint: 'At least 8 characters.' })}
${select({
  name: 'language',
  label: 'Language',
  value: 'de',
  options: [
    { value: 'en', label: 'English' },
    { value: 'de', label: 'Deutsch' },
  ],
})}
${textArea({ name: 'uris', label: 'Redirect URIs', rows: 3, value: 'https://photos.example/callback', hint: 'One per line. Must match exactly.' })}
${chosenTime({
  name: 'ends',
  label: 'Access ends',
  hint: 'Anyone who is in the list already gets this end.',
  own: 'at',
  value: 'at',
  options: [
    { value: 'never', label: 'Never' },
    { value: 'at', label: 'Date and time…' },
  ],
  time: { name: 'ends_time', label: 'Date and time', value: '2027-01-31T17:00' },
  words: { utc: 'Times are in UTC.', zone: 'Times are in your time zone, %s.', chosen: 'Ends %s.' },
})}
${textArea({ name: 'groups', label: 'Groups', rows: 2, value: 'Board\nFinance', optional: true, names: { search: '/dev/components', typed: 'One per line.', remove: 'Remove %s', add: 'Add a group' } })}
${imageField(frame.messages, { name: 'file', label: 'Logo', hint: 'PNG, JPEG or WebP, up to 512 KB.' })}
${choiceGroup({ name: 'type', label: 'Type', lines: [radio('type', 'web', 'It has a server', true), radio('type', 'public', 'It runs on devices', false)] })}
${checkbox({ name: 'keep', label: 'Keep me signed in', checked: true })}
${select({ name: 'country', label: 'Region', value: '', problem: 'Choose a region.', options: [{ value: '', label: 'None' }] })}
${checkbox({ name: 'agree', label: 'I saved my recovery codes', checked: false, problem: 'Save your recovery codes first.' })}
${colorField(
  { name: 'color', label: 'Accent color', autocomplete: 'off', value: '#2457c5' },
  { name: 'color_picker', label: 'Pick an accent color', value: '#2457c5' },
)}
<div class="field focus-example"><label for="focused">Name, with the focus</label><input id="focused" value="Ada Lovelace"></div>
</form>`;
}

const cards = html`${card({ title: 'Password', lead: 'Last changed in May.', body: html`<p>Use it to sign in.</p>`, actions: button({ label: 'Change password', type: 'button' }) })}
${card({ title: 'Authenticator app', aside: badge('On', 'good'), body: html`<p>Codes change every 30 seconds.</p>` })}
${card({ title: 'Danger zone', danger: true, body: html`<p>This can't be undone.</p>`, actions: button({ label: 'Delete account', kind: 'danger', type: 'button' }) })}`;

const people = table({
  caption: 'People',
  columns: [
    {
      label: 'Name',
      kind: 'wide',
      sort: { href: '/dev/components', now: 'ascending' },
      cell: ({ name, email }) => html`<a href="/dev/components">${name}</a> <span class="quiet">${email}</span>`,
    },
    { label: 'Role', cell: ({ admin }) => (admin ? badge('Administrator', 'accent', 'shield-check') : undefined) },
    { label: 'Status', cell: ({ on }) => (on ? badge('Active', 'good') : badge('Disabled', 'danger')) },
    { label: 'Sign-ins', kind: 'number', cell: ({ count }) => count },
    {
      label: 'Details',
      unlabelled: true,
      cell: () => html`<details><summary>Details</summary></details>`,
    },
  ],
  rows: [
    { name: 'Ada Lovelace', email: 'ada@example.com', admin: true, on: true, count: '1,204' },
    {
      name: 'Bartholomew Featherstonehaugh',
      email: 'b.featherstonehaugh@a-long-domain.example',
      admin: false,
      on: false,
      count: '3',
    },
  ],
  details: ({ name }) => html`<p>More about ${name}.</p>`,
});

const moreActions = menu({
  label: 'More',
  items: [
    linkButton({ label: 'Send reset link', href: '/dev/components' }),
    button({ label: 'Disable account', kind: 'danger', type: 'button' }),
  ],
});

const menus = html`<div class="actions">${moreActions}</div>
<p>Open:</p>
<div class="opened">${new Html(moreActions.text.replace('<details ', '<details open '))}</div>`;

/** The link finds the question on this page, as on one of its own. */
function question(frame: AccountFrame): Html {
  const [action, ask] = ['/dev/components', 'ask'] as const;
  return html`<p>${linkButton({ label: 'Delete person', kind: 'danger', href: action, question: ask })}</p>
${questionCard(frame, {
  text: 'Applications lose access at once. This can’t be undone.',
  action,
  button: 'Delete person',
  back: action,
  cancel: 'Cancel',
})}`;
}

const identities = html`${accountCard({ name: 'Ada Lovelace', email: 'ada@example.com' })}
${appIcon({ name: 'Photo album', logoUrl: undefined })}`;

const figures = [
  { label: 'People', value: '1,024' },
  { label: 'Active', value: '310' },
  { label: 'Applications', value: '12' },
];

const values = [0, 3, 8, 12, 9, 4, 1, 0, 0, 2, 7, 15, 21, 18, 9, 6, 4, 11, 19, 24, 17, 8, 3, 1];
const charts = (['normal', 'failure'] as const).map((kind) =>
  barChart({
    id: kind,
    kind,
    title: kind === 'normal' ? 'Sign-ins' : 'Failures',
    total: '202',
    language: 'en',
    summary: 'Sign-ins in the last 24 hours: 202 in all, at most 24 in an hour',
    bars: values.map((value, hour) => ({ value, text: `5 May, ${hour}:00: ${value}` })),
    dates: ['5 May, 0:00', '5 May, 23:00'],
  }),
);

function pages(label: string, previous: string | undefined, position: string) {
  return {
    label,
    position,
    previous: { label: 'Previous', href: previous },
    next: { label: 'Next', href: '/dev/components' },
  };
}

function tab(label: string, current: boolean) {
  return { href: '/dev/components', label, current };
}
