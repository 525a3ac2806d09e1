// The profile page: what clients see of a user under the scope `profile`, and the email address.

import type { UserValues } from '../../protocol/resources/user.ts';
import { button, linkButton } from '../components/controls.ts';
import { badge, card } from '../components/display.ts';
import { lazy } from '../languages/lazy.ts';
import { type AttributeField, attributeFields } from '../layout/attribute-fields.ts';
import { field, imageField, type Select, select } from '../layout/form.ts';
import { address, type Html, html } from '../layout/html.ts';
import { pictureHost, portrait } from '../layout/identity.ts';
import { momentTime, sentenceWith } from '../layout/time.ts';
import { type AccountFrame, accountLayout, imageCard, postForm } from './account-layout.ts';

export interface ProfilePage extends Pick<UserValues, 'email' | 'emailVerified' | 'expiresAt'> {
  readonly profile: {
    readonly name: string;
    readonly givenName: string;
    readonly familyName: string;
    readonly preferredUsername: string;
    readonly locale: string;
  };
  /** Its URL, as clients get it. */
  readonly picture: string | undefined;
  /** Whether a directory decides about the username and the email address. */
  readonly managed: boolean;
  /** Those that people edit themselves. */
  readonly attributes: readonly AttributeField[];
  readonly notice: string | undefined;
  /** What is wrong with each field. */
  readonly problems: ProfileProblems;
}

type ProfileProblems = {
  readonly [Name in 'name' | 'givenName' | 'familyName' | 'username' | 'locale' | 'picture']?: string | undefined;
};

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
  const { profile, problems } = page;
  const limit = 100;
  const name = field({
    name: 'name',
    label: m.name,
    autocomplete: 'name',
    value: profile.name,
    limit,
    problem: problems.name,
  });
  const partOfName = (part: 'given' | 'family') =>
    field({
      name: `${part}_name`,
      label: m.profile[`${part}Name`],
      autocomplete: `${part}-name`,
      value: profile[`${part}Name`],
      optional: true,
      limit,
      problem: problems[`${part}Name`],
    });
  const ownUsername = field({
    name: 'preferred_username',
    label: m.profile.username,
    hint: m.profile.usernameHint,
    optional: true,
    // Not "username": password managers would take it for what the user signs in with, which is the email address.
    autocomplete: 'nickname',
    value: profile.preferredUsername,
    limit: 30,
    verbatim: true,
    problem: problems.username,
  });
  const username = page.managed ? givenUsername(m.profile.username, profile.preferredUsername) : ownUsername;
  const language = select({
    name: 'locale',
    label: m.profile.locale,
    value: profile.locale,
    problem: problems.locale,
    options: options(m.profile.noLocale, profile.locale),
  });
  const form = card({
    lead: m.profile.lead,
    body: html`${name}<div class="pair">${partOfName('given')}${partOfName('family')}</div>${username}${language}${attributeFields(frame.messages, page.attributes)}`,
    actions: button({ label: m.profile.save, kind: 'primary' }),
  });
  const body = html`
${postForm(frame, '/account/profile', form)}
${pictureForm(frame, page)}
${card({
  title: m.profile.address,
  body: html`<div class="actions"><span>${address(page.email)} ${page.emailVerified ? badge(m.profile.verified, 'good') : badge(m.profile.unverified, 'warning')}</span>
${!page.emailVerified && postForm(frame, '/account/email', button({ label: m.profile.verify, small: true }), { email: page.email })}</div>`,
  actions:
    page.managed && page.emailVerified
      ? html`<p class="hint">${m.managed}</p>`
      : linkButton({ label: m.profile.changeAddress, href: '/account/email' }),
})}
${page.expiresAt !== null && endCard(frame, page.expiresAt)}`;
  return accountLayout(frame, { section: 'profile', notice: page.notice, body });
}

/** A directory's: shown if there is one, and sent back as it is. */
function givenUsername(label: string, username: string): Html {
  const shown = username !== '' && html`<dl class="facts"><div><dt>${label}</dt><dd>${username}</dd></div></dl>`;
  return html`${shown}<input type="hidden" name="preferred_username" value="${username}">`;
}

function endCard({ messages }: AccountFrame, at: number): Html {
  const { title, own } = messages.ends;
  return card({ title, body: html`<p>${sentenceWith(momentTime(messages, at), own)}</p>` });
}

function pictureForm(frame: AccountFrame, page: ProfilePage): Html {
  const m = frame.messages.account.profile;
  const file = imageField(frame.messages, {
    name: 'picture',
    label: m.picture,
    unlabelled: true,
    hint: m.pictureHint,
    problem: page.problems.picture,
  });
  const { picture } = page;
  const shown = picture && (portrait(picture, 96) ?? html`<p>${m.pictureElsewhere(pictureHost(picture))}</p>`);
  return imageCard(frame, '/account/picture', {
    title: m.picture,
    body: html`<div class="picture">${shown}<div>${file}</div></div>`,
    upload: m.upload,
    remove: picture !== undefined && m.removePicture,
  });
}

function options(none: string, chosen: string): Select['options'] {
  // A language that isn't in the list but was set, for example over the API, must not be lost by saving the form.
  const known =
    languages().some(({ code }) => code === chosen) || chosen === '' ? [] : [{ code: chosen, name: chosen }];
  return [{ code: '', name: none }, ...known, ...languages()].map(({ code, name }) => ({ value: code, label: name }));
}
