// The console's page about the brand: its texts in one form, and a form for each image.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { refusalSentence } from '../../../operations/admin/outcome.ts';
import { changeSettings } from '../../../operations/settings/change-settings.ts';
import { brandingPage, brandingPath } from '../../../pages/console/settings/setting-forms.ts';
import { brandImagePath, brandImages } from '../../../protocol/brand/brand.ts';
import { logoLimit } from '../../../protocol/reading/image.ts';
import { brandFields } from '../../../protocol/resources/settings.ts';
import type { HttpContext } from '../../context.ts';
import { redirect } from '../../send-page.ts';
import { type ConsoleForm, type ConsoleRequest, consolePages } from '../console-pages.ts';
import { givenInForm, sentInForm, shownInForm } from '../field-forms.ts';
import { type FormProblems, settingProblems } from '../form-problems.ts';

export function brandingRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context);

  pages.get(brandingPath, (page) => sendBranding(page, 200, {}));

  pages.powerful(brandingPath, async (form) => {
    const outcome = await changeSettings(services, givenInForm(brandFields, 'change', form), form.requester);
    if (outcome.kind === 'done') return redirect(form.reply, 303, `${brandingPath}?done=settings`);
    return sendBranding(form, 400, { form, ...settingProblems(form.frame.messages, outcome) });
  });

  for (const image of brandImages) {
    pages.upload(
      `${brandingPath}/${image}`,
      logoLimit,
      async (upload) => {
        const { branding: m } = upload.frame.messages.admin.settings;
        const bytes = upload.field('remove') === 'yes' ? null : await upload.file('image');
        if (bytes === undefined) return sendBranding(upload, 400, { problem: m.noImage });
        const outcome = await changeSettings(services, { [image]: bytes }, upload.requester);
        if (outcome.kind === 'done') return redirect(upload.reply, 303, `${brandingPath}?done=settings`);
        return sendBranding(upload, 400, { problem: refusalSentence(outcome) });
      },
      (page) => sendBranding(page, 413, { problem: page.frame.messages.admin.settings.branding.tooLarge }),
    );
  }

  /** The page with the brand as it is, or with what was sent. */
  async function sendBranding(
    page: ConsoleRequest,
    status: number,
    attempt: { form?: ConsoleForm } & Partial<FormProblems>,
  ): Promise<FastifyReply> {
    const shown = shownInForm(brandFields, 'change', await services.settings.readFresh(), {}, 'kept');
    const { images } = services.settings;
    const body = brandingPage(page.frame, {
      fields: attempt.form === undefined ? shown : sentInForm(shown, attempt.form),
      images: brandImages.map((name) => ({ name, path: images[name] && brandImagePath(name, images[name]) })),
      notice: status === 200 ? page.notice : undefined,
      problem: attempt.problem,
      problems: attempt.problems ?? {},
    });
    return page.send(status, body);
  }
}
