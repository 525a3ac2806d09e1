// What administrators read on the console's settings page. Part of the catalogue in messages.ts.

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
    'Anyone who has to and hasn’t yet sets it up the next time they sign in or open a page. An application can also require it.',
  sessionsTitle: 'Sessions',
  hours: 'Sign out after (hours)',
  hoursHint: "For people who don't choose “Keep me signed in”.",
  keptDays: 'Keep signed in for (days)',
  keptDaysHint: 'For people who choose “Keep me signed in”.',
  idleDays: 'Sign out when unused for (days)',
  idleDaysHint: 'For people who choose “Keep me signed in”.',
  save: 'Save settings',
};
