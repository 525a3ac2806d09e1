// The form at the foot of every page, by which somebody chooses a language.

import type { FastifyInstance } from 'fastify';
import { changeLanguage } from '../operations/account/profile.ts';
import { currentSession } from '../operations/sessions/sessions.ts';
import { isLanguageTag } from '../protocol/languages.ts';
import type { HttpContext } from './context.ts';
import { readCookie, setLanguageCookie } from './cookies.ts';
import { formRoutes } from './forms.ts';
import { urlLimit } from './limits.ts';
import { requesterOf } from './requester.ts';
import { redirect, sendErrorPage } from './send-page.ts';

export function languageRoutes(app: FastifyInstance, context: HttpContext): void {
  const { form } = formRoutes(app, context);
  form('/language', async ({ request, reply, fields }) => {
    const language = fields.get('language') ?? '';
    const back = withoutUiLocales(fields.get('return_to') ?? '');
    if (!isLanguageTag(language) || back === undefined)
      return sendErrorPage(context, request, reply, 400, 'badRequest');
    const signedIn = await currentSession(context.services, readCookie(context, request, 'session'));
    if (signedIn !== undefined) await changeLanguage(context.services, signedIn, language, requesterOf(request));
    setLanguageCookie(context, reply, language);
    return redirect(reply, 303, back);
  });
}

/** The last choice counts, so what the application asked for is dropped. Undefined for anything but a path of this service. */
function withoutUiLocales(path: string): string | undefined {
  if (path.length > urlLimit || !/^\/(?![/\\])[!-~]*$/.test(path)) return undefined;
  return path.replace(/([?&])ui_locales=[^&]*&?/g, '$1').replace(/[?&]$/, '');
}
