// Creating a person in the console, and editing one.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { refusalSentence } from '../../../operations/admin/outcome.ts';
import { createPerson, newPersonProblems, type PersonProblems } from '../../../operations/users/create-user.ts';
import { editPerson } from '../../../operations/users/edit-user.ts';
import { findUser } from '../../../operations/users/users.ts';
import { shareLinkPage } from '../../../pages/console/console-layout.ts';
import {
  editPersonPage,
  type NewPersonPage,
  newPersonPage,
  type PersonFields,
} from '../../../pages/console/users/user-forms.ts';
import { personSegment } from '../../../pages/layout/person-path.ts';
import type { HttpContext } from '../../context.ts';
import { redirect, sendErrorPage } from '../../send-page.ts';
import { type ConsoleForm, type ConsoleRequest, consolePages } from '../console-pages.ts';

const list = '/admin/people';
const pathOf = (id: string) => `${list}/${personSegment(id)}`;

export function personFormRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context);

  pages.get(`${list}/new`, ({ frame, send, submissionToken }) => {
    const fields = { name: '', givenName: '', familyName: '', email: '' };
    const body = {
      fields,
      withPassword: false,
      emailVerified: false,
      submissionToken,
      problems: {},
      problem: undefined,
    };
    return send(200, newPersonPage(frame, body));
  });

  pages.post(list, async (form) => {
    const fields = fieldsIn(form);
    const withPassword = form.field('password_choice') === 'set';
    const emailVerified = form.field('email_verified') === 'yes';
    const input = {
      name: fields.name,
      email: fields.email,
      emailVerified,
      admin: false,
      givenName: fields.givenName || undefined,
      familyName: fields.familyName || undefined,
      password: withPassword ? form.field('password') : undefined,
    };
    const { submissionToken } = form;
    const refuse = (problems: NewPersonPage['problems'], problem?: string) => {
      const attempt = { fields, withPassword, emailVerified, submissionToken, problems, problem };
      return form.send(400, newPersonPage(form.frame, attempt));
    };
    const problems = {
      ...sentencesOf(await newPersonProblems(services, input)),
      ...(!withPassword && form.field('password') !== '' && { password: form.frame.messages.admin.people.notChosen }),
    };
    if (Object.keys(problems).length > 0) return refuse(problems);
    const outcome = await createPerson(services, input, form.requester);
    if (outcome.kind === 'refused') return refuse({}, refusalSentence(outcome));
    const { user, link } = outcome;
    const path = pathOf(user.id);
    if (link?.url !== undefined) {
      return form.send(200, shareLinkPage(form.frame, { url: link.url, until: link.expiresAt, back: path }));
    }
    return redirect(form.reply, 303, `${path}?done=${link === undefined ? 'person-created' : 'link-sent'}`);
  });

  pages.get(`${list}/:id/edit`, (page) => sendEdit(page, 200));

  pages.powerful(
    `${list}/:id/edit`,
    async (form) => {
      const fields = fieldsIn(form);
      const outcome = await editPerson(services, { id: form.id }, fields, form.requester);
      if (outcome.kind === 'refused') return sendEdit(form, 400, { fields, problem: refusalSentence(outcome) });
      const { user, changed, notified } = outcome;
      const done = notified ? 'person-saved' : changed ? 'saved' : 'person-unchanged';
      return redirect(form.reply, 303, `${pathOf(user.id)}?done=${done}`);
    },
    { when: changesEmail },
  );

  /** Whoever has somebody's email address can reset their password. */
  async function changesEmail(form: ConsoleForm): Promise<boolean> {
    const found = await findUser(services, { id: form.id });
    return found.kind === 'done' && found.user.email !== form.field('email').trim();
  }

  async function sendEdit(
    page: ConsoleRequest,
    status: number,
    attempt?: { fields: PersonFields; problem: string },
  ): Promise<FastifyReply> {
    const found = await findUser(services, { id: page.id });
    if (found.kind === 'refused') return sendErrorPage(context, page.request, page.reply, 404, 'notFound');
    const { id, name, givenName, familyName, email } = found.user;
    const stored = { name, givenName: givenName ?? '', familyName: familyName ?? '', email };
    const canSendEmail = services.emailQueue.works;
    const body = editPersonPage(page.frame, { id, name, canSendEmail, fields: stored, problem: undefined, ...attempt });
    return page.send(status, body);
  }
}

function sentencesOf(problems: PersonProblems): NewPersonPage['problems'] {
  return Object.fromEntries(Object.entries(problems).map(([name, problem]) => [name, refusalSentence(problem)]));
}

function fieldsIn({ field }: ConsoleForm): PersonFields {
  return {
    name: field('name'),
    givenName: field('given_name'),
    familyName: field('family_name'),
    email: field('email'),
  };
}
