// The profile page: names, username and language. The picture on it has its own form, in picture-routes.ts.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { changeProfile, type ProfileInput } from '../../operations/account/profile.ts';
import { type ProfilePage, profilePage } from '../../pages/account/profile.ts';
import type { HttpContext } from '../context.ts';
import { rememberLanguage } from '../language.ts';
import { redirect, sendPage } from '../send-page.ts';
import { type AccountForm, type AccountRequest, accountPages } from './account-pages.ts';
import { noticeOf } from './notices.ts';

export const profilePath = '/account/profile';

export function profileRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = accountPages(app, context);

  pages.get(profilePath, (page) => sendProfile(page, 200, {}));

  const saveProfile = async (form: AccountForm) => {
    const profile: ProfileInput = {
      name: form.field('name'),
      givenName: form.field('given_name'),
      familyName: form.field('family_name'),
      preferredUsername: form.field('preferred_username'),
      locale: form.field('locale'),
    };
    const outcome = await changeProfile(context.services, form.signedIn, profile, form.origin);
    const m = form.frame.messages.account;
    switch (outcome.kind) {
      case 'changed':
        rememberLanguage(context, form.reply, outcome.profile.locale);
        return redirect(form.reply, 303, `${profilePath}?done=profile`);
      case 'invalid_name':
        return sendProfile(form, 400, { profile, problem: m.invalidName });
      case 'invalid_username':
        return sendProfile(form, 400, { profile, usernameProblem: m.profile.usernameProblems[outcome.problem] });
      case 'username_taken':
        return sendProfile(form, 409, { profile, usernameProblem: m.profile.usernameTaken });
      case 'invalid_locale':
        return sendProfile(form, 400, { profile, problem: m.profile.invalidLocale });
    }
  };
  pages.post(profilePath, saveProfile);
  // Where the form was before the account had a home page: a tab that is still open can save.
  pages.post('/account', saveProfile);
}

/** The page with the profile as it is stored, unless `attempt` says otherwise. */
export function sendProfile(page: AccountRequest, status: number, attempt: Partial<ProfilePage>): FastifyReply {
  const { user } = page.signedIn;
  const body = profilePage(page.frame, {
    profile: {
      name: user.name,
      givenName: user.givenName ?? '',
      familyName: user.familyName ?? '',
      preferredUsername: user.preferredUsername ?? '',
      locale: user.locale ?? '',
    },
    picture: user.picture ?? undefined,
    email: user.email,
    emailVerified: user.emailVerifiedAt !== null,
    notice: status === 200 ? noticeOf(page) : undefined,
    problem: undefined,
    usernameProblem: undefined,
    ...attempt,
  });
  return sendPage(page.reply, status, body);
}
