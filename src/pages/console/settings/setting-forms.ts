// The console's pages with the settings of the service, and with its name, look and links.

import type { BrandImage } from '../../../protocol/brand/brand.ts';
import { type AccountFrame, allows, type PageResult, postForm, valuesForm } from '../../account/account-layout.ts';
import { button } from '../../components/controls.ts';
import { card } from '../../components/display.ts';
import { type FieldProblems, imageField } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { attributesPath } from '../attributes/attributes.ts';
import { consoleLayout } from '../console-layout.ts';
import { type FormField, fieldNames, formField, formFields } from '../field-form.ts';

export interface SettingsPage extends PageResult {
  readonly fields: readonly FormField[];
  readonly problems: FieldProblems;
  /** How many people can't sign in without their password, counted up to `most`. */
  readonly passwordOnly: { readonly everyone: number; readonly administrators: number; readonly most: number };
}

export function settingsPage(frame: AccountFrame, page: SettingsPage): string {
  const { settings: m, attributes } = frame.messages.admin;
  const headings: Readonly<Record<string, string>> = m.headings;
  const { passwords } = m.fields;
  const hint = `${passwords.hint} ${m.passwordOnly(page.passwordOnly, page.passwordOnly.most)}`;
  const labels = { ...m.fields, passwords: { ...passwords, hint } };
  const sections: { title: string | undefined; controls: Html[] }[] = [];
  for (const each of page.fields) {
    const title = headings[each.name];
    if (title !== undefined || sections.length === 0) sections.push({ title, controls: [] });
    sections.at(-1)?.controls.push(formField(frame.messages, each, labels, page.problems));
  }
  const body = html`
${valuesForm(
  frame,
  '/admin/settings',
  html`${fieldNames(page.fields)}${sections.map(
    ({ title, controls }) => html`<section>
<h2 class="section-title">${title}</h2>
${controls}
</section>`,
  )}
<div class="actions">${button({ label: m.save, kind: 'primary', asks: true })}</div>`,
)}
<section>
<h2 class="section-title">${m.branding.title}</h2>
<p>${m.branding.lead}</p>
<p><a class="button" href="/admin/settings/branding">${m.branding.open}</a></p>
</section>
<section>
<h2 class="section-title">${attributes.title}</h2>
<p>${attributes.lead}</p>
<p><a class="button" href="${attributesPath}">${attributes.open}</a></p>
</section>`;
  return consoleLayout(frame, { section: 'settings', notice: page.notice, problem: page.problem, body });
}

export interface BrandingPage extends PageResult {
  readonly fields: readonly FormField[];
  /** The path of each image; undefined without one. */
  readonly images: readonly { readonly name: BrandImage; readonly path: string | undefined }[];
  readonly problems: FieldProblems;
}

export const brandingPath = '/admin/settings/branding';
export const previewPath = `${brandingPath}/preview`;

export function brandingPage(frame: AccountFrame, page: BrandingPage): string {
  const { settings } = frame.messages.admin;
  const m = settings.branding;
  const fields = formFields(frame.messages, page.fields, settings.fields, page.problems);
  const save = button({ label: m.save, kind: 'primary' });
  const form = html`<div class="previewed">${card({ body: fields, actions: save })}${previews(frame)}</div>`;
  const body = html`
${valuesForm(frame, brandingPath, form)}
${allows(frame, 'POST', `${brandingPath}/logo`) && card({ title: m.images, body: html`${page.images.map((image) => imageForm(frame, image))}` })}`;
  return consoleLayout(frame, {
    section: 'settings',
    title: m.title,
    back: 'section',
    notice: page.notice,
    problem: page.problem,
    body,
  });
}

/** They show what is stored, and with JavaScript what the form around them would change. */
function previews(frame: AccountFrame): Html {
  const m = frame.messages.admin.settings.branding;
  const shown = (['sign-in', 'email'] as const).flatMap((page) =>
    (['light', 'dark'] as const).map((theme) => {
      const path = `${previewPath}?page=${page}&theme=${theme}`;
      const name = m.previews[page][theme];
      return html`<figure><figcaption>${name}</figcaption><iframe src="${path}" data-preview="${path}" title="${name}" sandbox="" inert></iframe></figure>`;
    }),
  );
  return card({ title: m.preview, body: html`<div class="previews">${shown}</div>` });
}

function imageForm(frame: AccountFrame, { name, path }: BrandingPage['images'][number]): Html {
  const { branding: m, fields } = frame.messages.admin.settings;
  const { label: title, hint } = fields[name];
  const look = name === 'logo_dark' ? 'brand-image on-dark' : 'brand-image';
  const spoken = (label: string) => html` aria-label="${frame.messages.admin.named(label, title)}"`;
  const content = html`${imageField(frame.messages, { name: 'image', idPrefix: `${name}-`, label: title, hint })}
${path !== undefined && html`<p class="${look}"><img src="${path}" alt=""></p>`}
<div class="actions"><button type="submit"${spoken(m.upload)}>${m.upload}</button>
${path !== undefined && html`<button class="link" type="submit" name="remove" value="yes"${spoken(m.remove)}>${m.remove}</button>`}</div>`;
  const attributes = html` class="image-form" enctype="multipart/form-data"`;
  return html`${postForm(frame, `${brandingPath}/${name}`, content, {}, attributes)}
`;
}
