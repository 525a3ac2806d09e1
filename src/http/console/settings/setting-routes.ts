// The console's settings: those of the service, and its brand, whose images have a form each.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { countPasswordOnly } from '../../../operations/passwords/password-only.ts';
import { changeSettings, currentSettings } from '../../../operations/settings/change-settings.ts';
import { newlyAffectedBy } from '../../../operations/settings/inactive-people.ts';
import { listUpstreams } from '../../../operations/upstreams/upstreams.ts';
import { confirmPage } from '../../../pages/console/console-layout.ts';
import {
  brandingPage,
  brandingPath,
  previewPath,
  settingsPage,
} from '../../../pages/console/settings/setting-forms.ts';
import { brandImagePath, brandImages } from '../../../protocol/brand/brand.ts';
import { brandFields, serviceFields } from '../../../protocol/resources/settings.ts';
import type { HttpContext } from '../../context.ts';
import { type ConsoleForm, type ConsoleRequest, consolePages } from '../console-pages.ts';
import { givenInForm, multilineFields, sentInForm, shownInForm } from '../field-forms.ts';
import { type FormProblems, settingProblems } from '../form-problems.ts';
import { sendBrandingPreview } from './branding-preview.ts';

const settingsPath = '/admin/settings';

/** What was sent, for a page that is shown again. */
type Attempt = { readonly form?: ConsoleForm } & Partial<FormProblems>;

export function consoleSettingRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context, 'settings');

  pages.get(settingsPath, (page) => sendSettings(page, 200));

  const settingsIn = (form: ConsoleForm) => {
    const { sign_up_domains, passwords_until, ...given } = givenInForm(serviceFields, 'change', form);
    // What was typed before a choice that hides its field isn't meant.
    return {
      ...given,
      ...(['domains', ''].includes(form.field('sign_up')) && { sign_up_domains }),
      ...(form.field('passwords') !== 'allowed' && { passwords_until }),
    };
  };
  const saveSettings = async (form: ConsoleForm) => {
    const question = await inactivityQuestion(form);
    if (question !== undefined) return form.send(200, question);
    const outcome = await changeSettings(services, settingsIn(form), form.requester);
    if (outcome.kind === 'done') return form.goTo(`${settingsPath}?done=settings`);
    return sendSettings(form, 400, { form, ...settingProblems(form.frame.messages, outcome) });
  };
  const multiline = multilineFields(serviceFields);
  pages.asks(settingsPath, inactivityQuestion, multiline);
  pages.powerful(settingsPath, saveSettings, { multiline });

  pages.get(brandingPath, (page) => sendBranding(page, 200));

  pages.get(previewPath, (page) => sendBrandingPreview(context, page));

  pages.powerful(brandingPath, async (form) => {
    const outcome = await changeSettings(services, givenInForm(brandFields, 'change', form), form.requester);
    if (outcome.kind === 'done') return form.goTo(`${brandingPath}?done=settings`);
    return sendBranding(form, 400, { form, ...settingProblems(form.frame.messages, outcome) });
  });

  for (const image of brandImages) {
    pages.image(`${brandingPath}/${image}`, 'image', sendBranding, {
      change: ({ requester }, bytes) => changeSettings(services, { [image]: bytes }, requester),
      done: `${brandingPath}?done=settings`,
      words: ({ settings: { branding: m } }) => ({ none: m.noImage, tooLarge: m.tooLarge }),
    });
  }

  /** The form again, with how many people it would disable. */
  async function inactivityQuestion(form: ConsoleForm): Promise<string | undefined> {
    if (form.field('sure') === 'yes') return undefined;
    const affected = await newlyAffectedBy(services, settingsIn(form));
    if (affected === undefined) return undefined;
    const { days, notice, people, isWaitingForEmail } = affected;
    const m = form.frame.messages.admin.settings.inactive;
    const { form_token: _, ...sent } = Object.fromEntries(form.fields);
    return confirmPage(form.frame, {
      section: 'settings',
      title: m.title(days),
      text: `${m.affected(people)} ${isWaitingForEmail ? m.noEmail : m.notice(notice)}`,
      action: settingsPath,
      button: m.confirm,
      back: settingsPath,
      fields: { ...sent, sure: 'yes' },
    });
  }

  async function sendSettings(page: ConsoleRequest, status: number, attempt: Attempt = {}): Promise<FastifyReply> {
    const upstreams = await listUpstreams(services);
    const choices = { default_upstream: upstreams.map(({ name, label }) => ({ value: name, label })) };
    const shown = shownInForm(serviceFields, 'change', await currentSettings(services), choices, 'kept');
    const fields = attempt.form === undefined ? shown : sentInForm(shown, attempt.form);
    const passwordOnly = await countPasswordOnly(services);
    const { problem, problems = {} } = attempt;
    const body = settingsPage(page.frame, { fields, passwordOnly, notice: page.notice, problem, problems });
    return page.send(status, body);
  }

  async function sendBranding(page: ConsoleRequest, status: number, attempt: Attempt = {}): Promise<FastifyReply> {
    const shown = shownInForm(brandFields, 'change', await services.settings.readFresh(), {}, 'kept');
    const { images } = services.settings;
    const body = brandingPage(page.frame, {
      fields: attempt.form === undefined ? shown : sentInForm(shown, attempt.form),
      images: brandImages.map((name) => ({ name, path: images[name] && brandImagePath(name, images[name]) })),
      notice: page.notice,
      problem: attempt.problem,
      problems: attempt.problems ?? {},
    });
    return page.send(status, body);
  }
}
