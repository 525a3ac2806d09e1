// The console's pages with the settings of the service, and with its name, look and links.

import type { BrandImage } from '../../../protocol/brand/brand.ts';
import { type AccountFrame, allows, type PageResult, postForm, valuesForm } from '../../account/account-layout.ts';
import { button, linkButton } from '../../components/controls.ts';
import { card } from '../../components/display.ts';
import { type FieldProblems, imageField } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { consoleLayout } from '../console-layout.ts';
import { type FormField, fieldNames, formField, formFields } from '../field-form.ts';
import { type SettingSection, settingsLayout, settingsPath } from './setting-layout.ts';

export interface SettingsPage extends PageResult {
  readonly section: SettingSection;
  readonly fields: readonly FormField[];
  readonly problems: FieldProblems;
  /** How many people can't sign in without their password, counted up to `most`; undefined where nobody asks. */
  readonly passwordOnly:
    | { readonly everyone: number; readonly administrators: number; readonly most: number }
    | undefined;
}

export function settingsPage(frame: AccountFrame, page: SettingsPage): string {
  const { settings: m } = frame.messages.admin;
  const headings: Readonly<Record<string, string>> = m.headings;
  const { passwords } = m.fields;
  const counted = page.passwordOnly && m.passwordOnly(page.passwordOnly, page.passwordOnly.most);
  const labels = {
    ...m.fields,
    passwords: { ...passwords, hint: [passwords.hint, counted].filter(Boolean).join(' ') },
  };
  let above: string | undefined;
  const form = page.fields.map((each) => {
    const title = headings[each.name];
    const isNew = title !== undefined && title !== above;
    above = title ?? above;
    return html`${isNew && html`<h2 class="section-title">${title}</h2>`}
${formField(frame.messages, each, labels, page.problems)}`;
  });
  const body = valuesForm(
    frame,
    settingsPath(page.section),
    html`${fieldNames(page.fields)}${form}
<div class="actions">${button({ label: m.save, kind: 'primary', asks: true })}</div>`,
  );
  return settingsLayout(frame, page.section, page, body);
}

/** After a change that requires something of the administrator, who can't open another page before. */
export function settingsSavedPage(frame: AccountFrame, next: string): string {
  const m = frame.messages.admin.settings.saved;
  const body = card({
    body: html`<p>${m.text}</p>`,
    actions: linkButton({ label: m.continue, href: next, kind: 'primary' }),
  });
  return consoleLayout(frame, { section: 'settings', title: m.title, body });
}

export interface BrandingPage extends PageResult {
  readonly fields: readonly FormField[];
  /** The path of each image; undefined without one. */
  readonly images: readonly { readonly name: BrandImage; readonly path: string | undefined }[];
  readonly problems: FieldProblems;
}

export const brandingPath = settingsPath('branding');
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
  return settingsLayout(frame, 'branding', page, html`<p>${m.lead}</p>${body}`);
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
