// The form at the foot of every page, by which a person chooses a language.

import type { FastifyInstance } from 'fastify';
import { changeLanguage } from '../operations/account/profile.ts';
import { isLanguageTag } from '../protocol/languages.ts';
import type { HttpContext } from './context.ts';
import { setLanguageCookie } from './cookies.ts';
import { visitRoutes } from './forms.ts';
import { urlLimit } from './limits.ts';

export function languageRoutes(app: FastifyInstance, context: HttpContext): void {
  const { form } = visitRoutes(app, context);
  form('/language', async (visit, fields) => {
    const language = fields.get('language') ?? '';
    const back = withoutUiLocales(fields.get('return_to') ?? '');
    if (!isLanguageTag(language) || back === undefined) return visit.sendErrorPage(400, 'badRequest');
    const signedIn = await visit.signedIn();
    if (signedIn !== undefined) await changeLanguage(context.services, signedIn, language, visit.requester);
    setLanguageCookie(context, visit.reply, language);
    return visit.redirect(303, back);
  });
}

/** The last choice counts, so what the application asked for is dropped. Undefined for anything but a path of this service. */
function withoutUiLocales(path: string): string | undefined {
  if (path.length > urlLimit || !/^\/(?![/\\])[!-~]*$/.test(path)) return undefined;
  return path.replace(/([?&])ui_locales=[^&]*&?/g, '$1').replace(/[?&]$/, '');
}
