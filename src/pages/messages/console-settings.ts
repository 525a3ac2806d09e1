// What administrators read on the console's settings page. Part of the words in console.ts.

import type { SettingName } from '../../protocol/resources/settings.ts';
import { settingLabels } from './field-labels.ts';

interface SettingsSection {
  readonly title: string;
  readonly names: readonly string[];
}

export const settingsMessages = {
  fields: settingLabels,
  sections: [
    { title: 'Two-step verification', names: ['second_factor'] },
    { title: 'Signing in', names: ['default_upstream'] },
    { title: 'Sessions', names: ['session_hours', 'kept_session_days', 'kept_session_idle_days'] },
  ] satisfies readonly { title: string; names: SettingName[] }[] as readonly SettingsSection[],
  save: 'Save settings',
  branding: {
    title: 'Branding',
    lead: 'The name, logo and color of this service on pages and in emails, and the links at the bottom of each.',
    open: 'Edit branding',
    save: 'Save branding',
    images: 'Logo and favicon',
    upload: 'Upload',
    remove: 'Remove',
    noImage: 'Choose an image first.',
    tooLarge: 'The image is larger than 512 KiB.',
  },
};
