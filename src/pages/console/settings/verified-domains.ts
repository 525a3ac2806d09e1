// What the console shows of verified domains.

import { postForm } from '../../account/account-layout.ts';
import { button } from '../../components/controls.ts';
import { card } from '../../components/display.ts';
import { html } from '../../layout/html.ts';
import { askLink, consoleLayout, denseList } from '../console-layout.ts';
import { formFields } from '../field-form.ts';
import type { SubjectViews } from '../subject-page.ts';

interface Domain {
  readonly id: string;
  readonly name: string;
}

export function verifiedDomainViews(path: string): SubjectViews<Domain, object> {
  return {
    section: 'settings',
    list(frame, { items, fields, problems, notice, problem, submissionToken }) {
      const m = frame.messages.admin.verifiedDomains;
      const list = denseList<Domain>({
        caption: m.title,
        rows: items,
        columns: [
          { label: m.fields.name.label, kind: 'wide', cell: ({ name }) => html`<span>${name}</span>` },
          {
            label: m.delete,
            unlabelled: true,
            kind: 'end',
            cell: ({ id, name }) =>
              askLink(frame, { label: m.delete, href: `${path}/${id}/delete`, about: name, danger: true, small: true }),
          },
        ],
        none: { icon: 'identification', title: m.none },
      });
      const form = card({
        title: m.create,
        body: formFields(frame.messages, fields, m.fields, problems),
        actions: button({ label: m.create, kind: 'primary' }),
      });
      const body = html`${list}${postForm(frame, path, form, { once: submissionToken })}`;
      return consoleLayout(frame, { section: 'settings', title: m.title, back: 'section', notice, problem, body });
    },
    asks: {
      delete: ({ messages }, { name }) => {
        const m = messages.admin.verifiedDomains;
        return { title: m.deleteTitle(name), text: m.deleteText, button: m.delete };
      },
    },
  };
}
