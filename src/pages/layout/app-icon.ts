// How a page shows an application: by its logo, or by the first letter of its name.

import type { ClientLinks } from '../../protocol/oauth/client-links.ts';
import { type Html, html } from './html.ts';

export interface AppIdentity {
  readonly name: string;
  readonly logoUrl: string | undefined;
  readonly links?: ClientLinks | undefined;
  readonly contactEmail?: string | null;
}

export function appIcon(app: AppIdentity): Html {
  if (app.logoUrl !== undefined) return html`<img class="app-icon" src="${app.logoUrl}" alt="" width="56" height="56">`;
  const [initial] = new Intl.Segmenter().segment(app.name.trim().toUpperCase());
  return html`<span class="app-icon monogram" aria-hidden="true">${initial?.segment ?? '?'}</span>`;
}
