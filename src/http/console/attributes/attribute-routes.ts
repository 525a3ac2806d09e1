// The console's pages about attributes of people. What applications rely on changes only after a question that names them.

import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Refused } from '../../../operations/admin/outcome.ts';
import {
  changeAttribute,
  deleteAttribute,
  findAttribute,
  openedByChange,
  type UsingApplication,
  usersOf,
} from '../../../operations/attributes/attributes.ts';
import { attributes } from '../../../operations/attributes/subject.ts';
import { attributePage, attributesPage, attributesPath } from '../../../pages/console/attributes/attributes.ts';
import { confirmPage } from '../../../pages/console/console-layout.ts';
import { attributeFields } from '../../../protocol/resources/attribute.ts';
import type { Attribute } from '../../../storage/storage.ts';
import type { HttpContext } from '../../context.ts';
import { type ConsoleForm, type ConsoleRequest, consolePages } from '../console-pages.ts';
import { givenInForm, multilineFields, sentInForm, shownInForm } from '../field-forms.ts';
import { formProblems } from '../form-problems.ts';
import { subjectRoutes } from '../subject-routes.ts';

const one = `${attributesPath}/:id`;
const multiline = multilineFields(attributeFields);

interface Attempt {
  readonly form?: ConsoleForm;
  readonly refusal?: Refused;
}

export function consoleAttributeRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context, 'attributes');

  const views = { section: 'settings', list: attributesPage, asks: {} } as const;
  subjectRoutes(app, context, attributes, views, { given: (_form, given) => withoutEmpty(given) });

  pages.get(one, (page) => sendAttribute(page, 200));

  const changeIn = (form: ConsoleForm) => withoutEmpty(givenInForm(attributeFields, 'change', form));
  pages.asks(
    one,
    async (form) => {
      const usedBy = await openedByChange(services, form.id, changeIn(form));
      return usedBy.length === 0 ? undefined : openQuestion(form, usedBy);
    },
    multiline,
  );
  pages.powerful(
    one,
    async (form) => {
      const outcome = await changeAttribute(services, form.id, changeIn(form), form.requester, confirmedIn(form));
      if (outcome.kind === 'done') return form.goTo(`${one}?done=attribute-saved`);
      const question = 'usedBy' in outcome ? await openQuestion(form, outcome.usedBy) : undefined;
      if (question !== undefined) return form.send(409, question);
      return sendAttribute(form, 400, { form, refusal: outcome });
    },
    { multiline },
  );

  pages.question(`${one}/delete`, 'settings', async ({ id, frame }) => {
    const found = await findAttribute(services, id);
    if (found.kind === 'refused') return found;
    const m = frame.messages.admin.attributes;
    const using = await usersOf(services, found.attribute);
    const names = using.map(({ name }) => name);
    return {
      title: m.deleteTitle(found.attribute.label),
      text: names.length === 0 ? m.deleteHint : m.deleteUsed(names),
      button: m.delete,
      fields: { confirmed: idsOf(using) },
    };
  });

  pages.powerful(`${one}/delete`, async (form) => {
    const outcome = await deleteAttribute(services, form.id, form.requester, confirmedIn(form));
    if (outcome.kind === 'done') return form.goTo(`${attributesPath}?done=attribute-deleted`);
    // Another application has begun to use it: the question is asked again, and names it.
    if ('usedBy' in outcome) return form.goTo(`${one}/delete`);
    return sendAttribute(form, 400, { refusal: outcome });
  });

  /** The form again, with the applications that the question names. */
  async function openQuestion(form: ConsoleForm, usedBy: readonly UsingApplication[]): Promise<string | undefined> {
    const found = await findAttribute(services, form.id);
    if (found.kind === 'refused') return undefined;
    const m = form.frame.messages.admin.attributes;
    const sent = ['fields', ...shownInForm(attributeFields, 'change').map(({ control }) => control)];
    const path = form.own(one);
    return confirmPage(form.frame, {
      section: 'settings',
      title: m.openTitle(found.attribute.label),
      text: m.openText(usedBy.map(({ name }) => name)),
      button: m.openConfirm,
      action: path,
      back: path,
      fields: { ...Object.fromEntries(sent.map((name) => [name, form.field(name)])), confirmed: idsOf(usedBy) },
    });
  }

  async function sendAttribute(page: ConsoleRequest, status: number, attempt: Attempt = {}): Promise<FastifyReply> {
    const found = await findAttribute(services, page.id);
    if (found.kind === 'refused') return page.refuse(found);
    const { attribute } = found;
    const shown = shownInForm(attributeFields, 'change', attribute).filter(({ name }) => isFor(attribute, name));
    const body = attributePage(page.frame, {
      ...attribute,
      usedBy: await usersOf(services, attribute),
      notice: page.notice,
      fields: attempt.form === undefined ? shown : sentInForm(shown, attempt.form),
      ...problemsOf(attempt),
    });
    return page.send(status, body);
  }
}

/** Without a value, any is allowed. */
function withoutEmpty<Input extends { readonly allowedValues?: readonly string[] | null | undefined }>(input: Input) {
  return input.allowedValues?.length === 0 ? { ...input, allowedValues: null } : input;
}

function isFor({ kind }: Attribute, field: string): boolean {
  return field !== 'values' || kind === 'text' || kind === 'list';
}

/** The applications that the administrator has read about. */
function confirmedIn({ field }: ConsoleForm): readonly string[] {
  return field('confirmed').split(' ');
}

function idsOf(apps: readonly { readonly id: string }[]): string {
  return apps.map(({ id }) => id).join(' ');
}

function problemsOf({ refusal }: Attempt) {
  return refusal === undefined ? { problem: undefined, problems: {} } : formProblems(refusal);
}
