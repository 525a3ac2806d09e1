// The console's forms that create a person and that edit one.

import { type AccountFrame, postForm, valuesForm } from '../../account/account-layout.ts';
import { button } from '../../components/controls.ts';
import { card } from '../../components/display.ts';
import { choiceGroup, type FieldProblems, passwordField, radio } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { personSegment } from '../../layout/person-path.ts';
import { consoleLayout, pageLink } from '../console-layout.ts';
import { type FieldLabels, type FormField, fieldNames, formField } from '../field-form.ts';

export interface NewUserPage {
  readonly fields: readonly FormField[];
  readonly withPassword: boolean;
  readonly submissionToken: string;
  readonly problems: FieldProblems;
  readonly problem?: string | undefined;
}

const list = '/admin/people';

export function newUserPage(frame: AccountFrame, page: NewUserPage): string {
  const { admin } = frame.messages;
  const m = admin.people;
  const password = passwordField(frame.messages, {
    name: 'password',
    label: m.password,
    autocomplete: 'new-password',
    optional: true,
    problem: page.problems.password,
    limit: 1000,
  });
  // What was typed and not chosen is a problem, which must be seen.
  const isSeen = page.withPassword || page.problems.password !== undefined;
  const lines = (['link', 'set'] as const).map(
    (
      value,
    ) => html`${radio('password_choice', value, m.passwordChoices[value], (value === 'set') === page.withPassword)}
${value === 'set' && html`<div class="dependent${isSeen && ' seen'}">${password}</div>`}`,
  );
  const form = card({
    body: html`${userFormFields(frame, page, m.fields)}
${choiceGroup({ name: 'password_choice', label: m.passwordChoice, lines })}`,
    actions: html`${button({ label: m.create, kind: 'primary' })}${pageLink(frame, { label: admin.cancel, href: list })}`,
  });
  const body = postForm(frame, list, form, { once: page.submissionToken });
  return consoleLayout(frame, { section: 'people', title: m.new, back: 'section', problem: page.problem, body });
}

export interface EditUserPage {
  readonly id: string;
  readonly name: string;
  readonly canSendEmail: boolean;
  /** The directory that decides what is in the form, which then can only be read. */
  readonly owner: string | undefined;
  readonly fields: readonly FormField[];
  readonly problems: FieldProblems;
  readonly problem?: string | undefined;
}

export function editUserPage(frame: AccountFrame, page: EditUserPage): string {
  const { admin } = frame.messages;
  const m = admin.people;
  const path = `${list}/${personSegment(page.id)}`;
  const fields = { ...m.fields, email: { ...m.fields.email, hint: m.emailHint } };
  const form =
    page.owner === undefined
      ? card({
          lead: page.canSendEmail ? m.editHint : m.editNoEmail,
          body: userFormFields(frame, page, fields),
          actions: html`${button({ label: admin.save, kind: 'primary' })}${pageLink(frame, { label: admin.cancel, href: path })}`,
        })
      : card({ lead: admin.managed.edit(page.owner), body: userFormFields(frame, page, m.fields) });
  const title = m.editTitle(page.name);
  const back = { href: path, label: page.name };
  const body = valuesForm(frame, `${path}/edit`, form);
  return consoleLayout(frame, { section: 'people', title, back, problem: page.problem, body });
}

/** The parts of the name stand side by side. */
function userFormFields(
  { messages }: AccountFrame,
  { fields, problems }: Pick<NewUserPage, 'fields' | 'problems'>,
  labels: FieldLabels,
): Html {
  const [name, given, family, ...rest] = fields.map((each) => formField(messages, each, labels, problems));
  return html`${fieldNames(fields)}${name}<div class="pair">${given}${family}</div>${rest}`;
}
