// The console's page with the settings of the service.

import type { PlainSettingName, SecondFactorPolicy } from '../../../protocol/settings.ts';
import { type AccountFrame, formToken } from '../../account/account-layout.ts';
import { field, hidden } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { type Providers, upstreamField } from '../clients/upstream-field.ts';
import { consoleLayout } from '../console-layout.ts';

export interface SettingsPage {
  /** As they are now: the form says what it showed, so that saving it doesn't undo what somebody else has changed since. */
  readonly current: Readonly<Record<PlainSettingName, string>>;
  /** As they were typed, after an attempt. */
  readonly typed: Readonly<Record<PlainSettingName, string>>;
  readonly providers: Providers;
  readonly notice: string | undefined;
  readonly problem: string | undefined;
}

export const shownPrefix = 'shown_';

const policies: readonly SecondFactorPolicy[] = ['optional', 'administrators', 'everyone'];

export function settingsPage(frame: AccountFrame, page: SettingsPage): string {
  const m = frame.messages.admin.settings;
  const choices = policies.map((policy) => {
    const checked = page.typed.second_factor === policy ? html` checked` : html``;
    return html`<label class="choice-line"><input type="radio" name="second_factor" value="${policy}"${checked}> ${m.secondFactorChoices[policy]}</label>`;
  });
  const number = (name: PlainSettingName, label: string, hint: string): Html =>
    field({ name, label, hint, autocomplete: 'off', value: page.typed[name], limit: 4 });
  const body = html`
<form method="post" action="/admin/settings">
${formToken(frame)}
${Object.entries(page.current).map(([name, value]) => hidden(`${shownPrefix}${name}`, value))}
<section>
<h2 class="section-title">${m.secondFactorTitle}</h2>
<fieldset aria-describedby="second_factor-hint"><legend>${m.secondFactor}</legend>${choices}</fieldset>
<p class="hint" id="second_factor-hint">${m.secondFactorHint}</p>
</section>
${
  (page.providers.length > 0 || page.typed.default_upstream !== '') &&
  html`<section>
<h2 class="section-title">${m.upstreamTitle}</h2>
${upstreamField(page.providers, { label: m.upstream, hint: m.upstreamHint, none: m.noUpstream }, 'default_upstream', page.typed.default_upstream)}
</section>`
}
<section>
<h2 class="section-title">${m.sessionsTitle}</h2>
${number('session_hours', m.hours, m.hoursHint)}
${number('kept_session_days', m.keptDays, m.keptDaysHint)}
${number('kept_session_idle_days', m.idleDays, m.idleDaysHint)}
</section>
<div class="actions"><button class="primary" type="submit">${m.save}</button></div>
</form>
<section>
<h2 class="section-title">${m.branding.title}</h2>
<p>${m.branding.lead}</p>
<p><a class="button" href="/admin/settings/branding">${m.branding.open}</a></p>
</section>`;
  return consoleLayout(frame, { section: 'settings', notice: page.notice, problem: page.problem, body });
}
