// The profile page: names, username and language. The picture on it has its own form, in picture-routes.ts.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { changeProfile, type ProfileInput, type ProfileProblems } from '../../operations/account/profile.ts';
import { type ProfilePage, profilePage } from '../../pages/account/profile.ts';
import type { Messages } from '../../pages/languages/languages.ts';
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
    const outcome = await changeProfile(context.services, form.signedIn, profile, form.requester);
    const m = form.frame.messages.account;
    switch (outcome.kind) {
      case 'changed':
        rememberLanguage(context, form.reply, outcome.profile.locale);
        return redirect(form.reply, 303, `${profilePath}?done=profile`);
      case 'invalid':
        return sendProfile(form, 400, { profile, problems: problemsOf(m, outcome.problems) });
      case 'username_taken':
        return sendProfile(form, 409, { profile, problems: { username: m.profile.usernameTaken } });
    }
  };
  pages.post(profilePath, saveProfile);
  // Where the form was before the account had a home page: a tab that is still open can save.
  pages.post('/account', saveProfile);
}

function problemsOf(m: Messages['account'], problems: ProfileProblems): ProfilePage['problems'] {
  const { name, givenName, familyName, username, locale } = problems;
  return {
    name: name ? m.invalidName : undefined,
    givenName: givenName ? m.invalidName : undefined,
    familyName: familyName ? m.invalidName : undefined,
    username: username && m.profile.usernameProblems[username],
    locale: locale ? m.profile.invalidLocale : undefined,
  };
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
    problems: {},
    ...attempt,
  });
  return sendPage(page.reply, status, body);
}
