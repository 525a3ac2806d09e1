// A menu of actions behind one button. It's a <details>, so it works without JavaScript.

import { type Html, html } from '../layout/html.ts';
import { type IconName, icon } from './icon.ts';

export interface Menu {
  readonly label: string;
  readonly icon?: IconName;
  /** Links, buttons and forms. */
  readonly items: readonly Html[];
}

export function menu(spec: Menu): Html {
  return html`<details class="menu">
<summary class="button">${spec.icon !== undefined && icon(spec.icon, 'small')}${spec.label}${icon('chevron-down', 'small')}</summary>
<div class="menu-items">${spec.items}</div>
</details>`;
}
