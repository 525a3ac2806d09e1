// The form of an identity provider, for a new one and for its settings. Which card a field is in is part of its label.

import { type AccountFrame, formToken } from '../../account/account-layout.ts';
import { button, linkButton } from '../../components/controls.ts';
import { card } from '../../components/display.ts';
import { type FieldProblems, hidden } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import type { UpstreamCard } from '../../messages/field-labels.ts';
import { consoleLayout } from '../console-layout.ts';
import { type FieldLabels, type FormField, fieldControls, fieldNames } from '../field-form.ts';
import { upstreamsPath } from './list.ts';

export interface NewUpstreamPage {
  readonly fields: readonly FormField[];
  /** What is before and behind the name in the callback URL. */
  readonly callback: { readonly prefix: string; readonly suffix: string };
  readonly submissionToken: string;
  readonly problem: string | undefined;
  readonly problems: FieldProblems;
}

export function newUpstreamPage(frame: AccountFrame, page: NewUpstreamPage): string {
  const { upstreams: m, sections, cancel } = frame.messages.admin;
  const { prefix, suffix } = page.callback;
  const labels = { ...m.fields, name: { ...m.fields.name, hint: m.nameHint(prefix, suffix) } };
  const cards = fieldCards(frame, page, labels);
  const actions = html`${button({ label: m.create, kind: 'primary' })}${linkButton({ label: cancel, href: upstreamsPath })}`;
  // The kind can be changed on this page, so everything is shown.
  const body = html`
<form method="post" action="${upstreamsPath}">
${formToken(frame)}
${hidden('once', page.submissionToken)}
${fieldNames(page.fields)}
${card({ title: m.provider, body: cards.of('provider') })}
${card({ title: m.credentials, lead: m.credentialsLead, body: cards.of('credentials') })}
${card({ title: m.whoCanSignIn, body: cards.of('people') })}
${cards.ofOidc(actions)}
</form>`;
  const back = { href: upstreamsPath, label: sections.providers };
  return consoleLayout(frame, { section: 'providers', title: m.new, back, problem: page.problem, body });
}

export interface UpstreamForm {
  readonly name: string;
  readonly kind: 'oidc' | 'github';
  readonly fields: readonly FormField[];
  /** Identifies the settings shown here, so that saving them doesn't undo what somebody else has changed since. */
  readonly version: string;
  readonly problems: FieldProblems;
}

/** The settings of one that exists. Its name and issuer can't be changed, and its secret is only replaced. */
export function upstreamForm(frame: AccountFrame, form: UpstreamForm): Html {
  const { upstreams: m, save } = frame.messages.admin;
  const labels = { ...m.fields, ...m.changedFields };
  const isOidc = form.kind === 'oidc';
  const fields = form.fields.filter(({ name }) => isOidc || !oidcCards.includes(cardOf(labels, name)));
  const cards = fieldCards(frame, { ...form, fields }, labels);
  const actions = button({ label: save, kind: 'primary' });
  return html`<form method="post" action="${upstreamsPath}/${form.name}">
${formToken(frame)}
${hidden('version', form.version)}
${fieldNames(fields)}
${card({ title: m.settings, body: html`${cards.of('provider')}${cards.of('credentials')}` })}
${card({ title: m.whoCanSignIn, body: cards.of('people'), actions: isOidc ? undefined : actions })}
${isOidc && cards.ofOidc(actions)}
</form>`;
}

/** GitHub confirms no factors and signs nothing. */
const oidcCards: readonly unknown[] = ['factors', 'advanced'] satisfies UpstreamCard[];

function cardOf(labels: FieldLabels, name: string): string | undefined {
  return labels[name]?.card;
}

function fieldCards(
  frame: AccountFrame,
  { fields, problems }: { readonly fields: readonly FormField[]; readonly problems: FieldProblems },
  labels: FieldLabels,
) {
  const m = frame.messages.admin.upstreams;
  const fieldsOf = (wanted: UpstreamCard) => fields.filter(({ name }) => cardOf(labels, name) === wanted);
  const of = (wanted: UpstreamCard) => fieldControls(frame.messages, fieldsOf(wanted), labels, problems);
  const ofOidc = (actions: Html) => {
    // An identity provider whose endpoints can't be used as they are may need another algorithm.
    const isOpen = fieldsOf('advanced').some(
      ({ name, kind, value }) => problems[name] !== undefined || (kind === 'select' && value !== ''),
    );
    const open = (isOpen || problems.issuer !== undefined) && html` open`;
    return html`${card({ title: m.twoFactors, lead: m.twoFactorsLead, body: of('factors') })}
${card({ body: html`<details${open}><summary>${m.advanced}</summary>${of('advanced')}</details>`, actions })}`;
  };
  return { of, ofOidc };
}
