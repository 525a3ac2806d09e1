// The console's settings page.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { changeSettings } from '../../../operations/settings/change-settings.ts';
import { listUpstreams } from '../../../operations/upstreams/upstreams.ts';
import { settingsPage } from '../../../pages/console/settings/setting-forms.ts';
import { serviceFields } from '../../../protocol/resources/settings.ts';
import type { HttpContext } from '../../context.ts';
import { redirect } from '../../send-page.ts';
import { type ConsoleForm, type ConsoleRequest, consolePages } from '../console-pages.ts';
import { givenInForm, sentInForm, shownInForm } from '../field-forms.ts';
import { settingProblem } from '../form-problems.ts';

export const settingsPath = '/admin/settings';

export function consoleSettingRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context);

  pages.get(settingsPath, (page) => sendSettings(page, 200));

  pages.powerful(settingsPath, async (form) => {
    const outcome = await changeSettings(services, givenInForm(serviceFields, 'change', form), form.requester);
    if (outcome.kind === 'done') return redirect(form.reply, 303, `${settingsPath}?done=settings`);
    return sendSettings(form, 400, { form, problem: settingProblem(form.frame.messages, outcome) });
  });

  async function sendSettings(
    page: ConsoleRequest,
    status: number,
    attempt?: { readonly form: ConsoleForm; readonly problem: string },
  ): Promise<FastifyReply> {
    const upstreams = await listUpstreams(services);
    const choices = { default_upstream: upstreams.map(({ name, label }) => ({ value: name, label })) };
    const shown = shownInForm(serviceFields, 'change', await services.settings.readFresh(), choices, 'kept');
    const body = settingsPage(page.frame, {
      fields: attempt === undefined ? shown : sentInForm(shown, attempt.form),
      notice: status === 200 ? page.notice : undefined,
      problem: attempt?.problem,
    });
    return page.send(status, body);
  }
}
