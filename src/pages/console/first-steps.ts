// What is left to do on a new service, at the top of the overview.

import { type AccountFrame, allows, postForm } from '../account/account-layout.ts';
import { button } from '../components/controls.ts';
import { icon } from '../components/icon.ts';
import type { Messages } from '../languages/languages.ts';
import { type Html, html } from '../layout/html.ts';

type Step = keyof Messages['admin']['firstSteps']['steps'];
export type ShownSteps = readonly { readonly step: Step; readonly done: boolean }[];

/** Where each is done: on a page of the console, or by the operator, as a document describes. */
export const placesOfSteps: Readonly<Record<Step, string>> = {
  email: '/docs/settings#latchkey_smtp_url',
  base_url: '/docs/settings#latchkey_base_url',
  backup: '/docs/operating#backup-and-restore',
  second_administrator: '/admin/people/invitations',
  second_factor: '/admin/settings#second_factor',
  first_application: '/admin/applications/new',
};

export const firstStepsPath = '/admin/settings/first-steps';

/** `docs` says whether the documentation is served, `outbox` whether emails are collected instead of being sent. */
export function firstStepsCard(
  frame: AccountFrame,
  steps: ShownSteps,
  { docs, outbox }: { readonly docs: boolean; readonly outbox: boolean },
): Html {
  const { firstSteps: m, overview } = frame.messages.admin;
  const collected = html`${m.steps.email.outbox} <a href="/dev/outbox">${overview.warnings.outbox_link}</a>`;
  const items = steps.map(({ step, done }) => {
    const { title, text } = m.steps[step];
    const place = placesOfSteps[step];
    const leads = !done && (place.startsWith('/docs/') ? docs : allows(frame, 'GET', place));
    return html`<li${done && html` class="done"`}>${done ? icon('check-circle') : html`<span class="to-do" aria-hidden="true"></span>`}<div>
<p><span class="unseen">${done ? m.done : m.open}:</span> ${leads ? html`<a href="${place}">${title}</a>` : title}</p>
${!done && html`<p class="quiet">${step === 'email' && outbox ? collected : text}</p>`}
</div></li>
`;
  });
  const count = steps.filter(({ done }) => done).length;
  return html`<section class="first-steps" aria-labelledby="first-steps">
<header><h2 class="section-title" id="first-steps">${m.title}</h2> <span class="quiet">${m.progress(count, steps.length)}</span></header>
<ul>${items}</ul>
${postForm(frame, firstStepsPath, button({ label: m.hide, small: true }), { first_steps: 'hidden' })}
</section>`;
}
