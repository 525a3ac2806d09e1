// What a list shows when it's empty: what would be here, and how to get there.

import { type Html, html } from '../layout/html.ts';
import { type IconName, icon } from './icon.ts';

export interface EmptyState {
  readonly icon: IconName;
  readonly title: string;
  readonly text?: string | undefined;
}

export function emptyState(spec: EmptyState): Html {
  return html`<div class="empty">
${icon(spec.icon)}
<p><strong>${spec.title}</strong></p>
${spec.text !== undefined && html`<p class="quiet">${spec.text}</p>`}
</div>`;
}
