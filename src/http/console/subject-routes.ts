// The console's routes of what a subject describes: its list with the form that creates one, the page that shows what can be seen only
// then, and the questions before what can't be undone.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { refusalSentence } from '../../operations/admin/outcome.ts';
import { type Action, findItem, type Subject } from '../../operations/admin/subject.ts';
import type { FormField } from '../../pages/console/field-form.ts';
import type { AskAbout, SubjectPage, SubjectViews } from '../../pages/console/subject-page.ts';
import { capitalized } from '../../protocol/reading/in-sentences.ts';
import type { FieldTable } from '../../protocol/resources/field.ts';
import type { GivenOf } from '../../protocol/resources/resource.ts';
import { noticeOf } from '../account/account-pages.ts';
import type { HttpContext } from '../context.ts';
import { type ConsoleForm, type ConsoleRequest, consolePages } from './console-pages.ts';
import { givenInForm, multilineFields, sentInForm, shownInForm } from './field-forms.ts';
import { type FormProblems, formProblems } from './form-problems.ts';
import { cursorIn, isGone, listedIn } from './list-requests.ts';

/** What can't be made from the rows. */
interface Special<Found> {
  /** Where choices come from the store. */
  fields?(): Promise<readonly FormField[]> | readonly FormField[];
  /** What was given, where that isn't what the form says field by field; or what is wrong with it. */
  given?(form: ConsoleForm, given: GivenOf<FieldTable>): object;
  /** Where the form is sent that creates one, and where it leads; the list if undefined. */
  readonly createAt?: string;
  leadsTo?(created: Found): string;
  /** The page that an action leads to; the list if undefined. */
  shows?(form: ConsoleForm, result: object): string | undefined;
}

export function subjectRoutes<Item extends object, Found extends object>(
  app: FastifyInstance,
  context: HttpContext,
  subject: Subject<Item, Found>,
  views: SubjectViews<NoInfer<Item>, NoInfer<Found>>,
  special: Special<NoInfer<Found>> = {},
): void {
  const { services } = context;
  const { one, console: list, create, actions } = subject;
  const { createAt = list, leadsTo = () => list } = special;
  const pages = consolePages(app, context, subject.area);
  const fields = async () => special.fields?.() ?? shownInForm(create.fields, 'create');
  const nameOf = (done: string) => `${one} ${done}`.toLowerCase().replaceAll(' ', '-');
  const notice = (done: string) => `done=${nameOf(done)}`;
  const said = ['created', ...Object.values(actions).map(({ done }) => done)];
  const notices = Object.fromEntries(said.map((done) => [nameOf(done), `${capitalized(one)} ${done}.`]));

  pages.get(list, (page) => sendList(page, 200));

  const givenIn = (form: ConsoleForm): object => {
    const given = givenInForm(create.fields, 'create', form);
    return special.given?.(form, given) ?? given;
  };
  const answer = async (form: ConsoleForm) => {
    const read = givenIn(form);
    const again = async (status: number, problems: FormProblems) =>
      sendList(form, status, { fields: sentInForm(await fields(), form), ...problems });
    if ('problems' in read) return again(400, read as FormProblems);
    const outcome = await create.run(services, read, form.requester);
    if (outcome.kind === 'refused') return again(form.statusOf(outcome), formProblems(outcome));
    const shown = views.created?.(form.frame, outcome);
    return shown === undefined ? form.goTo(`${leadsTo(outcome)}?${notice('created')}`) : form.send(200, shown);
  };
  const { proof } = create;
  const isPowerful = (form: ConsoleForm) => {
    const given = givenIn(form);
    return !('problems' in given) && typeof proof === 'function' && proof(services, given);
  };
  addForm(createAt, typeof proof === 'function' ? isPowerful : proof, answer, multilineFields(create.fields));

  for (const [name, ask] of Object.entries(views.asks)) {
    const action = actions[name];
    if (action !== undefined) addAction(name, action, ask);
  }

  function addForm(
    path: string,
    when: true | undefined | ((form: ConsoleForm) => boolean | Promise<boolean>),
    send: (form: ConsoleForm) => Promise<FastifyReply>,
    multiline: readonly string[] = [],
  ): void {
    if (when === undefined) pages.post(path, send, multiline);
    else pages.powerful(path, send, { multiline, ...(when !== true && { when }) });
  }

  function addAction(
    name: string,
    { run, done, field, formerly, proof }: Action,
    ask: AskAbout<Item> | 'nothing',
  ): void {
    const path = field === undefined ? `${list}/:id/${name}` : `${list}/${formerly ?? name}`;

    if (ask !== 'nothing')
      pages.question(path, views.section, async ({ id, query, frame }) => {
        const named = field === undefined ? id : (query.get(field) ?? '');
        const item = await findItem(subject, services, named);
        const question = item && ask(frame, item);
        return question && { ...question, back: list, ...(field !== undefined && { fields: { [field]: named } }) };
      });

    const keyIn = (form: ConsoleForm) => (field === undefined ? form.id : form.field(field));
    const isPowerful = typeof proof === 'function' ? (form: ConsoleForm) => proof(services, keyIn(form)) : proof;
    addForm(path, isPowerful, async (form) => {
      const outcome = await run(services, keyIn(form), form.requester, false);
      if (outcome.kind === 'refused') {
        return sendList(form, form.statusOf(outcome), { problem: refusalSentence(outcome) });
      }
      const shown = special.shows?.(form, outcome);
      return shown === undefined ? form.goTo(`${list}?${notice(done)}`) : form.send(200, shown);
    });
  }

  async function sendList(
    page: ConsoleRequest,
    status: number,
    attempt: Partial<SubjectPage<Item>> = {},
  ): Promise<FastifyReply> {
    const { read, searched } = subject.list;
    const request = searched ? { search: page.query.get('search') ?? '', total: true } : {};
    const listed =
      'all' in read
        ? { items: await read.all(services), place: undefined, status, problem: undefined }
        : listedIn(await read.page(services, { ...cursorIn(page), ...request }), status);
    if (listed.place !== undefined && isGone(listed.place)) return page.sendMoved();
    const body = await views.list(page.frame, {
      ...listed,
      ...request,
      submissionToken: page.submissionToken,
      now: services.clock.now(),
      fields: await fields(),
      notice: page.notice ?? noticeOf(page, notices),
      problems: {},
      ...attempt,
    });
    return page.send(listed.status, body);
  }
}
