// Creating a person in the console, and editing one.

import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Refused } from '../../../operations/admin/outcome.ts';
import { editUser } from '../../../operations/users/edit-user.ts';
import { createUserWithLink, findUser, newUserRefusal } from '../../../operations/users/users.ts';
import { shareLinkPage } from '../../../pages/console/console-layout.ts';
import { editUserPage, newUserPage } from '../../../pages/console/users/user-forms.ts';
import { personSegment } from '../../../pages/layout/person-path.ts';
import { changesNeedProof } from '../../../protocol/resources/resource.ts';
import { userFields } from '../../../protocol/resources/user.ts';
import type { HttpContext } from '../../context.ts';
import { redirect, sendErrorPage } from '../../send-page.ts';
import { type ConsoleForm, type ConsoleRequest, consolePages } from '../console-pages.ts';
import { givenInForm, sentInForm, shownInForm } from '../field-forms.ts';
import { formProblems } from '../form-problems.ts';

const list = '/admin/people';
const pathOf = (id: string) => `${list}/${personSegment(id)}`;

export function userFormRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context);

  pages.get(`${list}/new`, ({ frame, send, submissionToken }) => {
    const fields = shownInForm(userFields, 'create');
    return send(200, newUserPage(frame, { fields, withPassword: false, submissionToken, problems: {} }));
  });

  pages.post(list, async (form) => {
    const withPassword = form.field('password_choice') === 'set';
    const password = withPassword ? form.field('password') : undefined;
    const input = { ...givenInForm(userFields, 'create', form), password, admin: false };
    const isUnsure = !withPassword && form.field('password') !== '';
    const refuse = (refusal: Refused | undefined) => {
      const { problem, problems } = refusal ? formProblems(refusal) : { problem: undefined, problems: {} };
      const { frame, submissionToken } = form;
      const unsure = isUnsure && { password: frame.messages.admin.people.notChosen };
      const fields = sentInForm(shownInForm(userFields, 'create'), form);
      const page = { fields, withPassword, submissionToken, problem, problems: { ...problems, ...unsure } };
      return form.send(400, newUserPage(frame, page));
    };
    const refusal = await newUserRefusal(services, input);
    if (refusal !== undefined || isUnsure) return refuse(refusal);
    const outcome = await createUserWithLink(services, input, form.requester);
    if (outcome.kind === 'refused') return refuse(outcome);
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
      const change = givenInForm(userFields, 'change', form);
      const outcome = await editUser(services, { id: form.id }, change, form.requester);
      if (outcome.kind === 'refused') return sendEdit(form, 400, { form, refusal: outcome });
      const { user, changed, notified } = outcome;
      const done = notified ? 'person-saved' : changed ? 'saved' : 'person-unchanged';
      return redirect(form.reply, 303, `${pathOf(user.id)}?done=${done}`);
    },
    {
      when: async (form) => {
        const found = await findUser(services, { id: form.id });
        const given = givenInForm(userFields, 'change', form);
        return found.kind === 'done' && changesNeedProof(userFields, found.user, given);
      },
    },
  );

  async function sendEdit(
    page: ConsoleRequest,
    status: number,
    attempt?: { readonly form: ConsoleForm; readonly refusal: Refused },
  ): Promise<FastifyReply> {
    const found = await findUser(services, { id: page.id });
    if (found.kind === 'refused') return sendErrorPage(context, page.request, page.reply, 404, 'notFound');
    const { id, name } = found.user;
    const shown = shownInForm(userFields, 'change', found.user);
    const body = editUserPage(page.frame, {
      id,
      name,
      canSendEmail: services.emailQueue.works,
      fields: attempt === undefined ? shown : sentInForm(shown, attempt.form),
      ...(attempt === undefined ? { problems: {} } : formProblems(attempt.refusal)),
    });
    return page.send(status, body);
  }
}
