// The console's forms that create a person and that edit one.

import { type AccountFrame, formToken } from '../../account/account-layout.ts';
import { button, linkButton } from '../../components/controls.ts';
import { card } from '../../components/display.ts';
import { choices, type FieldProblems, hidden, passwordField } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { personSegment } from '../../layout/person-path.ts';
import { consoleLayout } from '../console-layout.ts';
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
  const body = html`<form method="post" action="${list}">
${formToken(frame)}
${hidden('once', page.submissionToken)}
${card({
  body: html`${userFormFields(frame, page, m.fields)}
${choices({
  name: 'password_choice',
  label: m.passwordChoice,
  value: page.withPassword ? 'set' : 'link',
  options: (['link', 'set'] as const).map((value) => ({ value, label: m.passwordChoices[value] })),
})}
${passwordField(frame.messages, { name: 'password', label: m.password, autocomplete: 'new-password', optional: true, hint: m.passwordHint, problem: page.problems.password, limit: 1000 })}`,
  actions: html`${button({ label: m.create, kind: 'primary' })}${linkButton({ label: admin.cancel, href: list })}`,
})}
</form>`;
  const back = { href: list, label: admin.sections.people };
  return consoleLayout(frame, { section: 'people', title: m.new, back, problem: page.problem, body });
}

export interface EditUserPage {
  readonly id: string;
  readonly name: string;
  readonly canSendEmail: boolean;
  readonly fields: readonly FormField[];
  readonly problems: FieldProblems;
  readonly problem?: string | undefined;
}

export function editUserPage(frame: AccountFrame, page: EditUserPage): string {
  const { admin } = frame.messages;
  const m = admin.people;
  const path = `${list}/${personSegment(page.id)}`;
  const body = html`<form method="post" action="${path}/edit">
${formToken(frame)}
${card({
  lead: page.canSendEmail ? m.editHint : m.editNoEmail,
  body: userFormFields(frame, page, { ...m.fields, email: { ...m.fields.email, hint: m.emailHint } }),
  actions: html`${button({ label: admin.save, kind: 'primary' })}${linkButton({ label: admin.cancel, href: path })}`,
})}
</form>`;
  return consoleLayout(frame, {
    section: 'people',
    title: m.editTitle(page.name),
    back: { href: path, label: page.name },
    problem: page.problem,
    body,
  });
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
