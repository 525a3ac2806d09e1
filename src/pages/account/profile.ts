// The profile page: what clients see of a user under the scope `profile`, and the email address.

import { lazy } from '../languages/lazy.ts';
import { field, fileField, type Select, select } from '../layout/form.ts';
import { html } from '../layout/html.ts';
import { portrait } from '../layout/portrait.ts';
import { type AccountFrame, accountLayout, formToken } from './account-layout.ts';

export interface ProfilePage {
  readonly profile: {
    readonly name: string;
    readonly givenName: string;
    readonly familyName: string;
    readonly preferredUsername: string;
    readonly locale: string;
  };
  /** Its URL, as clients get it. */
  readonly picture: string | undefined;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly notice: string | undefined;
  readonly problem: string | undefined;
  /** Shown at the field itself. */
  readonly usernameProblem: string | undefined;
}

/** Each language by its own name, sorted by these names. */
const languages = lazy(() =>
  [
    'ar bg cs da de de-AT de-CH el en en-GB en-US es es-MX et fa fi fr fr-CA ga he hi hr hu id it ja ko lt lv nb nl pl',
    'pt pt-BR ro ru sk sl sr sv th tr uk vi zh-CN zh-TW',
  ]
    .flatMap((codes) => codes.split(' '))
    .map((code) => ({ code, name: new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en')),
);

export function profilePage(frame: AccountFrame, page: ProfilePage): string {
  const m = frame.messages.account;
  const { profile } = page;
  const limit = 100;
  const username = field({
    ...{ name: 'preferred_username', label: m.profile.username, hint: m.profile.usernameHint, optional: true },
    // Not "username": password managers would take it for what the user signs in with, which is the email address.
    ...{ autocomplete: 'nickname', value: profile.preferredUsername, limit: 30, verbatim: true },
    problem: page.usernameProblem,
  });
  const body = html`
<p>${m.profile.lead}</p>
<form method="post" action="/account/profile">
${formToken(frame)}
${field({ name: 'name', label: m.name, autocomplete: 'name', value: profile.name, limit })}
<div class="pair">
<div>${field({ name: 'given_name', label: m.profile.givenName, autocomplete: 'given-name', value: profile.givenName, optional: true, limit })}</div>
<div>${field({ name: 'family_name', label: m.profile.familyName, autocomplete: 'family-name', value: profile.familyName, optional: true, limit })}</div>
</div>
${username}
${select({ name: 'locale', label: m.profile.locale, value: profile.locale, options: options(m.profile.noLocale, profile.locale) })}
<button class="primary" type="submit">${m.profile.save}</button>
</form>
<section>
<h2 class="section-title">${m.profile.picture}</h2>
<form class="picture" method="post" action="/account/picture" enctype="multipart/form-data">
${formToken(frame)}
${page.picture !== undefined && portrait(page.picture, 96)}
<div>
${fileField({ name: 'picture', label: m.profile.picture, unlabelled: true, accept: 'image/png,image/jpeg,image/webp', hint: m.profile.pictureHint })}
<button type="submit">${m.profile.upload}</button>
${page.picture !== undefined && html`<button class="link" type="submit" name="remove" value="yes">${m.profile.removePicture}</button>`}
</div>
</form>
</section>
<section>
<h2 class="section-title">${m.profile.address}</h2>
<p>${page.email} <span class="quiet">(${page.emailVerified ? m.profile.verified : m.profile.unverified})</span></p>
<p><a href="/account/email">${m.profile.changeAddress}</a></p>
</section>`;
  return accountLayout(frame, { section: 'profile', notice: page.notice, problem: page.problem, body });
}

function options(none: string, chosen: string): Select['options'] {
  // A language that isn't in the list but was set, for example over the API, must not be lost by saving the form.
  const known =
    languages().some(({ code }) => code === chosen) || chosen === '' ? [] : [{ code: chosen, name: chosen }];
  return [{ code: '', name: none }, ...known, ...languages()].map(({ code, name }) => ({ value: code, label: name }));
}
