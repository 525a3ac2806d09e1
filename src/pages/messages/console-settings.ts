// What administrators read on the console's settings page. Part of the words in console.ts.

import type { Total } from '../../protocol/admin/totals.ts';
import { people } from './counts.ts';
import { settingLabels } from './field-labels.ts';

interface Affected {
  readonly people: Total;
  readonly among: number;
}

/** "13,007 of 20,009 people". */
const amongPeople = ({ people: some, among }: Affected) =>
  `${some.more ? 'At least ' : ''}${some.count.toLocaleString('en')} of ${people(among)}`;

const shown = (count: number, most: number) => `${count < most ? '' : 'at least '}${count.toLocaleString('en')}`;

export const settingsMessages = {
  fields: settingLabels,
  tabs: {
    signIn: 'Sign-in',
    accounts: 'Accounts',
    sessions: 'Sessions',
    directory: 'Directory',
    branding: 'Appearance',
    attributes: 'Attributes',
    console: 'Console',
  },
  /** Each begins a section with the field of its name; where the one before is missing, another begins it. */
  headings: {
    second_factor: 'Two-step verification',
    default_upstream: 'Signing in',
    email_codes: 'Signing in',
    sign_up: 'New accounts',
    disable_inactive_after_days: 'Unused accounts',
    review_keep_days: 'Reviews of access',
    first_steps: 'Overview',
  },
  save: 'Save settings',
  /** Questions about what concerns many people. */
  rules: {
    several: 'Save these settings?',
    confirm: 'Save settings',
    secondFactor: {
      title: {
        administrators: 'Require two-step verification for everyone with a role?',
        everyone: 'Require two-step verification for everyone?',
      },
      lacking: (affected: Affected) =>
        affected.people.count === 0
          ? 'Everyone it applies to has a second factor already.'
          : `${amongPeople(affected)} ${affected.people.count === 1 ? 'has' : 'have'} no second factor. They set one up at their next sign-in.`,
      you: "That includes you: you'll be asked next.",
      confirm: 'Require two-step verification',
    },
    passwords: {
      title: {
        administrators: 'Turn passwords off for everyone with a role?',
        everyone: 'Turn passwords off for everyone?',
      },
      endTitle: (day: string) => `Stop passwords after ${day} (UTC)?`,
      overTitle: 'Stop passwords now?',
      lacking: (affected: Affected) =>
        affected.people.count === 0
          ? 'Everyone it applies to can sign in without a password.'
          : `${amongPeople(affected)} ${affected.people.count === 1 ? 'has' : 'have'} no other way to sign in.`,
      asked: "They're asked to create a passkey when they sign in.",
      until: (day: string) =>
        `After ${day} (UTC) their password stops working, and they need a link from the reset page.`,
      over: 'Their password stops working now, and they need a link from the reset page.',
      you: 'That includes you.',
      confirm: 'Turn passwords off',
      confirmEnd: 'Stop passwords',
    },
  },
  saved: {
    title: 'Settings saved',
    text: 'Two-step verification is now required for you, too.',
    continue: 'Continue',
  },
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
