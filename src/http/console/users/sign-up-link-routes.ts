// The console's links with which people sign up.

import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  createSignUpLink,
  findSharedLink,
  listSignUpLinks,
  revokeSignUpLink,
} from '../../../operations/users/sign-up-links.ts';
import {
  newSignUpLinkPage,
  type SignUpLinksPage,
  signUpLinksPage,
  signUpLinksPath,
} from '../../../pages/console/users/sign-up-links.ts';
import { newSignUpLinkFields } from '../../../protocol/resources/sign-up-link.ts';
import type { HttpContext } from '../../context.ts';
import { type ConsoleForm, type ConsoleRequest, consolePages } from '../console-pages.ts';
import { givenInForm, multilineFields, sentInForm, shownInForm } from '../field-forms.ts';
import { formProblems } from '../form-problems.ts';
import { cursorIn, listedIn } from '../list-requests.ts';

const emptyForm = shownInForm(newSignUpLinkFields, 'create');

export function consoleSignUpLinkRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context, 'sign_up');

  pages.get(signUpLinksPath, (page) => sendLinks(page, 200));

  const create = async (form: ConsoleForm) => {
    const outcome = await createSignUpLink(services, givenInForm(newSignUpLinkFields, 'create', form), form.requester);
    if (outcome.kind === 'refused') {
      return sendLinks(form, form.statusOf(outcome), { fields: sentInForm(emptyForm, form), ...formProblems(outcome) });
    }
    const { link, url } = outcome;
    return form.send(200, newSignUpLinkPage(form.frame, { url, uses: link.uses, until: link.expiresAt }));
  };
  pages.powerful(signUpLinksPath, create, { multiline: multilineFields(newSignUpLinkFields) });

  pages.question(`${signUpLinksPath}/revoke`, 'people', async ({ query, frame }) => {
    const m = frame.messages.admin.signUpLinks;
    const fields = { revoke: query.get('revoke') ?? '' };
    if ((await findSharedLink(services, { id: fields.revoke })) === undefined) return undefined;
    return { title: m.revokeTitle, text: m.revokeText, button: m.revokeConfirm, fields };
  });

  pages.buttons(signUpLinksPath, sendLinks, ({ field }) => field('revoke'), {
    revoke: { run: revokeSignUpLink, done: `${signUpLinksPath}?done=sign-up-link-revoked`, powerful: true },
  });

  async function sendLinks(
    page: ConsoleRequest,
    status: number,
    attempt: Partial<SignUpLinksPage> = {},
  ): Promise<FastifyReply> {
    const { items, ...listed } = listedIn(await listSignUpLinks(services, cursorIn(page)), status);
    const body = signUpLinksPage(page.frame, {
      ...listed,
      links: items,
      closed: (await services.settings.readFresh()).sign_up === 'closed',
      submissionToken: page.submissionToken,
      fields: emptyForm,
      problems: {},
      now: services.clock.now(),
      notice: page.notice,
      ...attempt,
    });
    return page.send(listed.status, body);
  }
}
