// Every form that's shown again after it was refused has everything that was entered: what was typed, chosen and ticked. Passwords
// and codes aren't shown again. The forms are found by following the links of all pages.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { createAttribute } from '../../src/operations/attributes/attributes.ts';
import { disableUser } from '../../src/operations/users/disable-user.ts';
import { allowedRoute } from '../harness/allowed-routes.ts';
import { newWaiting } from '../harness/approval.ts';
import { allGroups, claimOf, newGroup, setClaims } from '../harness/claims.ts';
import { newUpstream } from '../harness/discovery.ts';
import { keptLink } from '../harness/links.ts';
import { Person } from '../harness/person.ts';
import { newOwner } from '../harness/second-factors.ts';
import { requester } from '../harness/service.ts';
import { consoleOfSuite } from '../harness/suite.ts';
import { allowLoopback, newWebhook } from '../harness/webhooks.ts';

const { service, admin } = consoleOfSuite({ ...allowLoopback, LATCHKEY_SIGN_UP: 'open' });

interface Control {
  readonly name: string;
  readonly kind: 'text' | 'color' | 'secret' | 'box' | 'radio' | 'select' | 'area';
  /** What it has; of a box or a radio button, whether it's chosen. */
  readonly value: string;
  /** Of a box or a radio button what it sends, of a select what can be chosen. */
  readonly sends: readonly string[];
}

interface FoundForm {
  readonly action: string;
  readonly hidden: Readonly<Record<string, string>>;
  readonly controls: readonly Control[];
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const unescaped = (text: string) => text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name) => entities[name] ?? '');
const attributeOf = (tag: string, name: string) => {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : unescaped(value);
};

/** Those with which something can be entered. */
function formsOn(page: string): FoundForm[] {
  return [...page.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].flatMap(([, start = '', content = '']) => {
    if (attributeOf(start, 'method') !== 'post') return [];
    const hidden: Record<string, string> = {};
    const controls = [...content.matchAll(/<input\b([^>]*)>|<(select|textarea)\b([^>]*)>([\s\S]*?)<\/\2>/g)].flatMap(
      ([tag, input, element, other = '', rest = '']): Control[] => {
        const attributes = input ?? other;
        const name = attributeOf(attributes, 'name') ?? '';
        const type = attributeOf(attributes, 'type');
        const value = attributeOf(attributes, 'value') ?? '';
        const isHidden = type === 'hidden' || /\sreadonly/.test(attributes);
        if (isHidden) hidden[name] = value;
        if (isHidden || type === 'file' || name === '') return [];
        if (element === 'select') {
          const options = [...tag.matchAll(/<option value="([^"]*)"( selected)?/g)];
          const chosen = options.find(([, , selected]) => selected) ?? options[0];
          return [
            {
              name,
              kind: 'select',
              value: unescaped(chosen?.[1] ?? ''),
              sends: options.map(([, each = '']) => unescaped(each)),
            },
          ];
        }
        if (element === 'textarea') return [{ name, kind: 'area', value: unescaped(rest), sends: [] }];
        const chosen = /\schecked/.test(attributes) ? 'chosen' : '';
        if (type === 'checkbox') return [{ name, kind: 'box', value: chosen, sends: [value] }];
        if (type === 'radio') return [{ name, kind: 'radio', value: chosen, sends: [value] }];
        const isSecret = type === 'password' || attributeOf(attributes, 'autocomplete') === 'one-time-code';
        return [{ name, kind: isSecret ? 'secret' : type === 'color' ? 'color' : 'text', value, sends: [] }];
      },
    );
    const action = attributeOf(start, 'action') ?? '';
    return controls.length === 0 ? [] : [{ action, hidden, controls }];
  });
}

const secret = '12345678';

/** Something else in every control. */
function otherThan({ controls }: FoundForm): Record<string, string> {
  const values: Record<string, string> = {};
  for (const { name, kind, value, sends } of controls) {
    if (kind === 'text') values[name] = `'${name}' "<&`;
    else if (kind === 'color') values[name] = '#a1b2c3';
    else if (kind === 'area') values[name] = `'${name}'\r\n"<&`;
    else if (kind === 'secret') values[name] = secret;
    else if (kind === 'select') values[name] = sends.findLast((each) => each !== value) ?? value;
    else if (value === '') values[name] = sends[0] ?? '';
  }
  return values;
}

/** What its controls have, without those that have to be entered again. */
const shownIn = ({ controls }: FoundForm) =>
  controls
    .filter(({ kind }) => kind !== 'secret')
    .map(({ name, kind, value, sends }) => [name, kind, value, kind === 'select' ? '' : sends.join()]);

const sentIn = (form: FoundForm, values: Readonly<Record<string, string>>): FoundForm => ({
  ...form,
  controls: form.controls.map((each) => {
    const sent = values[each.name] ?? '';
    const isChoice = each.kind === 'box' || each.kind === 'radio';
    return { ...each, value: isChoice ? (each.sends[0] === sent ? 'chosen' : '') : sent };
  }),
});

/** A person's box is named after them. */
const namesIn = ({ controls }: FoundForm) =>
  [...new Set(controls.map(({ name }) => name.replace(/^person_.*/, 'person')))].join(' ');

interface Found {
  readonly form: FoundForm;
  readonly person: Person;
}

/** By where a form is sent, and what is in it. */
type Forms = Map<string, Found>;

function addForms(forms: Forms, page: string, person: Person): void {
  for (const form of formsOn(page)) {
    const name = `${routeOf('POST', form.action).slice('POST '.length)}: ${namesIn(form)}`;
    if (!forms.has(name)) forms.set(name, { form, person });
  }
}

function routeOf(method: string, path: string): string {
  const [plain = ''] = path.split('?');
  return plain.startsWith('/admin') ? allowedRoute(method, plain).route : `${method} ${plain}`;
}

/** Follows links below the first path, to one page of each kind. */
async function formsBelow(person: Person, ...starts: readonly string[]): Promise<Forms> {
  const forms: Forms = new Map();
  const seen = new Set<string>();
  const waiting = [...starts];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const query = new URLSearchParams(path.split('?')[1]);
    // What is new has other fields for each kind of it.
    const kind = `${routeOf('GET', path)} ${path.includes('/new') ? query : [...query.keys()]}`;
    if (seen.has(kind)) continue;
    seen.add(kind);
    const page = await (await person.visit(path)).text();
    addForms(forms, page, person);
    const links = [...page.matchAll(/ href="([^"#]*)/g)].map(([, href = '']) => unescaped(href));
    waiting.push(...links.filter((href) => href.startsWith(`${starts[0]}/`) && !notFollowed.test(href)));
  }
  return forms;
}

/** Files, and lists whose pages differ in what they list. */
const notFollowed = /\.(csv|jsonl?)\b|^\/admin\/(events|search)/;

/** What is sent where it's refused for another reason than what is entered in every form. */
const refusedWith: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/admin/groups: name protected': { name: 'x'.repeat(200) },
  '/admin/groups/:id/rename: name': { name: 'x'.repeat(200) },
  '/admin/settings/attributes/:id: label editable_by': { label: 'x'.repeat(200) },
  '/admin/people/waiting: message': { message: 'x'.repeat(1000) },
  '/account/passkeys: name': { answer: '{}', challenge: 'none' },
};

/** What can be chosen there is only refused if someone else changes the same at that moment. */
const neverRefused = [
  '/admin/applications/:id/access: access',
  '/admin/groups/:id/protect: protected',
  '/admin/people/waiting: person',
];

/** Undefined if the form was shown again with what is wrong, and everything that was entered. */
async function problemOf(name: string, { form, person }: Found, forms: Forms): Promise<string | undefined> {
  const values = { ...otherThan(form), ...refusedWith[name] };
  const response = await person.submit({ ...form, fields: form.hidden, buttons: [] }, values);
  const page = await response.text();
  // The answer can have a form that wasn't found before.
  addForms(forms, page, person);
  if (neverRefused.includes(name)) return undefined;
  if (page.includes(secret)) return 'a password or a code is shown again';
  const again = formsOn(page).find((each) => each.action === form.action && namesIn(each) === namesIn(form));
  if (again === undefined) return `it isn't shown again, but ${response.status}`;
  if (!/role="alert"(?! hidden)/.test(page)) return 'nothing was refused';
  const [shown, expected] = [shownIn(again), shownIn(sentIn(form, values))];
  const lost = expected.filter((each, index) => !isDeepStrictEqual(each, shown[index]));
  return lost.length === 0 ? undefined : `these are lost: ${JSON.stringify(lost)}`;
}

async function assertAllShownAgain(forms: Forms): Promise<void> {
  const problems: string[] = [];
  for (const [name, found] of forms) {
    const problem = await problemOf(name, found, forms);
    if (problem !== undefined) problems.push(`${name}: ${problem}`);
  }
  assert.deepEqual(problems, []);
}

test('in the console', async () => {
  const { services } = service.running;
  const [ada, disabled] = [await service.newUser({ name: 'Ada Lovelace' }), await service.newUser()];
  assert.equal((await disableUser(services, disabled, requester)).kind, 'done');
  const group = await newGroup(service, 'Board', ada);
  await newGroup(service, 'Finance');
  const client = await service.newClient();
  await setClaims(service, client.id, [claimOf('groups', allGroups)]);
  const attribute = { name: 'level', label: 'Level', kind: 'number', editableBy: 'person' };
  assert.equal((await createAttribute(services, attribute, requester)).kind, 'done');
  await newWebhook(service);
  await newUpstream(service);
  await newWaiting(service);
  const forms = await formsBelow(
    admin,
    '/admin',
    `/admin/people/${disabled.id}`,
    `/admin/applications/${client.id}/access?find=Ada`,
    `/admin/groups/${group.id}?find=Ada`,
  );
  assert.ok(forms.size >= 35, [...forms.keys()].join('\n'));
  await assertAllShownAgain(forms);
});

test('on the pages of an account', async () => {
  const person = new Person(service);
  await person.signIn(await service.newUser());
  const forms = await formsBelow(person, '/account');
  assert.ok(forms.size >= 5, [...forms.keys()].join('\n'));
  await assertAllShownAgain(forms);
});

test('before someone has signed in', async () => {
  const owner = await newOwner(service);
  const forms: Forms = new Map();
  const open = async (path: string) => {
    const person = new Person(service);
    addForms(forms, await (await person.visit(path)).text(), person);
  };
  for (const path of ['/sign-in', '/sign-up', '/reset-password']) await open(path);
  for (const [purpose, path, userId] of [
    ['sign_up', '/sign-up/finish', null],
    ['invite', '/invitation', null],
    ['reset_password', '/reset-password/finish', owner.user.id],
  ] as const) {
    await open(`${path}?link=${await keptLink(service, purpose, userId, `${purpose}@example.test`)}`);
  }
  const person = new Person(service);
  addForms(forms, await (await person.signIn(owner.user)).text(), person);
  assert.equal(forms.size, 7, [...forms.keys()].join('\n'));
  await assertAllShownAgain(forms);
});
