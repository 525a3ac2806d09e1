// What the forms of identity providers show and send, beyond the fields of the resource: a preset, one choice for who can sign
// in, and a secret that stays in a form that is shown again.

import type { FormField } from '../../../pages/console/field-form.ts';
import type { ShownWho } from '../../../pages/console/upstreams/who.ts';
import { includes } from '../../../protocol/reading/includes.ts';
import { standardScopes, type UpstreamInput, upstreamFields } from '../../../protocol/resources/upstream.ts';
import { freeName, presetNamed, type UpstreamPreset } from '../../../protocol/upstreams/presets.ts';
import {
  rulesFor,
  type SignInRules,
  type Who,
  whoCanSignIn,
  whoChoices,
} from '../../../protocol/upstreams/who-can-sign-in.ts';
import { openForSession, sealForSession } from '../../account/sealed-for-session.ts';
import type { ConsoleForm } from '../console-pages.ts';
import { givenInForm, multilineFields, sentInForm, shownInForm } from '../field-forms.ts';
import type { FormProblems } from '../form-problems.ts';

export const multiline = [...multilineFields(upstreamFields), 'domains'];

/** Of a form that was sent; one from before there were presets says only the kind. */
export function presetOf(form: ConsoleForm) {
  const isGitHub = form.field('kind') === 'github';
  return presetNamed(form.field('for')) ?? presetNamed(isGitHub ? 'github' : 'other');
}

/** The form of a new one, filled in. */
export function presetFields(preset: UpstreamPreset, taken: readonly string[]): FormField[] {
  const { kind, label, issuer, algorithm = '' } = preset;
  const record = { name: freeName(preset, taken), kind, label, issuer, scopes: standardScopes(kind) };
  return shownInForm(upstreamFields, 'create', record).map((field) =>
    field.name === 'algorithm' ? { ...field, value: algorithm } : field,
  );
}

export interface SentUpstream {
  readonly given: UpstreamInput;
  readonly fields: readonly FormField[];
  readonly who: ShownWho;
  /** The secret that was typed, for the form that is shown again. */
  readonly sealedSecret: string | undefined;
  /** What is wrong with what only the form has, by field. */
  readonly problems: Readonly<Record<string, string>>;
}

export function sentUpstream(form: ConsoleForm, when: 'create' | 'change', kind: string | undefined): SentUpstream {
  const m = form.frame.messages.admin.upstreams;
  const typed = givenInForm(upstreamFields, when, form);
  const sealed = form.field('sealed_secret');
  const kept = typed.secret || sealed === '' ? undefined : openForSession(form, 'typed secret', sealed);
  const secret = typed.secret || kept;
  const who = whoIn(form, typed);
  const domains = who.domains.split(/[\s,]+/).filter(Boolean);
  const rules = who.chosen === 'custom' || !isWho(form.field('who')) ? {} : rulesFor(who.chosen, domains);
  const scopes = typed.scopes?.length === 0 ? { scopes: standardScopes(kind) } : {};
  const placeholder = when === 'create' ? presetOf(form)?.placeholder : undefined;
  const isLeft = placeholder !== undefined && (typed.issuer ?? '').includes(placeholder);
  const isLost = sealed !== '' && !secret;
  return {
    given: { ...typed, ...(secret && { secret }), ...scopes, ...rules },
    fields: sentInForm(shownInForm(upstreamFields, when), form),
    who,
    sealedSecret: secret ? sealForSession(form, 'typed secret', secret) : undefined,
    problems: {
      ...(isLeft && { issuer: m.placeholderLeft(placeholder) }),
      ...(isLost && { client_secret: m.secretExpired }),
      ...(who.chosen === 'domains' && domains.length === 0 && { domains: m.domainsMissing }),
    },
  };
}

/** Where the form says what is wrong with the domains: it has one field for both lists. */
export function withDomains({ problem, problems }: FormProblems, { chosen }: ShownWho): FormProblems {
  if (chosen !== 'domains') return { problem, problems };
  return { problem, problems: { ...problems, domains: problems.allowed_domains ?? problems.trusted_domains } };
}

export function shownWho(rules: SignInRules): ShownWho {
  return { chosen: whoCanSignIn(rules), domains: rules.allowedDomains.join('\n') };
}

/** A form without the choice has the fields that it stands for. */
function whoIn(form: ConsoleForm, given: UpstreamInput): ShownWho {
  const { createsAccounts = false, trustedDomains = [], allowedDomains = [] } = given;
  const chosen = form.field('who');
  if (isWho(chosen)) return { chosen, domains: form.field('domains') };
  return shownWho({ createsAccounts, trustedDomains, allowedDomains });
}

function isWho(text: string): text is Who {
  return includes(whoChoices, text);
}
