// The console's page with the settings of the service.

import { type AccountFrame, formToken } from '../../account/account-layout.ts';
import { type Html, html } from '../../layout/html.ts';
import { consoleLayout } from '../console-layout.ts';
import { type FormField, fieldNames, formField } from '../field-form.ts';

export interface SettingsPage {
  readonly fields: readonly FormField[];
  readonly notice: string | undefined;
  readonly problem: string | undefined;
}

export function settingsPage(frame: AccountFrame, page: SettingsPage): string {
  const m = frame.messages.admin.settings;
  const headings: Readonly<Record<string, string>> = m.headings;
  const sections: { title: string | undefined; controls: Html[] }[] = [];
  for (const each of page.fields) {
    const title = headings[each.name];
    if (title !== undefined || sections.length === 0) sections.push({ title, controls: [] });
    sections.at(-1)?.controls.push(formField(frame.messages, each, m.fields, {}));
  }
  const body = html`
<form method="post" action="/admin/settings">
${formToken(frame)}
${fieldNames(page.fields)}${sections.map(
  ({ title, controls }) => html`<section>
<h2 class="section-title">${title}</h2>
${controls}
</section>`,
)}
<div class="actions"><button class="primary" type="submit">${m.save}</button></div>
</form>
<section>
<h2 class="section-title">${m.branding.title}</h2>
<p>${m.branding.lead}</p>
<p><a class="button" href="/admin/settings/branding">${m.branding.open}</a></p>
</section>`;
  return consoleLayout(frame, { section: 'settings', notice: page.notice, problem: page.problem, body });
}
