// The console's forms that create a person and that edit one.

import { type AccountFrame, formToken } from '../../account/account-layout.ts';
import { button, linkButton } from '../../components/button.ts';
import { card } from '../../components/card.ts';
import { checkbox, choices, field, hidden, passwordField } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { personSegment } from '../../layout/person-path.ts';
import { consoleLayout } from '../console-layout.ts';

export interface PersonFields {
  readonly name: string;
  readonly givenName: string;
  readonly familyName: string;
  readonly email: string;
}

type FieldProblems = Readonly<Partial<Record<keyof PersonFields | 'password', string>>>;

export interface NewPersonPage {
  readonly fields: PersonFields;
  readonly withPassword: boolean;
  readonly emailVerified: boolean;
  readonly submissionToken: string;
  /** What is wrong with a field. */
  readonly problems: FieldProblems;
  readonly problem: string | undefined;
}

const list = '/admin/people';

export function newPersonPage(frame: AccountFrame, page: NewPersonPage): string {
  const { admin } = frame.messages;
  const m = admin.people;
  const body = html`<form method="post" action="${list}">
${formToken(frame)}
${hidden('once', page.submissionToken)}
${card({
  body: html`${identityFields(frame, page.fields, page.problems)}
${checkbox({ name: 'email_verified', label: m.alreadyVerified, checked: page.emailVerified })}
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

export interface EditPersonPage {
  readonly id: string;
  readonly name: string;
  readonly canSendEmail: boolean;
  readonly fields: PersonFields;
  readonly problem: string | undefined;
}

export function editPersonPage(frame: AccountFrame, page: EditPersonPage): string {
  const { admin } = frame.messages;
  const m = admin.people;
  const path = `${list}/${personSegment(page.id)}`;
  const body = html`<form method="post" action="${path}/edit">
${formToken(frame)}
${card({
  lead: page.canSendEmail ? m.editHint : m.editNoEmail,
  body: identityFields(frame, page.fields, {}, m.emailHint),
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

function identityFields(frame: AccountFrame, fields: PersonFields, problems: FieldProblems, emailHint?: string): Html {
  const m = frame.messages.admin.people;
  const names = { autocomplete: 'off', limit: 100 } as const;
  return html`${field({ ...names, name: 'name', label: m.name, value: fields.name, problem: problems.name })}
<div class="pair">
${field({ ...names, name: 'given_name', label: m.givenName, value: fields.givenName, problem: problems.givenName, optional: true })}
${field({ ...names, name: 'family_name', label: m.familyName, value: fields.familyName, problem: problems.familyName, optional: true })}
</div>
${field({ name: 'email', label: m.email, type: 'email', autocomplete: 'off', value: fields.email, limit: 254, hint: emailHint, problem: problems.email })}`;
}
