// The console's page about API keys.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { refusalSentence } from '../../../operations/admin/outcome.ts';
import { createApiKey, listApiKeys, revokeApiKey, rolesOfKey } from '../../../operations/api-keys/api-keys.ts';
import {
  type ApiKeysPage,
  apiKeysPage,
  newApiKeyPage,
  revokedApiKeyPage,
} from '../../../pages/console/api-keys/api-keys.ts';
import { newApiKeyFields } from '../../../protocol/resources/api-key.ts';
import type { HttpContext } from '../../context.ts';
import { type ConsoleRequest, consolePages } from '../console-pages.ts';
import { givenInForm, sentInForm, shownInForm } from '../field-forms.ts';
import { formProblems } from '../form-problems.ts';

/** A form has a permission or says that there are roles instead. */
const insteadOfPermission = 'roles';
const emptyForm = shownInForm(newApiKeyFields, 'create').map((field) =>
  field.name === 'permission'
    ? { ...field, options: [...(field.options ?? []), { value: insteadOfPermission }] }
    : field,
);

export function consoleApiKeyRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context, 'api_keys');

  pages.get('/admin/keys', (page) => sendKeys(page, 200));

  pages.powerful('/admin/keys', async (form) => {
    const { permission, ...given } = givenInForm(newApiKeyFields, 'create', form);
    const hasRoles = form.field('permission') === insteadOfPermission;
    if (hasRoles && (given.roles ?? []).length === 0) {
      const problems = { roles: form.frame.messages.admin.keys.noRoles };
      return sendKeys(form, 400, { fields: sentInForm(emptyForm, form), problems });
    }
    const input = { ...given, ...(!hasRoles && permission !== undefined && { permission }) };
    const outcome = await createApiKey(services, input, form.requester);
    if (outcome.kind === 'refused') {
      return sendKeys(form, 400, { fields: sentInForm(emptyForm, form), ...formProblems(outcome) });
    }
    // Without the key itself, because shells keep a history of commands.
    const example = `curl -H "Authorization: Bearer $LATCHKEY_API_KEY" ${services.issuer}/api/applications`;
    return form.send(200, newApiKeyPage(form.frame, { secret: outcome.secret, example }));
  });

  pages.question('/admin/keys/end', 'keys', async ({ query, frame }) => {
    const key = (await listApiKeys(services)).find(({ id }) => id === query.get('end'));
    if (key === undefined) return undefined;
    const m = frame.messages.admin.keys;
    return { title: m.endTitle(key.name), text: m.endText, button: m.endConfirm, fields: { end: key.id } };
  });

  pages.powerful('/admin/keys/end', async (form) => {
    const outcome = await revokeApiKey(services, form.field('end'), form.requester);
    if (outcome.kind === 'refused') return sendKeys(form, 400, { problem: refusalSentence(outcome) });
    const { items, truncated } = outcome.created;
    if (items.length === 0) return form.goTo('/admin/keys?done=key-ended');
    const now = services.clock.now();
    return form.send(200, revokedApiKeyPage(form.frame, { created: items, truncated, now }));
  });

  async function sendKeys(
    page: ConsoleRequest,
    status: number,
    attempt: Partial<ApiKeysPage> = {},
  ): Promise<FastifyReply> {
    const body = apiKeysPage(page.frame, {
      keys: (await listApiKeys(services)).map((key) => ({ ...key, held: rolesOfKey(key) })),
      submissionToken: page.submissionToken,
      now: services.clock.now(),
      fields: emptyForm,
      notice: page.notice,
      problem: undefined,
      problems: {},
      ...attempt,
    });
    return page.send(status, body);
  }
}
