// Who can sign in with an identity provider: one choice, with what belongs to it below it.

import type { Who } from '../../../protocol/upstreams/who-can-sign-in.ts';
import type { AccountFrame } from '../../account/account-layout.ts';
import { choiceGroup, type FieldProblems, radio, textArea } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { type FieldLabels, type FormField, fieldControls } from '../field-form.ts';

export interface ShownWho {
  readonly chosen: Who;
  /** One in each line. */
  readonly domains: string;
}

/** The fields that the choice stands for. */
const ruleFields = ['creates_accounts', 'trusted_domains', 'allowed_domains'];

export function whoCard(
  frame: AccountFrame,
  who: ShownWho,
  fields: readonly FormField[],
  labels: FieldLabels,
  problems: FieldProblems,
): Html {
  const { who: m } = frame.messages.admin.upstreams;
  const controls = (names: readonly string[]) =>
    fieldControls(
      frame.messages,
      fields.filter(({ name }) => names.includes(name)),
      labels,
      problems,
    );
  const domains = textArea({
    name: 'domains',
    label: m.domains,
    hint: m.domainsHint,
    value: who.domains,
    rows: 2,
    // It's in the form whatever is chosen.
    optional: true,
    problem: problems.domains,
  });
  const belongs: Readonly<Record<Who, Html>> = {
    linked: html`<p class="hint">${m.linkedHint}</p>`,
    domains,
    anyone: html`<p class="hint">${m.anyoneHint}</p>`,
    custom: controls(ruleFields),
  };
  const lines = (Object.keys(belongs) as Who[]).map(
    (each) => html`${radio('who', each, m.choices[each], who.chosen === each)}
<div class="dependent">${belongs[each]}</div>`,
  );
  const others = fields.filter(({ name }) => labels[name]?.card === 'people' && !ruleFields.includes(name));
  return html`${choiceGroup({ name: 'who', label: m.label, unlabelled: true, lines })}
<div class="unless-linked">${controls(others.map(({ name }) => name))}</div>`;
}
