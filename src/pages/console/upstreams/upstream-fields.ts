// The fields of an identity provider in the console's forms, by the card that they stand in.

import type { AccountFrame } from '../../account/account-layout.ts';
import { card } from '../../components/display.ts';
import type { FieldProblems } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import type { UpstreamCard } from '../../messages/field-labels.ts';
import { type FieldLabels, type FormField, fieldControls } from '../field-form.ts';

/** GitHub confirms no factors and signs nothing. */
const oidcCards: readonly unknown[] = ['factors', 'advanced'] satisfies UpstreamCard[];

export function isOidcOnly(labels: FieldLabels, name: string): boolean {
  return oidcCards.includes(labels[name]?.card);
}

/** A secret that was typed before is kept in the form, so that the field may stay empty. */
export function withSealedSecret(
  frame: AccountFrame,
  fields: readonly FormField[],
  labels: FieldLabels,
  sealedSecret: string | undefined,
): { readonly fields: readonly FormField[]; readonly labels: FieldLabels } {
  const { keptSecret, fields: words } = frame.messages.admin.upstreams;
  if (sealedSecret === undefined) return { fields, labels };
  return {
    fields: fields.map((each) => (each.kind === 'secret' ? { ...each, optional: true } : each)),
    labels: { ...labels, client_secret: { ...(labels.client_secret ?? words.client_secret), hint: keptSecret } },
  };
}

export function fieldCards(
  frame: AccountFrame,
  { fields, problems }: { readonly fields: readonly FormField[]; readonly problems: FieldProblems },
  labels: FieldLabels,
) {
  const m = frame.messages.admin.upstreams;
  const fieldsOf = (wanted: UpstreamCard) => fields.filter(({ name }) => labels[name]?.card === wanted);
  const shown = (some: readonly FormField[]) => fieldControls(frame.messages, some, labels, problems);
  const of = (wanted: UpstreamCard) => shown(fieldsOf(wanted));
  const named = (names: readonly string[]) => shown(fields.filter(({ name }) => names.includes(name)));
  // A new one has what most don't need out of the way.
  const ofOidc = (actions: Html, when: 'create' | 'change') => {
    const isNew = when === 'create';
    // An identity provider whose endpoints can't be used as they are may need another algorithm.
    const isOpen = [...(isNew ? fieldsOf('factors') : []), ...fieldsOf('advanced')].some(
      ({ name, kind, value }) => problems[name] !== undefined || (kind === 'select' && value !== ''),
    );
    const open = (isOpen || problems.issuer !== undefined) && html` open`;
    const factors = isNew
      ? html`<h3>${m.twoFactors}</h3><p>${m.twoFactorsLead}</p>${of('factors')}`
      : card({ title: m.twoFactors, lead: m.twoFactorsLead, body: of('factors') });
    const advanced = html`<details${open}><summary>${m.advanced}</summary>${of('advanced')}${isNew && factors}</details>`;
    return html`${!isNew && factors}
${card({ body: advanced, actions })}`;
  };
  return { of, named, ofOidc };
}
