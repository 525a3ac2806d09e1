// The form of an identity provider, for a new one and for its settings.

import { type AccountFrame, formToken } from '../../account/account-layout.ts';
import { button, linkButton } from '../../components/button.ts';
import { card } from '../../components/card.ts';
import {
  checkbox,
  choices,
  type FieldProblems,
  field,
  hidden,
  passwordField,
  select,
  textArea,
} from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { consoleLayout } from '../console-layout.ts';
import { upstreamsPath } from './list.ts';

/** As typed. Lists are text with a line, or a space, between what they hold. */
export interface UpstreamSettings {
  readonly label: string;
  readonly clientId: string;
  readonly scopes: string;
  readonly createsAccounts: boolean;
  readonly trustedDomains: string;
  readonly allowedDomains: string;
  readonly routesDomains: boolean;
  readonly trustedAmr: string;
  readonly trustedAcr: string;
  /** Empty for those with published keys that the provider announces. */
  readonly algorithm: string;
  /** Those to choose from. */
  readonly algorithms: readonly string[];
}

export interface NewUpstreamSettings extends UpstreamSettings {
  readonly kind: 'oidc' | 'github';
  readonly name: string;
  readonly issuer: string;
}

export interface NewUpstreamPage {
  readonly settings: NewUpstreamSettings;
  /** What is before and behind the name in the callback URL. */
  readonly callback: { readonly prefix: string; readonly suffix: string };
  readonly submissionToken: string;
  readonly problem: string | undefined;
  readonly problems: FieldProblems;
}

export function newUpstreamPage(frame: AccountFrame, page: NewUpstreamPage): string {
  const { upstreams: m, sections, cancel } = frame.messages.admin;
  const { settings, problems, callback } = page;
  const body = html`
<form method="post" action="${upstreamsPath}">
${formToken(frame)}
${hidden('once', page.submissionToken)}
${card({
  title: m.provider,
  body: html`${choices({
    name: 'kind',
    label: m.kind,
    value: settings.kind,
    options: (['oidc', 'github'] as const).map((value) => ({ value, label: m.kinds[value] })),
  })}
${field({
  name: 'issuer',
  type: 'url',
  label: m.issuer,
  hint: m.issuerHint,
  value: settings.issuer,
  limit: 1000,
  autocomplete: 'off',
  optional: true,
  verbatim: true,
  problem: problems.issuer,
})}
${field({
  name: 'name',
  label: m.name,
  hint: m.nameHint(callback.prefix, callback.suffix),
  value: settings.name,
  limit: 40,
  autocomplete: 'off',
  verbatim: true,
  problem: problems.name,
})}
${labelField(frame, settings, problems)}`,
})}
${card({
  title: m.credentials,
  lead: m.credentialsLead,
  body: html`${clientIdField(frame, settings, problems)}
${passwordField(frame.messages, {
  name: 'client_secret',
  label: m.secret,
  hint: m.secretHint,
  autocomplete: 'off',
  limit: 1000,
  problem: problems.client_secret,
})}`,
})}
${ruleCards(frame, settings, problems, {
  // Which kind it is may be changed on this page, so everything is shown.
  kind: 'oidc',
  actions: html`${button({ label: m.create, kind: 'primary' })}${linkButton({ label: cancel, href: upstreamsPath })}`,
})}
</form>`;
  const back = { href: upstreamsPath, label: sections.providers };
  return consoleLayout(frame, { section: 'providers', title: m.new, back, problem: page.problem, body });
}

export interface UpstreamForm {
  readonly name: string;
  readonly kind: 'oidc' | 'github';
  readonly settings: UpstreamSettings;
  /** Identifies the settings shown here, so that saving them doesn't undo what somebody else has changed since. */
  readonly version: string;
  readonly problems: FieldProblems;
}

/** The settings of one that is there. Its name and issuer stay, and its secret is only replaced. */
export function upstreamForm(frame: AccountFrame, form: UpstreamForm): Html {
  const { upstreams: m, save } = frame.messages.admin;
  const { settings, problems } = form;
  return html`<form method="post" action="${upstreamsPath}/${form.name}">
${formToken(frame)}
${hidden('version', form.version)}
${card({
  title: m.settings,
  body: html`${labelField(frame, settings, problems)}
${clientIdField(frame, settings, problems)}
${passwordField(frame.messages, {
  name: 'client_secret',
  label: m.newSecret,
  hint: m.newSecretHint,
  autocomplete: 'off',
  limit: 1000,
  optional: true,
  problem: problems.client_secret,
})}`,
})}
${ruleCards(frame, settings, problems, { kind: form.kind, actions: button({ label: save, kind: 'primary' }) })}
</form>`;
}

function labelField(frame: AccountFrame, { label }: UpstreamSettings, problems: FieldProblems): Html {
  const m = frame.messages.admin.upstreams;
  return field({
    name: 'label',
    label: m.label,
    hint: m.labelHint,
    value: label,
    limit: 60,
    autocomplete: 'off',
    problem: problems.label,
  });
}

function clientIdField(frame: AccountFrame, { clientId }: UpstreamSettings, problems: FieldProblems): Html {
  const m = frame.messages.admin.upstreams;
  return field({
    name: 'client_id',
    label: m.clientId,
    value: clientId,
    limit: 400,
    autocomplete: 'off',
    verbatim: true,
    problem: problems.client_id,
  });
}

/** Who gets in, what counts as two factors, and what hardly anybody changes. */
function ruleCards(
  frame: AccountFrame,
  settings: UpstreamSettings,
  problems: FieldProblems,
  { kind, actions }: { readonly kind: 'oidc' | 'github'; readonly actions: Html },
): Html {
  const m = frame.messages.admin.upstreams;
  const words = (name: string, label: string, hint: string, value: string) =>
    field({
      name,
      label,
      hint,
      value,
      limit: 1000,
      autocomplete: 'off',
      optional: true,
      verbatim: true,
      problem: problems[name],
    });
  const lines = (name: string, label: string, hint: string, value: string) =>
    textArea({ name, label, hint, value, rows: 2, optional: true, problem: problems[name] });
  const people = html`${lines('trusted_domains', m.trustedDomains, m.trustedDomainsHint, settings.trustedDomains)}
${lines('allowed_domains', m.allowedDomains, m.allowedDomainsHint, settings.allowedDomains)}
${checkbox({ name: 'creates_accounts', label: m.createsAccounts, checked: settings.createsAccounts })}
${checkbox({ name: 'routes_domains', label: m.routesDomains, checked: settings.routesDomains })}`;
  const factors = html`${words('trusted_amr', m.trustedAmr, m.trustedAmrHint, settings.trustedAmr)}
${words('trusted_acr', m.trustedAcr, m.trustedAcrHint, settings.trustedAcr)}`;
  const advanced = html`${words('scopes', m.scopes, m.scopesHint, settings.scopes)}
${select({
  name: 'algorithm',
  label: m.algorithm,
  hint: m.algorithmHint,
  value: settings.algorithm,
  options: ['', ...settings.algorithms].map((value) => ({ value, label: value || m.announced })),
  problem: problems.algorithm,
})}`;
  // A provider whose endpoints can't be used as they are may need another algorithm.
  const hasProblem = [problems.scopes, problems.algorithm, problems.issuer].some((problem) => problem !== undefined);
  if (kind === 'github') return card({ title: m.whoComesIn, body: people, actions });
  const open = (hasProblem || settings.algorithm !== '') && html` open`;
  return html`${card({ title: m.whoComesIn, body: people })}
${card({ title: m.twoFactors, lead: m.twoFactorsLead, body: factors })}
${card({ body: html`<details${open}><summary>${m.advanced}</summary>${advanced}</details>`, actions })}`;
}
