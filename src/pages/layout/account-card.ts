// Which account a page is about, for somebody on the way to an application.

import { type Html, html } from './html.ts';
import { portrait } from './portrait.ts';

export interface AccountIdentity {
  readonly name: string;
  readonly email: string;
  /** Its URL, as clients get it. */
  readonly picture?: string | null | undefined;
}

/** `label` is what stands before the name, such as "Signed in as"; `action` stands behind it. */
export function accountCard({ name, email, picture }: AccountIdentity, label?: string, action?: Html): Html {
  return html`<div class="account">
${(picture && portrait(picture, 40)) || html`<span class="portrait monogram" aria-hidden="true">${initialOf(name)}</span>`}
<p>${label !== undefined && html`<span class="unseen">${label}</span> `}<strong>${name}</strong><br><span class="quiet">${email}</span></p>
${action}
</div>`;
}

function initialOf(name: string): string {
  const [initial] = new Intl.Segmenter().segment(name.trim().toUpperCase());
  return initial?.segment ?? '?';
}
