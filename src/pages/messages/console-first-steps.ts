// What is left to do on a new service. Part of console.ts.

export const firstStepMessages = {
  title: 'Finish setting up',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  done: 'Done',
  open: 'Not done yet',
  hide: 'Hide checklist',
  steps: {
    email: {
      title: 'Send email',
      text: 'Set LATCHKEY_SMTP_URL and LATCHKEY_MAIL_FROM. Until then, nobody can reset a password or be invited by email.',
      outbox:
        'Emails are collected in the outbox instead of being sent. Set LATCHKEY_SMTP_URL and LATCHKEY_MAIL_FROM before anyone else uses this service.',
    },
    base_url: {
      title: 'Use HTTPS',
      text: 'Set LATCHKEY_BASE_URL to the https URL that people use. Plain HTTP is only safe on your own machine.',
    },
    backup: {
      title: 'Back up the store',
      text: 'Run “latchkey backup” every night. Backups of the database or the disk can’t be seen from here: if you have those, hide this checklist.',
    },
    second_administrator: {
      title: 'Add a second administrator',
      text: 'Someone who can let you back in if you lose your device. Invite them with admin access.',
    },
    second_factor: {
      title: 'Require two-step verification for administrators',
      text: 'A stolen password is then not enough to change who can sign in.',
    },
    first_application: {
      title: 'Register an application',
      text: 'It gets a client ID, and people can sign in to it.',
    },
  },
};
