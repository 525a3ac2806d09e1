// What administrators read on the console's settings page. Part of the words in console.ts.

import { settingLabels } from './field-labels.ts';

export const settingsMessages = {
  fields: settingLabels,
  /** Each begins a section with the field of its name. */
  headings: {
    second_factor: 'Two-step verification',
    session_hours: 'Sessions',
    default_upstream: 'Signing in',
    sign_up: 'New accounts',
  },
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
