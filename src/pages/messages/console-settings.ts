// What administrators read on the console's settings page. Part of the words in console.ts.

import type { BrandImage } from '../../protocol/brand/brand.ts';
import type { SecondFactorPolicy } from '../../protocol/settings.ts';

export const settingsMessages = {
  secondFactorTitle: 'Two-step verification',
  secondFactor: 'Who needs it',
  secondFactorChoices: {
    optional: "Optional: it's up to each person",
    administrators: 'Required for administrators',
    everyone: 'Required for everyone',
  } satisfies Record<SecondFactorPolicy, string>,
  secondFactorHint:
    'Anyone who needs it and hasn’t set it up yet is asked to the next time they sign in or open a page. Applications can also require it.',
  upstreamTitle: 'Signing in',
  upstream: 'Default identity provider',
  upstreamHint:
    'People are sent to this identity provider without seeing a password field. At /sign-in?password, administrators can still sign in with a password.',
  noUpstream: 'None: people choose how to sign in',
  sessionsTitle: 'Sessions',
  hours: 'Sign out after (hours)',
  hoursHint: "For people who don't choose “Keep me signed in”.",
  keptDays: 'Keep signed in for (days)',
  keptDaysHint: 'For people who choose “Keep me signed in”.',
  idleDays: 'Sign out when inactive for (days)',
  idleDaysHint: 'For people who choose “Keep me signed in”.',
  save: 'Save settings',
  branding: {
    title: 'Branding',
    lead: 'The name, logo and color of this service on pages and in emails, and the links at the bottom of each.',
    open: 'Edit branding',
    serviceName: 'Service name',
    serviceNameHint: 'Appears on every page, in emails, and next to passkeys and authenticator codes.',
    accent: 'Accent color',
    accentHint:
      'For buttons and links. Pick a color or enter its code, such as #2457c5. If it would be hard to read, a lighter or darker shade is used. Leave it blank for the default.',
    accentPicker: 'Pick an accent color',
    signInMessage: 'Sign-in message',
    signInMessageHint: 'One sentence on the sign-in page, such as who can sign in here.',
    supportUrl: 'Support link',
    supportUrlHint: 'Where people get help: an https: URL or a mailto: link.',
    termsUrl: 'Terms of service link',
    privacyUrl: 'Privacy policy link',
    linkHint: 'An https: URL.',
    save: 'Save branding',
    images: 'Logo and favicon',
    image: {
      logo: {
        title: 'Logo',
        hint: 'Replaces the name on pages, 32 pixels high, and appears in emails. PNG, JPEG or WebP, up to 512 KiB.',
      },
      logo_dark: { title: 'Logo for dark mode', hint: 'Without one, the logo is used in both modes.' },
      favicon: { title: 'Favicon', hint: 'Shown in the browser tab. Square, at least 64 × 64 pixels.' },
    } satisfies Record<BrandImage, { title: string; hint: string }>,
    upload: 'Upload',
    remove: 'Remove',
    noImage: 'Choose an image first.',
    tooLarge: 'The image is larger than 512 KiB.',
  },
};
