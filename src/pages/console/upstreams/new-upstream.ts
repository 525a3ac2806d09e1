// The console's pages that add an identity provider: the kinds to choose from, and the form.

import type { PresetName } from '../../../protocol/upstreams/presets.ts';
import { type AccountFrame, postForm } from '../../account/account-layout.ts';
import { button } from '../../components/controls.ts';
import { card } from '../../components/display.ts';
import { type FieldProblems, hidden } from '../../layout/form.ts';
import { html } from '../../layout/html.ts';
import { appIcon } from '../../layout/identity.ts';
import { consoleLayout, copyable, pageLink } from '../console-layout.ts';
import { type FieldLabels, type FormField, fieldNames } from '../field-form.ts';
import { listUrl } from '../lists.ts';
import { upstreamsPath } from './list.ts';
import { fieldCards, withSealedSecret } from './upstream-fields.ts';
import { type ShownWho, whoCard } from './who.ts';

/** What can be added, each with its name. The words for the last one are the catalogue's. */
export function choosePresetPage(
  frame: AccountFrame,
  presets: readonly { readonly for: PresetName; readonly label: string }[],
): string {
  const m = frame.messages.admin.upstreams;
  const tiles = presets.map((preset) => {
    const name = preset.label || m.otherProvider;
    return html`<li><a class="tile" href="${listUrl(`${upstreamsPath}/new`, { for: preset.for })}">
${appIcon({ name, logoUrl: undefined })}<span><strong>${name}</strong><br><span class="quiet">${m.presetHints[preset.for]}</span></span>
</a></li>`;
  });
  const body = html`<p>${m.chooseLead}</p><ul class="tiles">${tiles}</ul>`;
  return consoleLayout(frame, { section: 'providers', title: m.new, back: 'section', body });
}

export interface NewUpstreamPage {
  readonly preset: PresetName;
  readonly kind: 'oidc' | 'github';
  readonly fields: readonly FormField[];
  readonly who: ShownWho;
  /** What is before and behind the name in the callback URL. */
  readonly callback: { readonly prefix: string; readonly suffix: string };
  /** The secret that was typed, for a form that is shown again. */
  readonly sealedSecret: string | undefined;
  readonly submissionToken: string;
  readonly problem: string | undefined;
  readonly problems: FieldProblems;
}

export function newUpstreamPage(frame: AccountFrame, page: NewUpstreamPage): string {
  const { upstreams: m, cancel } = frame.messages.admin;
  const { prefix, suffix } = page.callback;
  const isOidc = page.kind === 'oidc';
  const name = page.fields.find((each) => each.name === 'name')?.value ?? '';
  const words: FieldLabels = {
    ...m.fields,
    name: { ...m.fields.name, hint: m.nameHint(prefix, suffix) },
    issuer: { ...m.fields.issuer, hint: m.issuerHints[page.preset] },
  };
  const { fields, labels } = withSealedSecret(frame, page.fields, words, page.sealedSecret);
  const cards = fieldCards(frame, { fields, problems: page.problems }, labels);
  const actions = html`${button({ label: m.create, kind: 'primary' })}${pageLink(frame, { label: cancel, href: `${upstreamsPath}/new` })}`;
  // The script follows the name; without it, the hint at the name says what to put in.
  const callback = html`<div data-follows="name" data-before="${prefix}" data-after="${suffix}" data-into="callback">${copyable(frame, m.callback, 'callback', `${prefix}${name || 'NAME'}${suffix}`)}</div>
<p class="hint">${m.callbackLead}</p>`;
  const shown = ['name', 'label', ...(isOidc ? ['issuer'] : [])];
  const content = html`${fieldNames(fields)}${hidden('for', page.preset)}${hidden('kind', page.kind)}
${page.sealedSecret !== undefined && hidden('sealed_secret', page.sealedSecret)}
${card({ title: m.register, body: callback })}
${card({ title: m.credentials, lead: m.credentialsLead, body: cards.of('credentials') })}
${card({ title: m.provider, body: cards.named(shown) })}
${card({ title: m.whoCanSignIn, body: whoCard(frame, page.who, fields, labels, page.problems), actions: isOidc ? undefined : actions })}
${isOidc && cards.ofOidc(actions, 'create')}`;
  const body = postForm(frame, upstreamsPath, content, { once: page.submissionToken });
  return consoleLayout(frame, {
    section: 'providers',
    title: m.newTitle(m.presetNames[page.preset]),
    back: { href: `${upstreamsPath}/new`, label: m.new },
    problem: page.problem,
    body,
  });
}
