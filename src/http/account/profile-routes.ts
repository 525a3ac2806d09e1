// The profile page: names, username and language, and the picture.

import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  changePicture,
  changeProfile,
  ownAttributes,
  type ProfileInput,
  type ProfileProblems,
} from '../../operations/account/profile.ts';
import { isOwnedBySource } from '../../operations/admin/authority.ts';
import type { Services } from '../../operations/services.ts';
import { userValues } from '../../operations/users/user-json.ts';
import { type ProfilePage, profilePage } from '../../pages/account/profile.ts';
import type { Messages } from '../../pages/languages/languages.ts';
import { pictureLimits } from '../../protocol/reading/image.ts';
import { type SentAttributes, sentAttributes, shownAttributes } from '../attribute-forms.ts';
import type { HttpContext } from '../context.ts';
import { rememberLanguage } from '../language.ts';
import { type AccountForm, type AccountRequest, accountPages } from './account-pages.ts';

const profilePath = '/account/profile';

export function profileRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = accountPages(app, context);

  pages.get(profilePath, (page) => sendProfile(services, page, 200));

  const saveProfile = async (form: AccountForm) => {
    const attributes = sentAttributes(await ownAttributes(services), form);
    const profile: ProfileInput = {
      name: form.field('name'),
      givenName: form.field('given_name'),
      familyName: form.field('family_name'),
      preferredUsername: form.field('preferred_username'),
      locale: form.field('locale'),
      attributes,
    };
    const outcome = await changeProfile(services, form.signedIn, profile, form.requester);
    const m = form.frame.messages.account;
    switch (outcome.kind) {
      case 'changed':
        rememberLanguage(context, form.reply, outcome.profile.locale);
        return form.goTo(`${profilePath}?done=profile`);
      case 'invalid':
        return sendProfile(
          services,
          form,
          400,
          { profile, problems: problemsOf(m, outcome.problems) },
          {
            given: attributes,
            problems: outcome.problems.attributes,
          },
        );
      case 'username_taken':
        return sendProfile(
          services,
          form,
          409,
          { profile, problems: { username: m.profile.usernameTaken } },
          {
            given: attributes,
            problems: {},
          },
        );
    }
  };
  pages.post(profilePath, saveProfile);
  // Where the form was before the account had a home page: a tab that is still open can save.
  pages.post('/account', saveProfile);

  accountPages(app, context, profilePath).upload(
    '/account/picture',
    pictureLimits.bytes,
    async (upload) => {
      const { pictureProblems } = upload.frame.messages.account.profile;
      const remove = upload.field('remove') === 'yes';
      const bytes = remove ? undefined : await upload.file('picture');
      const outcome =
        remove || bytes ? await changePicture(services, upload.signedIn, bytes, upload.requester) : 'none';
      if (outcome === 'changed') return upload.goTo(`${profilePath}?done=picture`);
      return sendProfile(services, upload, 400, { problems: { picture: pictureProblems[outcome] } });
    },
    (page) =>
      sendProfile(services, page, 413, {
        problems: { picture: page.frame.messages.account.profile.pictureProblems.too_large },
      }),
  );
}

function problemsOf(m: Messages['account'], problems: ProfileProblems): ProfilePage['problems'] {
  const { name, givenName, familyName, username, locale } = problems;
  return {
    name: name ? m.invalidName : undefined,
    givenName: givenName ? m.invalidName : undefined,
    familyName: familyName ? m.invalidName : undefined,
    username: username === 'managed' ? m.managed : username && m.profile.usernameProblems[username],
    locale: locale ? m.profile.invalidLocale : undefined,
  };
}

/** The page with the profile as it is stored, unless `attempt` says otherwise. */
async function sendProfile(
  services: Services,
  page: AccountRequest,
  status: number,
  attempt: Partial<ProfilePage> = {},
  sent?: SentAttributes,
): Promise<FastifyReply> {
  const { user } = page.signedIn;
  const body = profilePage(page.frame, {
    ...userValues(user),
    attributes: shownAttributes(await ownAttributes(services), user.attributes, sent),
    profile: {
      name: user.name,
      givenName: user.givenName ?? '',
      familyName: user.familyName ?? '',
      preferredUsername: user.preferredUsername ?? '',
      locale: user.locale ?? '',
    },
    picture: user.picture ?? undefined,
    managed: isOwnedBySource(user),
    notice: page.notice,
    problems: {},
    ...attempt,
  });
  return page.send(status, body);
}
