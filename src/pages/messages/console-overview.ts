// The overview, and its charts. Part of console.ts.

import { lazy } from '../languages/lazy.ts';

const shortDay = lazy(() => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }));
const clockTime = lazy(() => new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' }));

export const overviewMessages = {
  attention: 'Needs attention',
  warnings: {
    no_mail: "Email isn't set up. Nobody can reset a password, confirm an email address or be invited by email.",
    no_mail_todo: 'Set LATCHKEY_SMTP_URL and LATCHKEY_MAIL_FROM.',
    outbox: "Emails aren't being sent. They're collected in the outbox.",
    outbox_link: 'Open the outbox',
    outbox_todo: 'Set LATCHKEY_SMTP_URL and LATCHKEY_MAIL_FROM before anyone else uses this service.',
    plain_http: 'The service is running over plain HTTP, which is only safe on your own machine.',
    plain_http_todo: 'Set LATCHKEY_BASE_URL to an https URL before anyone else uses it.',
    instances_differ: 'Instances on this store have different settings or keys, so people may be refused at random.',
    instances_differ_todo: 'Run "latchkey instances" to see what differs.',
    store_clock_differs: 'The clock of the store is more than 5 seconds off, compared with those of most instances.',
    store_clock_differs_todo: 'Synchronize it (NTP).',
    backup_failed: 'The last scheduled backup failed.',
    backup_failed_todo: '"latchkey doctor" says why. It\'s tried again every 10 minutes.',
    backup_overdue: 'The newest scheduled backup is more than two periods old.',
    backup_overdue_todo: 'Check that an instance with LATCHKEY_BACKUP_FOLDER is running, and its log.',
    backup_on_store_disk: 'Scheduled backups are on the same disk as the store, and would be lost with it.',
    backup_on_store_disk_todo: 'Set LATCHKEY_BACKUP_FOLDER to a folder on another disk.',
    clock_differs: (instances: string) =>
      `Codes and tokens may be refused, because the clocks of these instances are more than 5 seconds off: ${instances}.`,
    clock_differs_todo: 'Synchronize them (NTP). "latchkey instances" shows by how much they differ.',
    administrator_keys: (names: string) => `API keys that can do everything an administrator can: ${names}.`,
    administrator_keys_todo: 'Review API keys',
    old_secret_in_use: (app: string, when: string) => `${app} still uses its previous secret (last on ${when}).`,
    old_secret_todo: 'Review its secrets',
  },
  people: 'People',
  signedIn: 'Signed in, last 30 days',
  neverSignedIn: 'Never signed in',
  withoutSecondFactor: 'No two-step verification',
  inactive: 'Inactive for 90 days',
  /** A count that stopped at some point. */
  atLeast: (count: string) => `${count}+`,
  activity: 'Activity',
  period: 'Period',
  day: 'Last 24 hours',
  month: 'Last 30 days',
  series: { sign_in: 'Sign-ins', failure: 'Failures', refresh: 'Token refreshes' },
  chart: (name: string, period: string, total: number, most: number) =>
    `${name}, ${period}: ${total} in total, ${most} at the peak.`,
  /** The dates below a chart, in UTC. */
  ticks: {
    day: (at: number) => shortDay().format(at),
    time: (at: number) => clockTime().format(at),
    dayAndTime: (at: number) => `${shortDay().format(at)}, ${clockTime().format(at)}`,
  },
  asTable: 'Show as table',
  when: 'Time',
  /** The second one is for a browser that knows its time zone, which it puts in. */
  inUtc: 'Times are in UTC.',
  inZone: 'Times are in your time zone (%s).',
  utcDays: 'Days begin and end in UTC.',
  byUse: 'Most-used applications in the last 30 days',
  version: (version: string) => `Version ${version}`,
  application: 'Application',
  exchanges: 'Sign-ins',
  noUse: 'No application has been used yet.',
};
