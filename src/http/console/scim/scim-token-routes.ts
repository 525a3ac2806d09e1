// The console's page about SCIM tokens.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { refusalSentence } from '../../../operations/admin/outcome.ts';
import { scimBase } from '../../../operations/scim/scim-people.ts';
import { createScimToken, listScimTokens, revokeScimToken } from '../../../operations/scim/scim-tokens.ts';
import { listUpstreams } from '../../../operations/upstreams/upstreams.ts';
import {
  scimTokensPath as list,
  newScimTokenPage,
  type ScimTokensPage,
  scimTokensPage,
} from '../../../pages/console/scim/scim-tokens.ts';
import { newScimTokenFields } from '../../../protocol/resources/scim-token.ts';
import type { HttpContext } from '../../context.ts';
import { type ConsoleRequest, consolePages } from '../console-pages.ts';
import { givenInForm, sentInForm, shownInForm } from '../field-forms.ts';
import { formProblems } from '../form-problems.ts';

export function consoleScimTokenRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context, 'scim_tokens');
  const baseUrl = scimBase(services.issuer);

  pages.get(list, (page) => sendTokens(page, 200));

  pages.powerful(list, async (form) => {
    const { upstream, ...given } = givenInForm(newScimTokenFields, 'create', form);
    // A choice of none is sent as an empty text.
    const outcome = await createScimToken(services, { ...given, upstream: upstream || null }, form.requester);
    if (outcome.kind === 'done') {
      return form.send(200, newScimTokenPage(form.frame, { secret: outcome.secret, baseUrl }));
    }
    return sendTokens(form, 400, { fields: sentInForm(await emptyForm(), form), ...formProblems(outcome) });
  });

  pages.question(`${list}/:id/revoke`, 'scim', async ({ id, frame }) => {
    const token = (await listScimTokens(services)).find((each) => each.id === id);
    if (token === undefined) return undefined;
    const m = frame.messages.admin.scim;
    return { title: m.endTitle(token.name), text: m.endText(token.source), button: m.endConfirm, back: list };
  });

  pages.powerful(`${list}/:id/revoke`, async (form) => {
    const outcome = await revokeScimToken(services, form.id, form.requester);
    if (outcome.kind === 'refused') return sendTokens(form, 400, { problem: refusalSentence(outcome) });
    return form.goTo(`${list}?done=scim-token-ended`);
  });

  async function emptyForm() {
    const upstreams = await listUpstreams(services);
    const choices = { upstream: upstreams.map(({ name, label }) => ({ value: name, label })) };
    const all = shownInForm(newScimTokenFields, 'create', {}, choices);
    const fields = [...all.filter(({ kind }) => kind !== 'flag'), ...all.filter(({ kind }) => kind === 'flag')];
    // Without an identity provider there is no claim to choose.
    return upstreams.length > 0 ? fields : fields.filter(({ name }) => name !== 'subject_claim');
  }

  async function sendTokens(
    page: ConsoleRequest,
    status: number,
    attempt: Partial<ScimTokensPage> = {},
  ): Promise<FastifyReply> {
    const body = scimTokensPage(page.frame, {
      tokens: await listScimTokens(services),
      baseUrl,
      docs: context.docs === 'on',
      submissionToken: page.submissionToken,
      now: services.clock.now(),
      fields: await emptyForm(),
      notice: page.notice,
      problem: undefined,
      problems: {},
      ...attempt,
    });
    return page.send(status, body);
  }
}
