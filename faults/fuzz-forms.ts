// The forms of every page, sent as no browser would send them: from other sites, with the tokens of other people, and with
// fields that are missing, repeated, altered and hostile.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { messageOf } from '../src/protocol/reading/caught-errors.ts';
import { totpCode, totpStep } from '../src/protocol/sign-in/totp.ts';
import { png } from '../test/harness/account.ts';
import { formIn, Person } from '../test/harness/person.ts';
import { authorizePath, newVerifier } from '../test/harness/relying-party.ts';
import { keyOn } from '../test/harness/second-factors.ts';
import { tables } from '../test/harness/service.ts';
import { crawledForms, type FoundField, type FoundForm, filled, formsOn } from './crawled-forms.ts';
import { type Experiment, type Findings, inFolder, times } from './experiment.ts';
import { FuzzedService, type Scene, type SignedInPerson } from './fuzzed-service.ts';
import { altered, hostileText } from './hostile.ts';
import { problemOf } from './judge.ts';
import { Random } from './random.ts';
import { Tally } from './tally.ts';

const atOnce = 8;
const mutationsPerScene = 600;
/** In seconds. */
const patience = 15;

/** The fields that prove where a form comes from; `link` is not among them, as whoever has an email has its link. */
const proofs = ['form_token', 'request', 'continue', 'pending', 'challenge'];
/** Having an email sent to somebody takes no token: the form may be older than the browser's cookie. */
const withoutProof = ['/reset-password'];
/** What a form ends, from little to much: those that end the session they are sent with come last. */
const ends: readonly RegExp[] = [
  /decision/,
  /^\/(account|admin)/,
  /revoke|disable|end-sessions|remove|recovery|keys/,
  /delete /,
  /account\/(password|sessions)/,
  /sign-out|account\/delete|not-me|account=other|reset-password\/finish/,
];

interface Holder {
  readonly role: string;
  readonly cookie: string;
  readonly forms: readonly FoundForm[];
}

export const fuzzForms: Experiment = {
  name: 'fuzz-forms',
  title: 'Hostile forms',
  run: ({ scale, say }) =>
    inFolder((folder) => fuzz(folder, { attacks: times(3, scale), mutations: times(30_000, scale) }, say)),
};

async function fuzz(
  folder: string,
  rounds: { attacks: number; mutations: number },
  say: (progress: string) => void,
): Promise<Findings> {
  const random = Random.fromEnvironment();
  say(`seed ${random.seed}`);
  const service = await FuzzedService.start({ LATCHKEY_DATA_DIR: folder });
  const sender = new Sender(service);
  let forms = 0;
  let effective = 0;
  let attacks = 0;
  try {
    for (let round = 1; round <= rounds.attacks; round++) {
      const stage = await newStage(service, random);
      const found = await attack(sender, folder, stage);
      forms = Math.max(forms, found.forms);
      effective += found.effective;
      attacks += found.attacks;
      say(
        `${found.attacks} forged forms; ${found.effective} of ${found.forms} forms took effect when sent as they should be`,
      );
    }
    for (let sent = 0; sent < rounds.mutations; sent += mutationsPerScene) {
      const stage = await newStage(service, random);
      await mutate(sender, stage, Math.min(mutationsPerScene, rounds.mutations - sent), random);
      for (const problem of service.problems()) sender.tally.broken(problem, () => `among forms ${sent} and later`);
      if (sent % 6000 === 0) say(`${sent} of ${rounds.mutations} altered forms`);
    }
  } catch (error) {
    // A service that doesn't answer even honest requests; its log says why.
    sender.tally.broken(inspect(error), () => 'the experiment ended early');
  } finally {
    for (const problem of service.problems()) sender.tally.broken(problem, () => 'at the end');
    await service.stop();
  }
  return {
    done: `${forms} forms of a visitor, a person and an administrator: ${attacks} sent from other sites or with the tokens of others, ${rounds.mutations} with altered fields, seed ${random.seed}`,
    checks: { 'forged forms': attacks, 'forms that took effect when they were honest': effective },
    remarks: [`status (${sender.tally.statuses()})`, 'headers', 'redirects', 'markup', 'log', 'time'],
    broken: sender.tally.lines(),
  };
}

/** Everybody's pages, crawled. */
interface Stage {
  readonly scene: Scene;
  readonly holders: readonly Holder[];
  readonly values: Readonly<Record<string, string>>;
  /** Somebody else, with an account like the others', and a visitor with another browser. */
  readonly stranger: Holder;
  readonly visitor: Holder;
}

async function newStage(service: FuzzedService, random: Random): Promise<Stage> {
  const { url, service: at } = service.served;
  const scene = await service.newScene();
  const secret = await turnOnAuthenticator(scene.member);
  const values = {
    email: `new${random.below(1e9)}@example.test`,
    name: 'Another name',
    username: `user${random.below(1e9)}`,
    current_password: scene.member.user.password,
    password: scene.member.user.password,
    new_password: 'a phrase of my own',
    code: totpCode(secret, totpStep(Date.now()) + 1),
    days: '30',
    given_name: 'Grace',
    family_name: 'Hopper',
    locale: 'en',
    redirect_uris: 'http://localhost:9999/callback\nhttps://recipes.example/callback',
  };
  const request = authorizePath(scene.client, newVerifier(), { prompt: 'consent' });
  const choose = authorizePath(scene.client, newVerifier(), { prompt: 'select_account' });
  const visitorStarts = ['/sign-in', '/sign-up', '/reset-password', authorizePath(scene.client, newVerifier())];
  const crawl = async (role: string, person: Person, starts: readonly string[]): Promise<Holder> => {
    const forms = await crawledForms(person, url, starts);
    return { role, cookie: [...person.cookies].map((pair) => pair.join('=')).join('; '), forms };
  };
  const anonymous = new Person(at);
  const visitor = await crawl('visitor', anonymous, visitorStarts);
  const secondStep = await secondStepForms(anonymous, scene.member);
  const other = await crawl('visitor', new Person(at), visitorStarts);
  const personStarts = ['/account', '/account/review', '/account/authenticator', request, choose];
  const mails = await emailedForms(new Person(at), url, scene);
  return {
    scene,
    values,
    holders: [
      { ...visitor, forms: [...visitor.forms, ...secondStep, ...mails] },
      await crawl('person', scene.member.person, personStarts),
      await crawl('administrator', scene.admin.person, ['/admin', ...personStarts]),
    ],
    stranger: await crawl('stranger', scene.other.person, personStarts),
    visitor: other,
  };
}

async function turnOnAuthenticator({ person, user }: SignedInPerson): Promise<Uint8Array> {
  const page = await (await person.visit('/account/authenticator')).text();
  const { secret } = keyOn(page);
  const form = await formIn(new Response(page), '/account/authenticator');
  const code = totpCode(secret, totpStep(Date.now()));
  const { status } = await person.submit(form, { code, current_password: user.password });
  if (status !== 200) throw new Error(`the authenticator app could not be turned on: ${status}`);
  return secret;
}

async function secondStepForms(person: Person, { user }: SignedInPerson): Promise<FoundForm[]> {
  const signIn = await formIn(await person.visit('/sign-in'), '/sign-in');
  const response = await person.submit(signIn, { email: user.email, password: user.password });
  return formsOn(await response.text(), '/sign-in');
}

/** The pages that emails link to: the outbox shows emails when there is no mail server. */
async function emailedForms(person: Person, url: string, { other }: Scene): Promise<FoundForm[]> {
  const reset = await formIn(await person.visit('/reset-password'), '/reset-password');
  await person.submit(reset, { email: other.user.email });
  const signUp = await formIn(await person.visit('/sign-up'), '/sign-up');
  await person.submit(signUp, { email: `newcomer-${other.user.email}` });
  return crawledForms(person, url, ['/dev/outbox']);
}

/** Sends forms over HTTP, each from another address, and judges every response. */
class Sender {
  readonly tally = new Tally();
  readonly #service: FuzzedService;
  #sent = 0;

  constructor(service: FuzzedService) {
    this.#service = service;
  }

  get url(): string {
    return this.#service.served.url;
  }

  async send(form: FoundForm, cookie: string, headers: Record<string, string>): Promise<number> {
    const address = `10.${(++this.#sent >> 16) & 255}.${(this.#sent >> 8) & 255}.${this.#sent & 255}`;
    const query = form.method === 'GET' ? `?${bodyOf(form)}` : '';
    const target = encodeURI(form.action) + query;
    const describe = () => JSON.stringify({ ...form, headers }).slice(0, 700);
    const all = { Cookie: cookie, 'X-Forwarded-For': address, ...headers };
    try {
      const response = await fetch(this.url + target, {
        method: form.method,
        headers: all,
        redirect: 'manual',
        signal: AbortSignal.timeout(patience * 1000),
        ...(form.method === 'POST' && { body: bodyOf(form) }),
      });
      const { status } = response;
      const answer = {
        status,
        headers: new Map(response.headers),
        body: await response.text(),
        all: `HTTP/1.1 ${status} `,
      };
      this.tally.answered(status);
      const problem = problemOf(form.method, target, answer, ['http://localhost:9999/callback', `${this.url}/`]);
      if (problem !== undefined) this.tally.broken(problem, describe);
      return status;
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      this.tally.broken(`no answer: ${messageOf(error)} ${cause ?? ''}`, describe);
      return 0;
    }
  }
}

function bodyOf({ multipart, fields }: FoundForm): URLSearchParams | FormData {
  if (!multipart) return new URLSearchParams(fields.map(({ name, value }) => [name, value]));
  const data = new FormData();
  for (const { name, value, file } of fields) {
    if (file) data.append(name, new Blob([new Uint8Array(png)], { type: 'image/png' }), 'me.png');
    else data.append(name, value);
  }
  return data;
}

/** Sends every form in ways that must not change anything, and then as it should be sent, which must. */
async function attack(sender: Sender, folder: string, { holders, stranger, visitor, scene, values }: Stage) {
  const own = { Origin: sender.url };
  let attacks = 0;
  const unchanged = async (what: string, form: FoundForm, attempts: () => Promise<number>, except?: string) => {
    const before = contentOf(folder, except);
    attacks += await attempts();
    const after = contentOf(folder, except);
    const changes = [...before].filter((row) => !after.has(row)).concat([...after].filter((row) => !before.has(row)));
    if (changes.length > 0)
      sender.tally.broken(`${what} changed something`, () => `${JSON.stringify(form)} ${changes[0]}`);
  };
  await settled(folder);
  const all = holders.flatMap(({ role, cookie, forms }) =>
    forms
      .filter(({ method }) => method === 'POST')
      .map((form) => ({ role, cookie, form: filled(form, valuesFor(form, values, scene)) })),
  );
  const first = contentOf(folder);
  for (const { role, cookie, form } of all) {
    // One that the script of the page fills in proves nothing while it's empty.
    const isProof = ({ name, value }: FoundField) => proofs.includes(name) && value !== '';
    const withProof = (change: (field: FoundField) => FoundField[]) => ({
      ...form,
      fields: form.fields.flatMap((field) => (isProof(field) ? change(field) : [field])),
    });
    const foreign = role === 'visitor' ? visitor : stranger;
    const theirs = (name: string) => foreign.forms.flatMap(({ fields }) => fields).find((field) => field.name === name);
    await unchanged(`a form from another site (${role})`, form, async () => {
      await sender.send(form, cookie, { Origin: 'https://evil.example' });
      await sender.send(form, cookie, { Origin: 'null' });
      await sender.send(form, cookie, { 'Sec-Fetch-Site': 'cross-site' });
      await sender.send(form, cookie, { ...own, 'Sec-Fetch-Site': 'same-site' });
      return 4;
    });
    if (!form.fields.some(isProof) || withoutProof.includes(form.action)) continue;
    await unchanged(`a form without its token, or with another one (${role})`, form, async () => {
      await sender.send(
        withProof(() => []),
        cookie,
        own,
      );
      await sender.send(
        withProof((field) => [{ ...field, value: `${field.value}A` }]),
        cookie,
        own,
      );
      await sender.send(
        withProof((field) => [{ ...field, value: '' }]),
        cookie,
        own,
      );
      await sender.send(
        withProof((field) => [theirs(field.name) ?? { ...field, value: 'x' }]),
        cookie,
        own,
      );
      await sender.send(form, foreign.cookie, own);
      await sender.send(form, '', own);
      return 6;
    });
  }
  await settled(folder);
  const late = [...contentOf(folder)].filter((row) => !first.has(row));
  if (late.length > 0) sender.tally.broken('a forged form changed something later', () => late[0] ?? '');
  // With a token of their own, but about things of others: whatever happens must happen to themselves.
  const token = stranger.forms.flatMap(({ fields }) => fields).find(({ name }) => name === 'form_token');
  for (const { role, form } of byDestruction(all, scene.admin.user.id)) {
    if (role === 'visitor' || !form.fields.some(({ name }) => name === 'form_token')) continue;
    const fields = form.fields.map((field) =>
      field.name === 'form_token' ? { ...field, value: token?.value ?? '' } : field,
    );
    const attempt = async () => {
      await sender.send({ ...form, fields }, stranger.cookie, own);
      return 1;
    };
    await unchanged(`a form of a stranger (${role})`, form, attempt, scene.other.user.id);
  }
  let effective = 0;
  for (const { cookie, form } of byDestruction(all, scene.admin.user.id)) {
    const before = contentOf(folder);
    await sender.send(form, cookie, own);
    const after = contentOf(folder);
    if (before.size !== after.size || [...before].some((row) => !after.has(row))) effective++;
  }
  return { forms: all.length, attacks, effective };
}

/** Who signs in has an account already; who signs up has not. */
function valuesFor({ action }: FoundForm, values: Readonly<Record<string, string>>, { other }: Scene) {
  return action === '/sign-in' ? { ...values, email: other.user.email } : values;
}

/** What ends most comes last. What an administrator does to themselves counts as ending the session. */
function byDestruction<Each extends { form: FoundForm }>(all: readonly Each[], self: string): Each[] {
  const rank = ({ form: { action, fields } }: Each) => {
    const text = [action, ...fields.map(({ name, value }) => `${name}=${value}`)].join(' ');
    return action.includes(self) ? ends.length : ends.findLastIndex((pattern) => pattern.test(text));
  };
  return [...all].sort((a, b) => rank(a) - rank(b));
}

/** Tables that any request may change, or that the service changes by itself. */
const passing = [
  'events',
  'leases',
  'hourly_totals',
  'sign_in_failures',
  'spent_tickets',
  'service_facts',
  'service_keys',
  'instances',
];

/** The rows of the store, without the times that merely opening a page updates, and without those of one user. */
function contentOf(folder: string, except?: string): Set<string> {
  const database = new DatabaseSync(join(folder, 'latchkey.db'), { readOnly: true });
  try {
    const rows = tables
      .filter((table) => !passing.includes(table))
      .flatMap((table) =>
        database
          .prepare(`SELECT * FROM ${table}`)
          .all()
          .map((row) => `${table} ${asText(row)}`),
      );
    // Emails are sealed: whom they are for is not to be seen.
    const isTheirs = (row: string, user: string) => row.includes(user) || row.startsWith('mails ');
    return new Set(except === undefined ? rows : rows.filter((row) => !isTheirs(row, except)));
  } finally {
    database.close();
  }
}

const asText = (row: object) =>
  JSON.stringify({ ...row, last_seen_at: 0, last_used_at: 0, last_active_at: 0, secret_used_at: 0 });

/** Resolves once what was asked for earlier, such as an email, is done. */
async function settled(folder: string): Promise<void> {
  for (let before = '', waits = 0; waits < 20; waits++) {
    const now = [...contentOf(folder)].join();
    if (now === before) return;
    before = now;
    await pause(500);
  }
}

async function mutate(
  sender: Sender,
  { holders, stranger, values }: Stage,
  count: number,
  random: Random,
): Promise<void> {
  const everything = [...holders, stranger].flatMap(({ cookie, forms }) => forms.map((form) => ({ cookie, form })));
  const foreignFields = everything.flatMap(({ form }) => form.fields);
  // All of them at first, so that a seed repeats them in whatever order they are answered.
  const altered = Array.from({ length: count }, () => {
    const { cookie, form } = random.pick(everything);
    const fields = [...filled(form, values).fields];
    for (let changes = 1 + random.below(3); changes > 0; changes--) change(fields, foreignFields, random);
    const origins = [{ Origin: sender.url }, { Origin: sender.url }, {}, { Origin: 'https://evil.example' }];
    const brought = random.chance(0.9) ? cookie : random.pick(everything).cookie;
    return { form: { ...form, fields }, cookie: brought, headers: { ...random.pick(origins) } };
  });
  let next = 0;
  const worker = async () => {
    for (let each = altered[next++]; each !== undefined; each = altered[next++]) {
      await sender.send(each.form, each.cookie, each.headers);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

function change(fields: FoundField[], foreign: readonly FoundField[], random: Random): void {
  const at = random.below(fields.length);
  const field = fields[at];
  if (field === undefined) return;
  const set = (value: string) => {
    fields[at] = { ...field, value };
  };
  random.pick([
    () => void fields.splice(at, 1),
    () => void fields.push(field),
    () => void fields.push({ ...field, value: hostileText(random) }),
    () => void fields.push({ ...field, name: hostileText(random) }),
    () => set(hostileText(random)),
    () => set(hostileText(random)),
    () => set(altered(field.value, random)),
    () => set(altered(field.value, random)),
    () => set('x'.repeat(random.pick([300, 5000, 20_000]))),
    () => set(random.pick([...foreign.filter(({ name }) => name === field.name), field]).value),
  ])();
}
