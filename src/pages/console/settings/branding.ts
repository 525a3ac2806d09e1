// The console's page with the name, the look and the links of the service.

import type { BrandImage } from '../../../protocol/brand/brand.ts';
import type { BrandSettingName } from '../../../protocol/settings.ts';
import { type AccountFrame, formToken } from '../../account/account-layout.ts';
import { card } from '../../components/card.ts';
import { colourField, type FieldProblems, field, fileField, hidden } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { consoleLayout } from '../console-layout.ts';
import { shownPrefix } from './setting-forms.ts';

export interface BrandingPage {
  /** As they are now: the form says what it showed, so that saving it doesn't undo what somebody else has changed since. */
  readonly current: Readonly<Record<BrandSettingName, string>>;
  /** As they were typed, after an attempt. */
  readonly typed: Readonly<Record<BrandSettingName, string>>;
  /** What the picker shows: the accent, or the colour that pages have without one. */
  readonly pickedAccent: string;
  /** The path of each image; undefined without one. */
  readonly images: readonly { readonly name: BrandImage; readonly path: string | undefined }[];
  readonly notice: string | undefined;
  readonly problem: string | undefined;
  readonly problems: FieldProblems;
}

export const brandingPath = '/admin/settings/branding';

export function brandingPage(frame: AccountFrame, page: BrandingPage): string {
  const { settings, sections } = frame.messages.admin;
  const m = settings.branding;
  const text = (name: BrandSettingName, label: string, hint: string, limit: number): Html =>
    field({
      name,
      label,
      hint,
      limit,
      autocomplete: 'off',
      value: page.typed[name],
      problem: page.problems[name],
      optional: name !== 'service_name',
      verbatim: limit === 1000,
    });
  const form = html`<form id="branding" method="post" action="${brandingPath}">
${formToken(frame)}
${Object.entries(page.current).map(([name, value]) => hidden(`${shownPrefix}${name}`, value))}
${text('service_name', m.serviceName, m.serviceNameHint, 60)}
${colourField(
  {
    name: 'accent',
    label: m.accent,
    hint: m.accentHint,
    limit: 7,
    autocomplete: 'off',
    value: page.typed.accent,
    problem: page.problems.accent,
    optional: true,
    verbatim: true,
  },
  { name: 'accent_picker', label: m.accentPicker, value: page.pickedAccent },
)}
${hidden(`${shownPrefix}accent_picker`, page.pickedAccent)}
${text('sign_in_message', m.signInMessage, m.signInMessageHint, 200)}
${text('support_url', m.supportUrl, m.supportUrlHint, 1000)}
${text('terms_url', m.termsUrl, m.linkHint, 1000)}
${text('privacy_url', m.privacyUrl, m.linkHint, 1000)}
</form>`;
  const save = html`<button class="primary" type="submit" form="branding">${m.save}</button>`;
  const body = html`
${card({ body: form, actions: save })}
${card({ title: m.images, body: html`${page.images.map((image) => imageForm(frame, image))}` })}`;
  return consoleLayout(frame, {
    section: 'settings',
    title: m.title,
    back: { href: '/admin/settings', label: sections.settings },
    notice: page.notice,
    problem: page.problem,
    body,
  });
}

function imageForm(frame: AccountFrame, { name, path }: BrandingPage['images'][number]): Html {
  const m = frame.messages.admin.settings.branding;
  const { title, hint } = m.image[name];
  const look = name === 'logo_dark' ? 'brand-image on-dark' : 'brand-image';
  const spoken = (label: string) => html` aria-label="${frame.messages.admin.named(label, title)}"`;
  return html`<form class="image-form" method="post" action="${brandingPath}/${name}" enctype="multipart/form-data">
${formToken(frame)}
${fileField(frame.messages, { name: 'image', idPrefix: `${name}-`, label: title, accept: 'image/png,image/jpeg,image/webp', hint })}
${path !== undefined && html`<p class="${look}"><img src="${path}" alt=""></p>`}
<div class="actions"><button type="submit"${spoken(m.upload)}>${m.upload}</button>
${path !== undefined && html`<button class="link" type="submit" name="remove" value="yes"${spoken(m.remove)}>${m.remove}</button>`}</div>
</form>
`;
}
