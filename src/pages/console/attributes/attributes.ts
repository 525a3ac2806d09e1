// The console's pages about attributes of people: the list with the form that creates one, and the page of one.

import type { AttributeValues } from '../../../protocol/resources/attribute.ts';
import { type AccountFrame, type PageResult, postForm, valuesForm } from '../../account/account-layout.ts';
import { button } from '../../components/controls.ts';
import { card } from '../../components/display.ts';
import type { FieldProblems } from '../../layout/form.ts';
import { html } from '../../layout/html.ts';
import { askedAction, consoleLayout, dangerZone, denseList, linkedName } from '../console-layout.ts';
import { type FormField, formFields } from '../field-form.ts';
import { settingsLayout, settingsPath } from '../settings/setting-layout.ts';
import type { SubjectPage } from '../subject-page.ts';

export const attributesPath = settingsPath('attributes');

type ListedAttribute = Pick<AttributeValues, 'name' | 'label' | 'kind' | 'editableBy'>;

export function attributesPage(frame: AccountFrame, page: SubjectPage<ListedAttribute>): string {
  const m = frame.messages.admin.attributes;
  const attributes = denseList<ListedAttribute>({
    caption: m.title,
    rows: page.items,
    columns: [
      {
        label: m.fields.label.label,
        kind: 'wide',
        cell: ({ name, label }) => linkedName(frame, `${attributesPath}/${name}`, label),
      },
      { label: m.fields.name.label, cell: ({ name }) => html`<code>${name}</code>` },
      { label: m.fields.kind.label, cell: ({ kind }) => m.fields.kind.options[kind] },
      { label: m.fields.editable_by.label, cell: ({ editableBy }) => m.fields.editable_by.options[editableBy] },
    ],
    none: { icon: 'identification', title: m.none },
  });
  const form = card({
    title: m.create,
    body: formFields(frame.messages, page.fields, m.fields, page.problems),
    actions: button({ label: m.create, kind: 'primary' }),
  });
  const body = html`
<p>${m.lead}</p>
${attributes}
${postForm(frame, attributesPath, form, { once: page.submissionToken })}`;
  return settingsLayout(frame, 'attributes', page, body);
}

export interface AttributePage extends PageResult, Pick<AttributeValues, 'name' | 'label' | 'kind'> {
  readonly fields: readonly FormField[];
  readonly problems: FieldProblems;
  readonly usedBy: readonly { readonly id: string; readonly name: string }[];
}

export function attributePage(frame: AccountFrame, page: AttributePage): string {
  const m = frame.messages.admin.attributes;
  const path = `${attributesPath}/${page.name}`;
  const apps = page.usedBy.map(
    ({ id, name }) => html`<li>${linkedName(frame, `/admin/applications/${id}/claims`, name)}</li>`,
  );
  const form = card({
    body: html`<dl class="facts">
<div><dt>${m.fields.name.label}</dt><dd><code>${page.name}</code></dd></div>
<div><dt>${m.fields.kind.label}</dt><dd>${m.fields.kind.options[page.kind]}</dd></div>
<div><dt>${m.usedBy}</dt><dd>${apps.length === 0 ? m.unused : html`<ul>${apps}</ul>`}</dd></div>
</dl>
${formFields(frame.messages, page.fields, m.fields, page.problems)}`,
    actions: button({ label: m.save, kind: 'primary', asks: true }),
  });
  const body = html`
${valuesForm(frame, path, form)}
${dangerZone(frame, [askedAction(frame, m.deleteHint, { label: m.delete, href: `${path}/delete` })])}`;
  return consoleLayout(frame, {
    section: 'settings',
    title: page.label,
    back: { href: attributesPath, label: m.title },
    notice: page.notice,
    problem: page.problem,
    body,
  });
}
