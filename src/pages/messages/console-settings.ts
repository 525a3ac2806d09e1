// What administrators read on the console's settings page. Part of the words in console.ts.

import type { Total } from '../../protocol/admin/totals.ts';
import { people } from './counts.ts';
import { settingLabels } from './field-labels.ts';

const shown = (count: number, most: number) => `${count < most ? '' : 'at least '}${count.toLocaleString('en')}`;

export const settingsMessages = {
  fields: settingLabels,
  /** Each begins a section with the field of its name. */
  headings: {
    second_factor: 'Two-step verification',
    session_hours: 'Sessions',
    default_upstream: 'Signing in',
    sign_up: 'New accounts',
    disable_inactive_after_days: 'Unused accounts',
    first_steps: 'Console',
  },
  save: 'Save settings',
  inactive: {
    title: (days: number) => `Disable accounts that aren't used for ${days} days?`,
    affected: ({ count, more }: Total) =>
      count === 0 && !more
        ? 'This affects nobody right now.'
        : `This affects ${more ? 'at least ' : ''}${people(count)} right now.`,
    notice: (days: number) =>
      `People get an email first, and nobody is disabled for at least ${days === 1 ? '1 day' : `${days} days`}.`,
    noEmail: "Nobody is disabled until email is set up, because people couldn't be told.",
    confirm: 'Disable unused accounts',
  },
  /** Next to who can have a password. `most` is how many are counted. */
  passwordOnly: ({ everyone, administrators }: { everyone: number; administrators: number }, most: number) => {
    if (everyone === 0) return 'Everyone can sign in without a password.';
    const who = everyone === 1 ? '1 person has' : `${shown(everyone, most)} people have`;
    const among = administrators === 0 ? '' : `, ${shown(administrators, most)} of them with a role`;
    return `${who} no other way to sign in${among}. They can create a passkey with a link from the reset page.`;
  },
  branding: {
    title: 'Branding',
    lead: 'The name, logo and color of this service on pages and in emails, and the links at the bottom of each.',
    open: 'Edit branding',
    save: 'Save branding',
    preview: 'Preview',
    previews: {
      'sign-in': { light: 'Sign-in page, light', dark: 'Sign-in page, dark' },
      email: { light: 'Email, light', dark: 'Email, dark' },
    },
    images: 'Logo and favicon',
    upload: 'Upload',
    remove: 'Remove',
    noImage: 'Choose an image first.',
    tooLarge: 'The image is larger than 512 KB.',
  },
};
