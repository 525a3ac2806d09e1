// The choice of the provider that people are sent to for signing in.

import { select } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';

export type Providers = readonly { readonly name: string; readonly label: string }[];

/** Nothing if there are no identity providers to choose from. The name of a deleted one stays in the list. */
export function upstreamField(
  providers: Providers,
  words: { readonly label: string; readonly hint: string; readonly none: string },
  name: string,
  value: string,
  problem?: string,
): Html {
  if (providers.length === 0 && value === '') return html``;
  const gone = value === '' || providers.some((each) => each.name === value) ? [] : [{ value, label: value }];
  const options = providers.map((each) => ({ value: each.name, label: each.label }));
  return select({
    name,
    label: words.label,
    hint: words.hint,
    value,
    optional: true,
    problem,
    options: [{ value: '', label: words.none }, ...options, ...gone],
  });
}
