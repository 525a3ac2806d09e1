// The form at the foot of every page, by which a person chooses a language.

import type { FastifyInstance } from 'fastify';
import { changeLanguage } from '../operations/account/profile.ts';
import { isLanguageTag } from '../protocol/languages.ts';
import type { Parameters } from '../protocol/reading/parameters.ts';
import { type Destination, formatDestination, parseDestination } from '../protocol/sign-in/destination.ts';
import type { HttpContext } from './context.ts';
import { visitRoutes } from './forms.ts';
import { pickLanguage, withoutUiLocales } from './language.ts';
import { urlLimit } from './limits.ts';
import type { Visit } from './visit.ts';

export function languageRoutes(app: FastifyInstance, context: HttpContext): void {
  const { form } = visitRoutes(app, context);
  form('/language', async (visit, fields) => {
    const back = fields.get('return_to') ?? '';
    if (!isOwnPath(back) || !(await chooseLanguage(visit, fields))) return visit.sendErrorPage(400, 'badRequest');
    return visit.redirect(303, withoutUiLocales(back));
  });
}

function isOwnPath(path: string): boolean {
  return path.length <= urlLimit && /^\/(?![/\\])[!-~]*$/.test(path);
}

/** Also of the answer. False when the form has none that there is. */
export async function chooseLanguage(visit: Visit, fields: Parameters): Promise<boolean> {
  const { context, services, request, reply } = visit;
  const language = fields.get('language') ?? '';
  if (!isLanguageTag(language)) return false;
  const signedIn = await visit.signedIn();
  if (signedIn !== undefined) await changeLanguage(services, signedIn, language, visit.requester);
  pickLanguage(context, request, reply, language);
  return true;
}

/** Where a form leads that was shown again in another language. */
export function inPickedLanguage(destination: Destination): Destination {
  return parseDestination(withoutUiLocales(formatDestination(destination))) ?? destination;
}
