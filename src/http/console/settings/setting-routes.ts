// The console's settings: those of the service, and its brand, whose images have a form each.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { countPasswordOnly } from '../../../operations/passwords/password-only.ts';
import { changeSettings, currentSettings } from '../../../operations/settings/change-settings.ts';
import { newRules } from '../../../operations/settings/new-rules.ts';
import { stepToPage } from '../../../operations/sign-in/second-factor-need.ts';
import { listUpstreams } from '../../../operations/upstreams/upstreams.ts';
import { rulesPage } from '../../../pages/console/settings/rule-questions.ts';
import {
  brandingPage,
  brandingPath,
  previewPath,
  settingsPage,
  settingsSavedPage,
} from '../../../pages/console/settings/setting-forms.ts';
import {
  isIn,
  type SettingSection,
  settingSections,
  settingsPath,
} from '../../../pages/console/settings/setting-layout.ts';
import { brandImagePath, brandImages } from '../../../protocol/brand/brand.ts';
import type { FieldTable } from '../../../protocol/resources/field.ts';
import { brandFields, type SettingsInput, serviceFields } from '../../../protocol/resources/settings.ts';
import type { HttpContext } from '../../context.ts';
import { urlBefore } from '../../sign-in/destination.ts';
import { type ConsoleForm, type ConsoleRequest, consolePages } from '../console-pages.ts';
import { givenInForm, multilineFields, sentInForm, shownInForm } from '../field-forms.ts';
import { type FormProblems, settingProblems } from '../form-problems.ts';
import { sendBrandingPreview } from './branding-preview.ts';

/** What was sent, for a page that is shown again. */
type Attempt = { readonly form?: ConsoleForm } & Partial<FormProblems>;

function fieldsOf(section: SettingSection): FieldTable {
  return Object.fromEntries(Object.entries(serviceFields).filter(([name]) => isIn(section, name)));
}

function settingsIn(fields: FieldTable, form: ConsoleForm): SettingsInput {
  const { sign_up_domains, passwords_until, ...given }: SettingsInput = givenInForm(fields, 'change', form);
  // What was typed before a choice that hides its field isn't meant.
  return {
    ...given,
    ...(['domains', ''].includes(form.field('sign_up')) && { sign_up_domains }),
    ...(form.field('passwords') !== 'allowed' && { passwords_until }),
  };
}

export function consoleSettingRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context, 'settings');

  for (const section of settingSections) {
    const path = settingsPath(section);
    const fields = fieldsOf(section);
    const multiline = multilineFields(fields);
    const question = (form: ConsoleForm) => questionBefore(form, path, settingsIn(fields, form));

    pages.get(path, (page) => sendSettings(page, section, 200));

    pages.asks(path, question, multiline);
    pages.powerful(
      path,
      async (form) => {
        const asked = await question(form);
        if (asked !== undefined) return form.send(200, asked);
        const outcome = await changeSettings(services, settingsIn(fields, form), form.requester);
        if (outcome.kind === 'refused') {
          return sendSettings(form, section, 400, { form, ...settingProblems(form.frame.messages, outcome) });
        }
        // No other page of the console would open for them.
        const step = await stepToPage(services, form.signedIn);
        if (step.kind !== 'done') return form.send(200, settingsSavedPage(form.frame, urlBefore(step, path)));
        return form.goTo(`${path}?done=settings`);
      },
      { multiline },
    );
  }

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

  /** What a change means for many people. */
  async function questionBefore(form: ConsoleForm, path: string, given: SettingsInput): Promise<string | undefined> {
    if (form.field('sure') === 'yes') return undefined;
    const rules = await newRules(services, given, form.signedIn.user);
    const { form_token: _, ...sent } = Object.fromEntries(form.fields);
    return rulesPage(form.frame, rules, { path, fields: { ...sent, sure: 'yes' } });
  }

  async function sendSettings(
    page: ConsoleRequest,
    section: SettingSection,
    status: number,
    attempt: Attempt = {},
  ): Promise<FastifyReply> {
    const settings = await currentSettings(services);
    const upstreams = await listUpstreams(services);
    const choices = { default_upstream: upstreams.map(({ name, label }) => ({ value: name, label })) };
    const shown = shownInForm(fieldsOf(section), 'change', settings, choices, 'kept');
    const fields = attempt.form === undefined ? shown : sentInForm(shown, attempt.form);
    const passwordOnly = section === 'signIn' ? await countPasswordOnly(services, settings) : undefined;
    const { problem, problems = {} } = attempt;
    const body = settingsPage(page.frame, { section, fields, passwordOnly, notice: page.notice, problem, problems });
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
