// The console's settings page.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { changeSettings, readTypedSettings } from '../../../operations/settings/change-settings.ts';
import { listUpstreams } from '../../../operations/upstreams/upstreams.ts';
import { type SettingsPage, settingsPage, shownPrefix } from '../../../pages/console/settings/setting-forms.ts';
import { isBrandSetting, type PlainSettingName, type Settings, settingNames } from '../../../protocol/settings.ts';
import type { HttpContext } from '../../context.ts';
import { redirect } from '../../send-page.ts';
import { type ConsoleForm, type ConsoleRequest, consolePages } from '../console-pages.ts';
import { settingProblem } from '../form-problems.ts';

export const settingsPath = '/admin/settings';

export function consoleSettingRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context);

  pages.get(settingsPath, (page) => sendSettings(page, 200, {}));

  pages.powerful(settingsPath, async (form) => {
    const typed = typedIn(form);
    const reading = readTypedSettings(changedIn(form, typed));
    const outcome = reading.kind === 'read' ? await changeSettings(services, reading.change, form.requester) : reading;
    if (outcome.kind === 'done') return redirect(form.reply, 303, `${settingsPath}?done=settings`);
    return sendSettings(form, 400, { typed, problem: settingProblem(form.frame.messages, outcome) });
  });

  async function sendSettings(
    page: ConsoleRequest,
    status: number,
    attempt: { typed?: Partial<Texts>; problem?: string },
  ): Promise<FastifyReply> {
    const current = textsOf(await services.settings.readFresh());
    const body = settingsPage(page.frame, {
      current,
      typed: { ...current, ...attempt.typed },
      providers: await listUpstreams(services),
      notice: status === 200 ? page.notice : undefined,
      problem: attempt.problem,
    });
    return page.send(status, body);
  }
}

type Texts = SettingsPage['current'];

/** Those of the brand have a page of their own. */
const names = settingNames.filter((name): name is PlainSettingName => !isBrandSetting(name));

function textsOf(settings: Settings): Texts {
  const texts = names.map((name) => [name, String(settings[name])]);
  return Object.fromEntries(texts) as Record<PlainSettingName, string>;
}

function typedIn({ fields }: ConsoleForm): Partial<Texts> {
  return Object.fromEntries(
    names.flatMap((name) => {
      // An empty choice arrives like none.
      const text = fields.get(name) ?? (name === 'default_upstream' ? '' : undefined);
      return text === undefined ? [] : [[name, text.trim()]];
    }),
  );
}

/** What the administrator has changed on the page. What they left alone may have been changed by another one since. */
function changedIn({ fields }: ConsoleForm, typed: Partial<Texts>): Record<string, string> {
  return Object.fromEntries(Object.entries(typed).filter(([name, text]) => fields.get(shownPrefix + name) !== text));
}
