// Where each setting is in the console, and the words by which the search finds it.

import type { Hit } from '../../../pages/console/search.ts';
import { brandingPath } from '../../../pages/console/settings/setting-forms.ts';
import type { Messages } from '../../../pages/languages/languages.ts';
import type { FieldLabel } from '../../../pages/messages/field-labels.ts';
import { brandImages } from '../../../protocol/brand/brand.ts';
import { includes } from '../../../protocol/reading/includes.ts';
import { brandFields, settingNames } from '../../../protocol/resources/settings.ts';

export function settingPlaces(messages: Messages): (Hit & { readonly names: string; readonly hint: string })[] {
  const { fields, branding } = messages.admin.settings;
  const labels: Readonly<Record<string, FieldLabel>> = fields;
  return settingNames.map((name) => {
    const { label = name, event = label, hint = '' } = labels[name] ?? {};
    const isBrand = Object.hasOwn(brandFields, name);
    const anchor = includes(brandImages, name) ? `${name}-image` : name;
    return {
      href: `${isBrand ? brandingPath : '/admin/settings'}#${anchor}`,
      name: event,
      about: [...(isBrand ? [branding.title] : []), ...(event === label ? [] : [label]), name].join(' · '),
      names: [name, name.replaceAll('_', ' '), label, event].join(' '),
      hint,
    };
  });
}
