// The console's page about the brand: its texts in one form, and a form for each image.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { refusalSentence } from '../../../operations/admin/outcome.ts';
import { changeBrandImage } from '../../../operations/settings/brand-images.ts';
import { changeSettings, readTypedSettings } from '../../../operations/settings/change-settings.ts';
import { type BrandingPage, brandingPage, brandingPath } from '../../../pages/console/settings/branding.ts';
import { shownPrefix } from '../../../pages/console/settings/setting-forms.ts';
import { ownAccent } from '../../../protocol/brand/accent.ts';
import { brandImagePath, brandImages } from '../../../protocol/brand/brand.ts';
import { isHexColour } from '../../../protocol/brand/colour.ts';
import { logoLimit } from '../../../protocol/reading/image.ts';
import { isBrandSetting, settingNames } from '../../../protocol/settings.ts';
import type { HttpContext } from '../../context.ts';
import { redirect } from '../../send-page.ts';
import { type ConsoleForm, type ConsoleRequest, consolePages } from '../console-pages.ts';
import { type FormProblems, settingProblems } from '../form-problems.ts';

const names = settingNames.filter(isBrandSetting);

export function brandingRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context);

  pages.get(brandingPath, (page) => sendBranding(page, 200, {}));

  pages.powerful(brandingPath, async (form) => {
    const typed = typedIn(form);
    const reading = readTypedSettings(changedIn(form, typed));
    const outcome = reading.kind === 'read' ? await changeSettings(services, reading.change, form.requester) : reading;
    if (outcome.kind === 'done') return redirect(form.reply, 303, `${brandingPath}?done=settings`);
    return sendBranding(form, 400, { typed, ...settingProblems(form.frame.messages, outcome) });
  });

  for (const image of brandImages) {
    pages.upload(
      `${brandingPath}/${image}`,
      logoLimit,
      async (upload) => {
        const { branding: m } = upload.frame.messages.admin.settings;
        const bytes = upload.field('remove') === 'yes' ? null : await upload.file('image');
        if (bytes === undefined) return sendBranding(upload, 400, { problem: m.noImage });
        const outcome = await changeBrandImage(services, image, bytes, upload.requester);
        if (outcome.kind === 'done') return redirect(upload.reply, 303, `${brandingPath}?done=settings`);
        return sendBranding(upload, 400, { problem: refusalSentence(outcome) });
      },
      (page) => sendBranding(page, 413, { problem: page.frame.messages.admin.settings.branding.tooLarge }),
    );
  }

  /** The page with the brand as it is, unless `attempt` says otherwise. */
  async function sendBranding(
    page: ConsoleRequest,
    status: number,
    attempt: { typed?: Texts } & Partial<FormProblems>,
  ): Promise<FastifyReply> {
    const settings = await services.settings.readFresh();
    const current = textsOf((name) => settings[name]);
    const typed = attempt.typed ?? current;
    const { images } = services.settings;
    const body = brandingPage(page.frame, {
      current,
      typed,
      pickedAccent: isHexColour(typed.accent) ? typed.accent.toLowerCase() : ownAccent,
      images: brandImages.map((name) => ({ name, path: images[name] && brandImagePath(name, images[name]) })),
      notice: status === 200 ? page.notice : undefined,
      problem: attempt.problem,
      problems: attempt.problems ?? {},
    });
    return page.send(status, body);
  }
}

type Texts = BrandingPage['current'];

function textsOf(textOf: (name: (typeof names)[number]) => string): Texts {
  return Object.fromEntries(names.map((name) => [name, textOf(name)])) as Texts;
}

/**
 * A field that was left empty isn't among those that arrive. A colour that was picked counts if none was typed: the picker
 * always has a value.
 */
function typedIn({ field }: ConsoleForm): Texts {
  const typed = textsOf((name) => field(name).trim());
  const isChanged = (name: string) => field(name).trim() !== field(shownPrefix + name);
  const isPicked = isChanged('accent_picker') && !isChanged('accent');
  return isPicked ? { ...typed, accent: field('accent_picker') } : typed;
}

/** What the administrator has changed on the page. What they left alone may have been changed by another one since. */
function changedIn({ field }: ConsoleForm, typed: Texts): Record<string, string> {
  return Object.fromEntries(Object.entries(typed).filter(([name, text]) => field(shownPrefix + name) !== text));
}
