// What people read when they take their account back: the review after a password reset, paused sign-in methods, and the
// page behind "This wasn't me". Part of the catalogue in messages.ts.

export const recoveryMessages = {
  paused: {
    title: 'Paused sign-in methods',
    lead: "These were added in the 7 days before your password was reset. They can't be used to sign in until you decide.",
    names: {
      authenticator: 'Authenticator app',
      passkey: (name: string) => `Passkey “${name}”`,
      recovery_codes: 'Recovery codes',
    },
    added: 'Added',
    keep: 'Keep',
    remove: 'Remove',
  },
  review: {
    title: 'Review your account',
    lead: (day: string) =>
      `Your password was reset on ${day}, and you were signed out on all devices. Check what still has access to your account.`,
    methodsTitle: 'Sign-in methods in use',
    noMethods: 'Only your password.',
    authenticator: 'Authenticator app',
    recoveryCodes: (count: number) => `${count} ${count === 1 ? 'recovery code' : 'recovery codes'}`,
    manage: 'Manage sign-in methods',
    devicesTitle: 'Devices',
    appsTitle: 'Connected apps',
    noApps: 'No connected apps.',
    keysTitle: 'API keys you created',
    removeTitle: "Don't recognize something?",
    removeLead:
      'Remove all sign-in methods except your password, all connected apps and all API keys you created, and sign out on all other devices.',
    removesMethods: "You'll sign in with just your password until you set up two-step verification again.",
    remove: 'Remove all other access',
    doneTitle: 'Everything looks right?',
    done: 'Finish review',
    due: 'Your password was reset.',
    dueLink: 'Review what has access to your account',
  },
  undo: {
    title: "This wasn't you?",
    lead: 'Undo this change and sign out on all devices. Then reset your password, because someone else may know it.',
    submit: 'Undo and sign out everywhere',
    doneTitle: 'Change undone',
    done: "You're signed out on all devices. Whoever did this may still know your password, so reset it now.",
    reset: 'Reset password',
  },
};
