// The console's page with the name, the look and the links of the service.

import type { BrandImage } from '../../../protocol/brand/brand.ts';
import { type AccountFrame, formToken } from '../../account/account-layout.ts';
import { card } from '../../components/display.ts';
import { type FieldProblems, fileField } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { consoleLayout } from '../console-layout.ts';
import { type FormField, formFields } from '../field-form.ts';

export interface BrandingPage {
  readonly fields: readonly FormField[];
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
  const form = html`<form id="branding" method="post" action="${brandingPath}">
${formToken(frame)}
${formFields(frame.messages, page.fields, settings.fields, page.problems)}
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
  const { branding: m, fields } = frame.messages.admin.settings;
  const { label: title, hint } = fields[name];
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
