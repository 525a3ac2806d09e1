// What people read in the emails about their account. Part of the catalogue in messages.ts.

export const emailMessages = {
  greeting: 'Hello,',
  ignore: 'If you did not ask for this, you need not do anything.',
  notYou: 'If this was not you, reset your password at once:',
  notYouEither: 'If this was not you, remove what you do not know and change your password:',
  lookAtSecurity: 'Look at the security of your account',
  finishSignUp: {
    subject: 'Finish your account',
    text: 'Open this link to choose your name and password. It works once, for 24 hours.',
    action: 'Finish your account',
  },
  addressHasAccount: {
    subject: 'You have an account already',
    text: 'Somebody, perhaps you, wanted to use this address for a new account. It has one already. You can sign in, or reset your password there.',
    action: 'Sign in',
  },
  resetPassword: {
    subject: 'Reset your password',
    text: 'Open this link to choose a new password. It works once, for 30 minutes.',
    action: 'Choose a new password',
  },
  invitation: {
    subject: "You're invited",
    text: (service: string) =>
      `You've been invited to create an account at ${service}. Open this link to choose your name and password. It works once, for 7 days.`,
    textFrom: (inviter: string, service: string) =>
      `${inviter} invited you to create an account at ${service}. Open this link to choose your name and password. It works once, for 7 days.`,
    action: 'Accept invitation',
    ignore: "If you weren't expecting this, you can ignore this email.",
  },
  noAccount: {
    subject: 'There is no account for this address',
    text: 'Somebody, perhaps you, wanted to reset the password of an account with this address. There is none. Perhaps you used another address.',
    action: 'Try another address',
  },
  confirmAddress: {
    subject: 'Confirm your new address',
    text: 'Open this link and sign in to use this address for your account. It works once, for 24 hours.',
    action: 'Confirm the address',
  },
  passwordChanged: {
    subject: 'Your password was changed',
    text: 'The password of your account was changed, and your other devices were signed out.',
    action: 'Reset the password',
  },
  addressChangeAsked: {
    subject: 'Somebody asked for another e-mail address',
    text: (address: string) =>
      `Your account is to get the address ${address}, once the mail that we have sent there is answered.`,
    action: 'Reset the password',
  },
  addressChanged: {
    subject: 'Your e-mail address was changed',
    text: (address: string) =>
      `Your account now has the address ${address}. If this was not you, tell the administrator of the service.`,
  },
  factorAdded: {
    texts: {
      authenticator_added: 'An authenticator app was set up for your account.',
      passkey_added: 'A passkey was added to your account.',
      recovery_codes_replaced: 'New recovery codes were made for your account. The old ones no longer work.',
    },
    undo: "If this wasn't you, open this link. It undoes the change and signs you out on all devices. It works once, for 7 days.",
    action: "This wasn't me",
    ignore: "If it was you, there's nothing to do.",
  },
  secondFactorChanged: {
    subject: 'The security of your account was changed',
    authenticator_removed: 'The authenticator app of your account was removed.',
    passkey_removed: 'A passkey of your account was removed.',
    recovery_code_used: 'One of your recovery codes was used.',
    all_factors_removed:
      'All sign-in methods except your password were removed from your account. Two-step verification is off.',
    second_factors_removed: 'The administrator removed the authenticator app and the passkeys of your account.',
  },
  wrongCodes: {
    subject: 'Someone may know your password',
    text: (device: string, at: string, address: string) =>
      `Someone entered your password, but then several incorrect verification codes. The last one came from ${device || 'a browser'} on ${at}, IP address ${address}. They haven't signed in.`,
    action: 'Reset the password',
  },
  newDevice: {
    subject: 'A new device has signed in',
    text: (device: string, at: string, address: string) =>
      `Your account was signed in to from ${device || 'a browser'} on ${at}, from the address ${address}. We have not seen that browser before.`,
    action: 'Reset the password',
  },
  apiKeyCreated: {
    subject: 'New API key',
    text: (name: string, fromCommandLine: boolean) =>
      fromCommandLine
        ? `An API key called “${name}” was created on the command line.`
        : `An API key called “${name}” was created with your account.`,
    permissions: {
      read: 'It can read everything that administrators see.',
      write: 'It can do everything that administrators can do.',
    },
    expires: (day: string) => `It expires on ${day}.`,
    neverExpires: 'It never expires.',
    notYou: "If you don't know about it, revoke it and change your password:",
    action: 'Manage API keys',
  },
  adminAccessChanged: {
    given: {
      subject: 'You now have admin access',
      text: 'You can now manage people and applications on this service.',
      action: 'Open the console',
    },
    removed: {
      subject: 'Your admin access was removed',
      text: 'You can no longer manage people and applications on this service.',
      action: 'Go to your account',
    },
    notExpected: "If you didn't expect this, ask an administrator.",
  },
  recoveryLinkMade: {
    subject: 'Recovery link for your account',
    text: "An administrator created a link that sets a new password for your account. It works once, for 24 hours, and signs you out on all devices. If you didn't ask for help, tell your administrator, and check your account's activity:",
    action: 'See your activity',
  },
  accountCreated: {
    subject: 'Your new account',
    text: (service: string) =>
      `An account at ${service} was created for you. Open this link to choose a password. It works once, for 7 days.`,
    textFrom: (inviter: string, service: string) =>
      `${inviter} created an account at ${service} for you. Open this link to choose a password. It works once, for 7 days.`,
    action: 'Choose a password',
  },
  profileEdited: {
    subject: 'Your profile was changed',
    text: (name: string) => `An administrator changed your profile. Your name is now ${name}.`,
    notExpected: "If you didn't expect this, ask an administrator.",
  },
  emailEdited: {
    subject: 'Your email address was changed',
    text: (email: string) => `An administrator changed the email address of your account to ${email}.`,
    notExpected: "If you didn't expect this, ask an administrator.",
  },
  accountDeleted: {
    subject: 'Your account is deleted',
    text: 'Your account was deleted, as you asked. Applications have lost access to it.',
  },
};
