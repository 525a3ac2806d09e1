// English: everything that people read on the pages and in emails, except for the console and the documentation, which
// stay in English. Its shape is the type of every other language, so the compiler reports what a language lacks.

import type { ReturnRefusal } from '../../protocol/oauth/logout.ts';
import type { Scope } from '../../protocol/oauth/scope.ts';
import { wording } from './wording.ts';

const { plural, number } = wording<'one' | 'other'>('en');

const waitingTime = (minutes: number) => {
  if (minutes <= 90) return plural(minutes, { one: 'a minute', other: `${number(minutes)} minutes` });
  const hours = Math.ceil(minutes / 60);
  if (hours <= 48) return plural(hours, { one: 'an hour', other: `${number(hours)} hours` });
  const days = Math.ceil(hours / 24);
  return plural(days, { one: 'a day', other: `${number(days)} days` });
};

const notConfirmed = "We couldn't confirm which application sent you here, so we didn't send you back to it.";

export const en = {
  skipToContent: 'Skip to content',
  dismiss: 'Dismiss',
  title: (page: string, service: string) => `${page} · ${service}`,
  languagePicker: 'Language',
  links: { support: 'Help', terms: 'Terms of service', privacy: 'Privacy policy' },

  signIn: {
    title: 'Sign in',
    continueTo: (app: string) => `to continue to ${app}`,
    toAccount: 'to your account',
    email: 'Email',
    password: 'Password',
    submit: 'Sign in',
    failed: 'Incorrect email or password.',
    throttled: (minutes: number) => `Too many failed attempts. Try again in ${waitingTime(minutes)}.`,
    incomplete: 'Enter your email and password.',
    forgotten: 'Forgot your password?',
    create: 'Create an account',
    passkey: 'Sign in with a passkey',
    passkeyFailed: "That passkey didn't work. Try again, or use your password.",
    keep: 'Keep me signed in',
  },

  /** Signing in with a code by email. */
  emailCodes: {
    send: 'Email me a code',
    title: 'Check your email',
    lead: (email: string) =>
      `We sent an email to ${email}. Enter the code in it. It works once, in this browser, for 10 minutes.`,
    code: 'Code',
    again: 'Send a new code',
    usePassword: 'Use your password',
    wrong: 'That code is incorrect or has expired.',
    spent: 'Too many incorrect codes. Send a new one.',
    recoveryTitle: 'Ask your administrator',
    recovery:
      "Your email address hasn't been verified before, and two-step verification is on for this account, so someone else may have set it up. Ask your administrator to remove two-step verification and give you a recovery link.",
    proofLead: (email: string) => `We'll send a code to ${email}. You won't be asked again for 15 minutes.`,
    reviewLead: (day: string) =>
      `Your email address was verified on ${day}. Anything set up before that, such as a password, was removed, because someone else may have set it up. Check what still has access to your account.`,
    reviewMethods: 'Only codes by email.',
    email: {
      subjects: { sign_in: 'Your sign-in code', proof: 'Your confirmation code' },
      texts: {
        sign_in:
          'Enter this code to sign in. It works once, in the browser that asked for it, and expires in 10 minutes.',
        proof:
          "Enter this code to confirm it's you. It works once, in the browser that asked for it, and expires in 10 minutes.",
      },
      asked: (device: string, ipAddress: string) => `Requested from ${device}, IP address ${ipAddress}.`,
      warning: "If this wasn't you, you can ignore this email. Don't share the code with anyone.",
    },
    notForYou: {
      subject: 'Sign in with your password or passkey',
      text: 'Someone, probably you, asked for a code to sign in. Your account uses two-step verification, so you need your password or a passkey to sign in.',
    },
    noAccount:
      'Someone, probably you, asked for a code to sign in with this email address, but no account uses it. You may have signed up with a different email address.',
  },

  account: {
    email: 'Email',
    password: 'Password',
    newPassword: 'New password',
    newPasswordHint: 'At least 8 characters. Try a few unrelated words.',
    name: 'Name',
    nav: 'Your account',
    signOut: 'Sign out',
    signedInAs: 'Signed in as',
    /** Opens the navigation on phones. */
    menu: 'Menu',
    /** The button in a password field: what it says, and what screen readers call it. */
    reveal: { show: 'Show', hide: 'Hide', showPassword: 'Show password', hidePassword: 'Hide password' },
    /** In a field for a file. */
    file: { choose: 'Choose file', none: 'No file chosen' },
    throttled: (minutes: number) => `Too many attempts. Try again in ${waitingTime(minutes)}.`,
    invalidName: 'Enter a name of 1 to 100 characters.',
    invalidEmail: 'Enter a valid email address.',
    managed: 'Your organization manages this.',
    noEmail: "This isn't available because the service can't send email yet. Contact your administrator.",
    passwordProblems: {
      too_short: 'Use at least 8 characters.',
      too_long: 'Use no more than 256 characters.',
      not_text: 'That password contains unsupported characters.',
      common: 'That password is too common. Choose another one.',
      personal: "Your password can't be your name or email address. Choose another one.",
      breached: 'That password appeared in a data breach, so others may know it. Choose one that you use nowhere else.',
      not_allowed: "Passwords can't be used here. Create a passkey instead.",
    },
    sections: {
      home: 'Your apps',
      profile: 'Profile',
      security: 'Security',
      sessions: 'Devices',
      apps: 'Connected apps',
      activity: 'Activity',
      data: 'Your data',
    },
    /** The link to the console, for administrators. */
    console: 'Admin console',
    notices: {
      welcome: 'Welcome! Your account is ready.',
      profile: 'Profile saved.',
      picture: 'Picture updated.',
      password: "Password changed. You're signed out on your other devices.",
      authenticator: 'Authenticator app removed.',
      'authenticator-added': 'Authenticator app added.',
      passkey: 'Passkey removed.',
      'password-removed': "Password removed. You're signed out on your other devices.",
      'password-set': "Password set. You're signed out on your other devices.",
      'identity-linked': 'Account linked.',
      'identity-unlinked': 'Account unlinked.',
      'passkey-added': 'Passkey added.',
      session: 'Device signed out.',
      sessions: 'Other devices signed out.',
      proof: 'Identity confirmed.',
      untrusted: 'Device no longer trusted.',
      'method-kept': 'Sign-in method kept.',
      'method-removed': 'Sign-in method removed.',
      'not-possible': "That didn't work. It may already have been changed in another window.",
    },

    signUp: {
      title: 'Create an account',
      toContinue: (app: string) => `to continue to ${app}`,
      lead: "We'll email you a link to finish creating your account.",
      submit: 'Send link',
      haveOne: 'Already have an account?',
      closed: 'Sign-up is closed. Ask your administrator for an account.',
      finishTitle: 'Finish creating your account',
      finishLead: (email: string) => `You'll sign in as ${email}.`,
      inviteTitle: "You're invited",
      setUpTitle: 'Set up this service',
      setUpLead: 'Create the first administrator account.',
      emailTaken: 'An account with this email address already exists.',
      nameHint: 'The name applications will see.',
      finish: 'Create account',
    },
    emailSent: {
      title: 'Check your email',
      text: (email: string) => `We sent an email to ${email}. Open the link to continue.`,
      hint: 'Nothing after a few minutes? Check your spam folder, or try again.',
      again: 'Send again',
      other: 'Use another email address',
      outbox: 'This service is running in development mode, so the email is in its outbox.',
    },
    resetPassword: {
      title: 'Reset your password',
      lead: "We'll email you a link to choose a new password. It works once and expires in 30 minutes.",
      submit: 'Send link',
      back: 'Back to sign-in',
      finishTitle: 'Choose a new password',
      finishLead: 'This signs you out on all devices.',
      finish: 'Set password',
      doneTitle: 'Password changed',
      done: 'Sign in with your new password. Sign-in methods added in the last 7 days are paused until you review them.',
      signIn: 'Sign in',
    },
    linkExpired: {
      title: 'This link has expired',
      text: 'It may already have been used or replaced by a newer link. Nothing was changed.',
      again: 'Get a new link',
      askAdministrator: 'Ask your administrator for a new one.',
    },

    secondStep: {
      title: 'Two-step verification',
      lead: 'Enter the code from your authenticator app, or a recovery code.',
      leadPasskeyOnly: 'Use your passkey, or enter a recovery code.',
      code: 'Code',
      submit: 'Continue',
      passkey: 'Use a passkey',
      failed: 'That code is incorrect or has already been used.',
      passkeyFailed: "That passkey didn't work. Try again, or enter a code.",
      tooManyCodes: (minutes: number) =>
        `Too many incorrect codes. Use a recovery code or a passkey, or try again in ${waitingTime(minutes)}.`,
      trust: "Don't ask for a code on this device for 30 days",
      lost: 'Lost your device and your recovery codes? Contact your administrator.',
      other: 'Use another account',
    },

    proof: {
      leadElsewhere: "Sign in again to continue. You won't be asked again for 15 minutes.",
      noWay:
        "We can't confirm it's you right now: you don't have a password, and the account you sign in with isn't available. Set a password by email first.",
      byEmail: 'Set a password by email',
      confirmedTitle: 'Identity confirmed',
      confirmed: 'You can continue with your change now.',
      goOn: 'Continue',
      title: "Confirm it's you",
      lead: "Enter your password to continue. You won't be asked again for 15 minutes.",
      leadWithCode: "Use two-step verification to continue. You won't be asked again for 15 minutes.",
      password: 'Password',
      submit: 'Confirm',
      enterCode: 'Enter your code.',
      wrongPassword: 'Incorrect password.',
      cancel: 'Cancel',
    },

    profile: {
      pictureElsewhere: (host: string) => `Your picture comes from ${host}. It isn't shown here.`,
      lead: 'What applications see when you share your profile with them.',
      givenName: 'First name',
      familyName: 'Last name',
      username: 'Username',
      usernameHint:
        'Optional. 3 to 30 characters, starting with a letter. Visible to apps you share your profile with.',
      usernameTaken: 'That username is taken.',
      usernameProblems: {
        too_short: 'Use at least 3 characters.',
        too_long: 'Use no more than 30 characters.',
        invalid_start: 'Start your username with a letter.',
        invalid_characters: 'Use only the letters a to z, digits, dots, hyphens and underscores.',
      },
      locale: 'Language',
      noLocale: 'Not set',
      save: 'Save profile',
      invalidLocale: 'Choose a language from the list.',
      picture: 'Picture',
      pictureHint: 'PNG, JPEG or WebP, up to 512 KB. Location data is removed.',
      upload: 'Upload picture',
      removePicture: 'Remove picture',
      pictureProblems: {
        not_a_picture: "That file isn't a PNG, JPEG or WebP image, or it's damaged.",
        too_large: 'That picture is larger than 512 KB.',
        too_many_pixels: 'That picture has too many pixels.',
        none: 'Choose a file first.',
      },
      address: 'Email address',
      verified: 'Verified',
      unverified: 'Not verified',
      verify: 'Verify email address',
      changeAddress: 'Change email address',
    },
    /** Of people, as administrators define them. */
    attributes: {
      none: 'Not set',
      yes: 'Yes',
      no: 'No',
      list: 'Separate items with commas.',
      listOf: (values: string) => `Separate items with commas. Allowed: ${values}.`,
      problems: {
        wrong_kind: 'Enter a number, such as 12.5.',
        not_allowed: 'Use only the allowed values.',
        too_long: 'That value is too long.',
        characters: "That value has characters that aren't allowed.",
      },
    },
    changeEmail: {
      title: 'Change your email address',
      lead: (email: string) =>
        `Your email address is ${email}. It won't change until you open the link we send to the new one.`,
      newAddress: 'New email address',
      submit: 'Send link',
      same: "That's already your email address.",
      confirmTitle: 'Confirm your new email address',
      confirmLead: (email: string, current: string) => `Your email address will change from ${current} to ${email}.`,
      confirm: 'Confirm email address',
      changedTitle: 'Email address changed',
      confirmed: (email: string) => `Your email address is now ${email}. Use it to sign in.`,
      /** Behind the link that verifies the address that the account has already. */
      verifyLead: (email: string) => `Confirm that ${email} is your email address.`,
      verifiedTitle: 'Email address verified',
      verified: (email: string) => `${email} is verified.`,
      toAccount: 'Go to your account',
      back: 'Back to your profile',
    },
    security: {
      noPassword: "You don't have a password. With one, you can still sign in if you lose access to a linked account.",
      setPassword: 'Set a password',
      authenticatorOffAlone: 'Protect your account with a code from an app on your phone whenever you sign in.',
      proof: 'Code from your authenticator app, or a recovery code',
      proofByRecoveryCode: 'Recovery code',
      passwordTitle: 'Password',
      changePassword: 'Change password',
      breached:
        'Your password appeared in a data breach at another service, so others may know it. Change it soon, here and wherever else you use it.',
      authenticatorTitle: 'Authenticator app',
      authenticatorOff: 'Protect your account with a code from an app on your phone, in addition to your password.',
      on: 'On',
      authenticatorOn: "You'll be asked for a code from your app when you sign in.",
      setUp: 'Set up authenticator app',
      remove: 'Remove',
      removeNamed: (name: string) => `Remove ${name}`,
      removeApp: 'Remove authenticator app',
      codesTitle: 'Recovery codes',
      noCodesLeft: 'You have no recovery codes left. Create new ones.',
      codesLeft: (count: number) =>
        plural(count, {
          one: "You have 1 recovery code left. It signs you in once if you don't have your device.",
          other: `You have ${number(count)} recovery codes left. Each one signs you in once if you don't have your device.`,
        }),
      newCodes: 'Create new codes',
      passkeysTitle: 'Passkeys',
      passkeysLead: 'Sign in without a password, using your fingerprint, face or screen lock.',
      passkeyName: 'Passkey name',
      passkeyNameHint: 'For example, “My phone”.',
      addPasskey: 'Add a passkey',
      needsScript: 'Passkeys need JavaScript and a browser that supports them.',
      added: 'Added',
      lastUsed: 'Last used',
      never: 'Never',
      passkeyFailed: "Couldn't add the passkey. Try again.",
      tooManyPasskeys: "You've reached the limit of 20 passkeys. Remove one to add another.",
      lastWay: 'This is your only way to sign in. Set a password or add another passkey before you remove it.',
      confirmedForPasskey: 'Identity confirmed. You can add the passkey now.',
    },
    identities: {
      title: 'Linked accounts',
      lead: 'Accounts with other services that you can sign in with.',
      linked: 'Linked',
      noEmail: 'No email address shared',
      disabled: 'Unavailable',
      link: (label: string) => `Link ${label}`,
      tooMany: "You've reached the limit of 10 linked accounts. Unlink one to link another.",
      unlink: 'Unlink',
      unlinkNamed: (label: string) => `Unlink ${label}`,
      lastWay: 'This is your only way to sign in. Set a password or add a passkey before you unlink it.',
    },
    authenticator: {
      title: 'Set up an authenticator app',
      scan: 'Scan this QR code with your authenticator app.',
      alt: 'QR code with the key for your authenticator app',
      orType: 'Or enter this key in the app:',
      open: 'Open in authenticator app',
      copy: 'Copy key',
      code: '6-digit code from the app',
      submit: 'Turn on',
      wrongCode: "That code is incorrect. Codes change every 30 seconds, so make sure your phone's clock is correct.",
      already: "You've already set up an authenticator app. Remove it first.",
      back: 'Back to security',
    },
    codes: {
      title: 'Save your recovery codes',
      lead: "Each one signs you in once if you don't have your device. Save them now. You won't be able to see them again.",
      done: "I've saved my recovery codes",
      copy: 'Copy codes',
      copied: 'Copied',
      download: 'Download codes',
      print: 'Print codes',
      /** The first line of the file that is downloaded. */
      file: (service: string, email: string) => `${service} recovery codes for ${email}`,
    },
    sessions: {
      lead: "Devices where you're signed in.",
      current: 'This device',
      since: 'Signed in',
      lastSeen: 'Last seen',
      from: 'IP address',
      end: 'Sign out',
      /** With the name of the device, for those who can't see what stands beside the button. */
      endNamed: (device: string) => `Sign out ${device}`,
      endOthers: 'Sign out everywhere else',
      onlyThis: "You aren't signed in anywhere else.",
      trusted: 'Trusted devices',
      trustedLead: "You won't be asked for a code when you sign in with your password on these devices.",
      trustedUntil: 'Until',
      lastSignIn: 'Last used',
      untrust: 'Stop trusting',
      untrustNamed: (device: string) => `Stop trusting ${device}`,
    },
    activity: {
      lead: "Recent activity on your account. If something wasn't you, change your password.",
      none: 'No activity yet.',
      byAdministrator: 'By an administrator',
      older: 'Older',
      someApp: 'an application',
    },
    data: {
      downloadTitle: 'Download your data',
      downloadLead: 'Everything we store about you, in one JSON file.',
      download: 'Download data',
      deleteTitle: 'Delete your account',
      deleteLead: "Applications lose access right away. This can't be undone.",
      deleteQuestion: (email: string) => `Delete the account ${email}?`,
      deleteText:
        "Your profile, sign-in methods and connected apps will be permanently deleted, and you'll be signed out everywhere.",
      delete: 'Delete account',
      lastAdministrator: "You're the only administrator. Make someone else an admin first.",
      deletedTitle: 'Account deleted',
      deleted: 'We only keep a record that the account existed. Applications may still have what you shared with them.',
    },
    /** What the activity page says about each kind of event. Kinds that aren't listed aren't shown. */
    ownEvents: {
      signed_in: 'Signed in',
      sign_in_failed: 'Failed sign-in',
      second_step_asked: 'Correct password, waiting for two-step verification',
      session_raised: 'Confirmed with two-step verification',
      signed_out: 'Signed out',
      approved: (app: string) => `Gave ${app} access`,
      let_in: (app: string) => `Signed in to ${app}`,
      approvals_throttled: (app: string) => `Too many sign-ins to ${app}; paused briefly`,
      authorization_denied: (app: string) => `Denied ${app} access`,
      app_removed: (app: string) => `Removed access for ${app}`,
      signed_up: 'Account created',
      user_created: 'Account created by an administrator',
      user_password_set: 'Password changed by an administrator',
      user_disabled: 'Account disabled by an administrator',
      user_expired: 'Access to the account ended on its date',
      user_enabled: 'Account enabled by an administrator',
      user_approved: 'Account approved by an administrator',
      user_made_administrator: 'Admin access granted',
      user_administrator_removed: 'Admin access removed',
      user_roles_changed: 'Roles changed by an administrator',
      user_reset_sent: 'Password reset link sent by an administrator',
      user_recovery_link_made: 'Recovery link created by an administrator',
      first_administrator_created: 'First administrator account created',
      email_code_requested: 'Sign-in code requested',
      email_verified_by_code: 'Email address verified with a code',
      account_claimed: 'Account reset for its owner',
      password_reset_requested: 'Password reset requested',
      password_reset: 'Password reset by email',
      password_changed: 'Password changed',
      password_removed: 'Password removed',
      password_found_in_breach: 'Password found in a data breach',
      profile_changed: 'Profile updated',
      picture_changed: 'Picture updated',
      email_change_requested: 'Email address change requested',
      email_changed: 'Email address changed',
      sessions_ended: 'Signed out on other devices',
      device_trusted: 'Device trusted to skip two-step verification',
      device_trust_ended: 'Device no longer trusted',
      authenticator_added: 'Authenticator app added',
      authenticator_removed: 'Authenticator app removed',
      recovery_codes_replaced: 'Recovery codes created',
      recovery_codes_removed: 'Recovery codes removed',
      recovery_code_used: 'Recovery code used',
      passkey_added: (name: string) => `Passkey “${name}” added`,
      passkey_removed: 'Passkey removed',
      second_factors_removed: 'Two-step verification removed by an administrator',
      identity_linked: (name: string) => `Sign-in with ${name} linked`,
      identity_unlinked: (name: string) => `Sign-in with ${name} unlinked`,
      factor_undone: 'Sign-in method change undone, signed out everywhere',
      factor_kept: 'Paused sign-in method kept',
      account_reviewed: 'Account access reviewed',
      data_downloaded: 'Data downloaded',
      user_edited: 'Profile changed by an administrator',
      user_email_verified: 'Email address verified by an administrator',
      grant_ended_by_replay: (app: string) => `${app} lost access because a code was used twice`,
    },
    /** How the person signed in; shown next to the event. */
    methods: {
      password: 'Password',
      password_and_code: 'Password and code',
      password_and_recovery_code: 'Password and recovery code',
      password_and_passkey: 'Password and passkey',
      passkey: 'Passkey',
      password_on_trusted_device: 'Password on a trusted device',
      sign_up: 'First sign-in',
      upstream: 'Identity provider',
      upstream_on_trusted_device: 'Identity provider, on a trusted device',
      upstream_two_factors: 'Identity provider with two-step verification',
      upstream_and_code: 'Identity provider and code',
      upstream_and_recovery_code: 'Identity provider and recovery code',
      upstream_and_passkey: 'Identity provider and passkey',
      email_code: 'Code by email',
      email_code_and_code: 'Codes by email and from an app',
      email_code_and_recovery_code: 'Code by email and recovery code',
      email_code_and_passkey: 'Code by email and passkey',
    },
    /** Why a sign-in failed; shown next to the event. */
    reasons: {
      wrong_password: 'Incorrect password',
      wrong_second_step: 'Correct password, incorrect code',
      wrong_password_in_account: 'Incorrect password when confirming identity',
      wrong_passkey: 'Passkey not accepted',
      wrong_email_code: 'Incorrect code from an email',
      unverified_email: 'Email address not verified',
      throttled: 'Too many attempts',
      disabled: 'Account disabled',
      expired: 'Access has ended',
      waiting_for_approval: 'Account waiting for approval',
      password_over: 'Right password, but passwords no longer work',
      changed_meanwhile: 'Account changed at the same time',
      upstream_identity_taken: 'Linked to a different account',
      upstream_other_person: 'Not the linked account',
      upstream_not_fresh: "The identity provider didn't ask to sign in again",
    },
  },

  /** A browser and its system, as lists of devices and emails name it: "Firefox on Linux". */
  device: {
    on: (browser: string, system: string) => `${browser} on ${system}`,
    unknownOn: (system: string) => `Unknown browser on ${system}`,
    unknown: 'Unknown browser',
  },

  emails: {
    greeting: 'Hi,',
    ignore: "If you weren't expecting this email, you can ignore it.",
    notYou: "If this wasn't you, reset your password right away:",
    notYouEither: "If this wasn't you, remove anything you don't recognize and change your password:",
    lookAtSecurity: 'Review your security settings',
    finishSignUp: {
      subject: 'Finish creating your account',
      text: 'Open this link to set up your account. It works once and expires in 24 hours.',
      action: 'Create account',
    },
    addressHasAccount: {
      subject: 'You already have an account',
      text: 'Someone, probably you, tried to create an account with this email address, but one already exists. You can sign in, or reset your password from the sign-in page.',
      action: 'Sign in',
    },
    resetPassword: {
      subject: 'Reset your password',
      text: 'Open this link to choose a new password. It works once and expires in 30 minutes.',
      action: 'Reset password',
    },
    invitation: {
      subject: "You're invited",
      text: (service: string) =>
        `You've been invited to create an account on ${service}. Open this link to set up your account. It works once and expires in 7 days.`,
      textFrom: (inviter: string, service: string) =>
        `${inviter} invited you to create an account on ${service}. Open this link to set up your account. It works once and expires in 7 days.`,
      action: 'Accept invitation',
    },
    noAccount: {
      subject: 'No account with this email address',
      text: 'Someone, probably you, tried to reset the password for this email address, but no account uses it. You may have signed up with a different email address.',
      action: 'Try another email address',
    },
    confirmAddress: {
      subject: 'Confirm your email address',
      text: 'Open this link and sign in to use this email address for your account. It works once and expires in 24 hours.',
      action: 'Confirm email address',
    },
    accountClaimed: {
      subject: 'Your account was reset',
      text: "You've shown that this email address is yours. Nobody had done that before, so someone else may have set up the account. Everything in it was removed: its password, other ways to sign in, devices, and access by applications.",
    },
    passwordChanged: {
      subject: 'Your password was changed',
      text: 'The password for your account was changed, and you were signed out on your other devices.',
      action: 'Reset password',
    },
    setUpFactor: {
      subject: 'Set up two-step verification',
      text: "You signed in with your password. Your second factor couldn't be moved to this service, so please set up two-step verification again to continue. The link works for 30 minutes.",
      action: 'Set up two-step verification',
      notYou:
        "If you didn't sign in, someone else knows your password. Don't open the link, and reset your password on the sign-in page.",
    },
    passwordBreached: {
      subject: 'Change your password soon',
      text: "The password for your account is on a list of passwords from data breaches at other services. This doesn't mean that someone has signed in to your account, but attackers try the passwords on such lists. Choose a new one that you use nowhere else:",
      action: 'Change password',
      after: 'If you use the same password elsewhere, change it there too.',
    },
    addressChangeAsked: {
      subject: 'Email address change requested',
      text: (email: string) =>
        `Someone asked to change your account's email address to ${email}. It will change when they open the link we sent there.`,
      action: 'Reset password',
    },
    addressChanged: {
      subject: 'Your email address was changed',
      text: (email: string) =>
        `Your account's email address is now ${email}. If this wasn't you, contact your administrator.`,
    },
    factorAdded: {
      texts: {
        authenticator_added: 'An authenticator app was added to your account.',
        passkey_added: 'A passkey was added to your account.',
        recovery_codes_replaced: 'New recovery codes were created for your account. The old ones no longer work.',
      },
      undo: "If this wasn't you, open this link. It undoes the change and signs you out on all devices. It works once and expires in 7 days.",
      action: "This wasn't me",
      ignore: "If this was you, you don't need to do anything.",
    },
    secondFactorChanged: {
      subject: 'Your security settings were changed',
      authenticator_removed: 'The authenticator app was removed from your account.',
      passkey_removed: 'A passkey was removed from your account.',
      all_factors_removed:
        'All sign-in methods except your password were removed from your account. Two-step verification is off.',
      second_factors_removed: 'An administrator removed the authenticator app and the passkeys from your account.',
    },
    identityLinked: (label: string) => `You can now sign in to your account with ${label}.`,
    wrongCodes: {
      subject: 'Someone may know your password',
      text: (device: string, at: string, ipAddress: string) =>
        `Someone entered your password, followed by several incorrect verification codes. Last attempt: ${device}, ${at}, IP address ${ipAddress}. They haven't signed in.`,
      action: 'Reset password',
    },
    recoveryCodeUsed: {
      subject: 'A recovery code was used',
      text: (device: string, at: string, ipAddress: string) =>
        `One of your recovery codes was used for your account: ${device}, ${at}, IP address ${ipAddress}.`,
    },
    newDevice: {
      subject: 'New sign-in to your account',
      text: (device: string, at: string, ipAddress: string) =>
        `There was a new sign-in to your account from a browser we haven't seen before: ${device}, ${at}, IP address ${ipAddress}.`,
      action: 'Reset password',
    },
    apiKeyCreated: {
      subject: 'New API key',
      text: (name: string, fromCommandLine: boolean) =>
        fromCommandLine
          ? `An API key called “${name}” was created on the command line.`
          : `An API key called “${name}” was created from your account.`,
      permissions: {
        read: 'It can read everything administrators can see.',
        write: "It can manage people without a role, groups that aren't protected, applications and webhooks.",
        administrator: 'It can do everything administrators can do.',
        people: "It can manage people without a role, and groups that aren't protected.",
        applications: 'It can manage applications.',
        auditor: 'It can read everything administrators can see, and change nothing.',
      },
      expires: (day: string) => `It expires on ${day}.`,
      neverExpires: 'It never expires.',
      notYou: "If you don't recognize it, revoke it and change your password:",
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
      changed: {
        subject: 'Your admin roles have changed',
        text: (roles: string) => `Your roles on this service are now: ${roles}.`,
        action: 'Open the console',
      },
      roles: { administrator: 'Administrator', people: 'People', applications: 'Applications', auditor: 'Auditor' },
      notExpected: "If you didn't expect this, contact an administrator.",
    },
    recoveryLinkMade: {
      subject: 'Recovery link for your account',
      text: "An administrator created a link that sets a new password for your account. It works once, expires in 24 hours, and signs you out on all devices. If you didn't ask for help, tell your administrator and check your account's activity:",
      action: 'See your activity',
    },
    accountCreated: {
      subject: 'Your new account',
      text: (service: string) =>
        `An account on ${service} was created for you. Open this link to set up your account. It works once and expires in 7 days.`,
      textFrom: (inviter: string, service: string) =>
        `${inviter} created an account for you on ${service}. Open this link to set up your account. It works once and expires in 7 days.`,
      action: 'Set up account',
    },
    profileEdited: {
      subject: 'Your profile was changed',
      text: (name: string) =>
        `An administrator changed your profile. Your name is now ${name}. If you didn't expect this, contact your administrator.`,
    },
    emailEdited: {
      subject: 'Your email address was changed',
      text: (email: string) =>
        `An administrator changed your account's email address to ${email}. If you didn't expect this, contact your administrator.`,
    },
    accountDeleted: {
      subject: 'Your account was deleted',
      text: 'Your account was deleted, as you requested. Applications no longer have access to it.',
    },
  },

  /** New accounts that an administrator has to approve. */
  approval: {
    title: 'Waiting for approval',
    text: 'Your account is waiting for approval.',
    told: "We'll email you when you can sign in.",
    needed: 'Then an administrator has to approve your account.',
    fullTitle: "Couldn't create your account",
    full: "New accounts can't be created right now. Try again later.",
    emails: {
      approved: {
        subject: 'Your account was approved',
        text: (service: string) => `Your account on ${service} was approved. You can sign in now.`,
        action: 'Sign in',
      },
      /** What the administrator wrote follows the text. */
      declined: {
        subject: "Your account wasn't approved",
        text: (service: string) =>
          `Your request for an account on ${service} was declined, and what you entered was deleted. The administrator wrote:`,
      },
      waiting: {
        subject: 'People are waiting for approval',
        text: (count: number) =>
          plural(count, {
            one: '1 person is waiting for an administrator to approve their account.',
            other: `${number(count)} people are waiting for an administrator to approve their accounts.`,
          }),
        action: 'Review requests',
      },
    },
  },
  signUpLinks: {
    linkNeeded: 'You need a sign-up link to create an account. Ask your administrator for one.',
    otherDomain: "You can't create an account with this email address. Use another one, or ask your administrator.",
    ended: {
      used_up: 'This sign-up link has been used up',
      expired: 'This sign-up link has expired',
      revoked: 'This sign-up link was revoked',
    },
    endedText: "It can't be used to create an account anymore.",
  },

  recovery: {
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
      keepNamed: (method: string) => `Keep ${method}`,
      remove: 'Remove',
      removeNamed: (method: string) => `Remove ${method}`,
    },
    review: {
      title: 'Review your account',
      lead: (day: string) =>
        `Your password was reset on ${day}, and you were signed out on all devices. Check what still has access to your account.`,
      methodsTitle: 'Sign-in methods in use',
      noMethods: 'Only your password.',
      authenticator: 'Authenticator app',
      recoveryCodes: (count: number) =>
        plural(count, { one: '1 recovery code', other: `${number(count)} recovery codes` }),
      devicesTitle: 'Devices',
      appsTitle: 'Connected apps',
      noApps: 'No connected apps.',
      keysTitle: 'API keys you created',
      removeTitle: "Don't recognize something?",
      removeLead:
        'Remove all sign-in methods except your password, all connected apps and all API keys you created, and sign out on all other devices.',
      removesMethods: "You'll sign in with just your password until you set up two-step verification again.",
      remove: 'Remove all other access',
      doneTitle: 'Does everything look right?',
      done: 'Finish review',
    },
    undo: {
      title: 'Undo this change?',
      lead: 'This also signs you out on all devices. Then reset your password, because someone else may know it.',
      submit: 'Undo and sign out everywhere',
      doneTitle: 'Change undone',
      done: "You're signed out on all devices. Whoever did this may still know your password, so reset it now.",
      reset: 'Reset password',
    },
  },

  secondFactor: {
    setUpTitle: 'Set up two-step verification',
    setUpLead: 'You need two-step verification to sign in here.',
    setUpLeadFor: (app: string) => `You need two-step verification to continue to ${app}.`,
    withApp: 'Use an authenticator app instead',
    code: '6-digit code from the app',
    password: 'Current password',
    passwordHint: "Confirm it's you.",
    submit: 'Turn on and continue',
    wrongCode: "That code is incorrect. Codes change every 30 seconds, so make sure your phone's clock is correct.",
    verifyTitle: 'Two-step verification',
    verifyLead: 'Enter the code from your authenticator app, or a recovery code.',
    verifyLeadPasskeyOnly: 'Use your passkey, or enter a recovery code.',
    signingInAs: (email: string) => `Signing in as ${email}.`,
    signedInAs: (email: string) => `Signed in as ${email}.`,
    signOut: 'Sign out',
    codesTitle: 'Save your recovery codes',
    codesLead:
      "Each one signs you in once if you don't have your device. Save them now. You won't be able to see them again.",
    codesDone: "I've saved my recovery codes",
    /** After a sign-in with a recovery code. */
    usedTitle: 'You used a recovery code',
    usedLeft: (count: number) => plural(count, { one: '1 left.', other: `${number(count)} left.` }),
    lost: 'Lost your phone?',
    remove: 'Remove it',
    continue: 'Continue',
  },

  /** Accounts that have a passkey instead of a password. */
  passwordless: {
    create: 'Create a passkey',
    lead: 'Sign in with your fingerprint, face or screen lock. Nothing to remember.',
    withPassword: 'Use a password instead',
    failed: "Couldn't create the passkey. Try again.",
    eitherTitle: 'Create a passkey or choose a password',
    /** On the reset page, for those who need more than an email. */
    notByEmail:
      "You use two-step verification, so a link by email isn't enough to create a passkey. Sign in with your passkey, or contact your administrator.",
    createdTitle: 'Passkey created',
    created: 'Sign in with your passkey. Sign-in methods added in the last 7 days are paused until you review them.',
    /** After the right password. */
    over: 'Passwords no longer work here. Sign in another way, or create a passkey with a link by email.',
    byEmail: 'Create a passkey by email',
    byEmailLead: "We'll email you a link to create a passkey. It works once and expires in 30 minutes.",
    /** After a sign-in with a password that isn't meant to stay. */
    ask: 'Passkeys are replacing passwords here. With one, you sign in with your fingerprint, face or screen lock.',
    askUntil: (day: string) => `Your password works until ${day}.`,
    notNow: 'Not now',
    remove: 'Remove password',
    removeLead: 'Sign in with your passkey only. You can set a password again at any time.',
    removeFor: "Passwords are no longer used here. You'll sign in with your passkey.",
    removeNeeds: 'To remove your password, add a passkey first, and save your recovery codes or add a second passkey.',
    none: "You don't have a password. You sign in with a passkey.",
    notUsed: "Passwords aren't used here.",
    /** In the review after a passkey has replaced the password. */
    reviewLead: (day: string) =>
      `You created a passkey to get back in on ${day}, and you were signed out on all devices. Check what still has access to your account.`,
    /** In place of the email for a new password. */
    linkEmail: {
      subject: 'Create a passkey',
      text: 'Open this link to create a passkey for your account. It works once and expires in 30 minutes.',
      action: 'Create passkey',
    },
    removedEmail: {
      subject: 'Your password was removed',
      text: 'The password for your account was removed. You sign in with a passkey now, and you were signed out on your other devices.',
    },
    reviewRemoveLead:
      'Remove all sign-in methods except your new passkey, all connected apps and all API keys you created, and sign out on all other devices.',
  },

  signOut: {
    title: (service: string) => `Sign out of ${service}?`,
    askedBy: (app: string) => `${app} asked to sign you out.`,
    text: 'This signs you out in this browser. You may stay signed in to applications you have open.',
    confirm: 'Sign out',
    stay: 'Stay signed in',
    /** Why the browser doesn't go back to the application. */
    noReturn: {
      hint_invalid: notConfirmed,
      client_mismatch: notConfirmed,
      client_missing: "We don't know which application sent you here, so we couldn't send you back to it.",
      unknown_client:
        "The application that sent you here isn't registered with this service, so we didn't send you back.",
      client_revoked: "An administrator has turned off sign-in for this application, so we didn't send you back to it.",
      post_logout_redirect_uri_mismatch:
        "The application asked us to send you to a URL that isn't registered for it. To keep you safe, we stopped here.",
    } satisfies Record<ReturnRefusal, string>,
    noReturnTodo:
      "To go back, open the application yourself. If this keeps happening, contact the app's developer and give them the reference below.",
  },

  /** Signing in with an identity provider. `label` is what the administrator calls it. */
  upstreams: {
    continueWith: (label: string) => `Continue with ${label}`,
    leavingTitle: (label: string) => `Continue to ${label}`,
    leavingText: (label: string) => `You're being redirected to ${label}.`,
    failedTitle: (label: string) => `Couldn't sign in with ${label}`,
    problems: {
      expired: () => 'This sign-in has expired, or it was started in another browser. Start again.',
      canceled: (label: string) => `Sign-in with ${label} was canceled.`,
      unavailable: (label: string) => `${label} can't be used to sign in right now. Sign in another way.`,
      unreachable: (label: string) => `${label} didn't respond. Try again in a few minutes, or sign in another way.`,
      invalid: (label: string) =>
        `${label} sent a response that can't be accepted. Try again. If it keeps happening, contact your administrator.`,
      notFresh: (label: string) =>
        `${label} didn't ask you to sign in again, so this doesn't confirm it's you. Try again.`,
      identityTaken: (label: string) => `This ${label} account is linked to a different account here.`,
      otherPerson: (label: string) => `This ${label} account isn't the one linked to your account.`,
      refused: (label: string) => `You can't sign in here with this ${label} account.`,
    },
    linkTitle: 'You already have an account',
    linkText: (email: string, label: string) =>
      `There's already an account for ${email}. Sign in to it another way first, then link ${label} on its security page.`,
    noAccountTitle: 'No account found',
    noAccountText: (label: string) =>
      `This ${label} account isn't linked to an account here. Sign in another way, then link it on your account's security page.`,
    otherWay: 'Sign in another way',
    tryAgain: (label: string) => `Try again with ${label}`,
  },

  chooseAccount: {
    title: 'Choose an account',
    continueTo: (app: string) => `to continue to ${app}`,
    continue: 'Continue with this account',
    other: 'Use another account',
  },

  noAccess: {
    title: (app: string) => `You don't have access to ${app}`,
    signedInAs: 'Signed in as',
    text: "This account isn't on the application's access list. Ask your administrator for access, or use another account.",
    other: 'Use another account',
    back: (app: string) => `Back to ${app}`,
  },

  consent: {
    title: (app: string) => `Sign in to ${app}`,
    lead: (app: string) => `${app} will receive:`,
    changed: (app: string) => `What ${app} asks for has changed. Review it before you continue.`,
    signedInAs: 'Signed in as',
    notYou: 'Not you?',
    /** `host` is that of the application. */
    returnTo: (host: string) => `You'll be redirected to ${host}.`,
    approve: 'Allow',
    cancel: 'Cancel',
    later: 'You can remove access at any time under Connected apps.',
    noPassword: (app: string) => `${app} never sees your password.`,
  },

  /** What each scope shares with an application, as a heading and in a list. */
  scopes: {
    openid: { heading: 'Your identity', phrase: 'your identity' },
    profile: { heading: 'Your profile', phrase: 'your profile' },
    email: { heading: 'Your email address', phrase: 'your email address' },
  } satisfies Record<Scope, { heading: string; phrase: string }>,
  identityHint: 'A unique ID that lets the application recognize you when you come back',
  accountId: 'Account ID',
  profileChanged: 'Last updated',
  emailUnverified: 'not verified',
  claims: {
    name: 'Name',
    given_name: 'First name',
    family_name: 'Last name',
    preferred_username: 'Username',
    picture: 'Picture',
    locale: 'Language',
  },
  /** What an administrator has an application receive besides, with the person's own values. */
  furtherClaims: {
    /** Beside a value that doesn't come from an administrator. */
    enteredByYou: 'entered by you',
    notSet: 'Not set',
    /** In place of an empty list. */
    none: 'None',
    yes: 'Yes',
    no: 'No',
    /** Behind the first names of a long list, which it opens. */
    more: (count: number) => plural(count, { one: 'and one more', other: `and ${number(count)} more` }),
    /** Closes it again. */
    less: 'Show less',
  },

  apps: {
    lead: "Applications you've signed in to with this account.",
    none: 'No connected apps.',
    noneHint: (service: string) => `Applications you sign in to with ${service} appear here.`,
    sees: 'Can see',
    since: 'Connected',
    lastUsed: 'Last used',
    remove: 'Remove access',
    removeNamed: (app: string) => `Remove access for ${app}`,
    removed: 'Access removed.',
    notConnected: 'That application was already disconnected.',
    removeHint: "After you remove access, you'll be asked for permission the next time you sign in to the application.",
  },

  yourApps: {
    none: 'No apps yet',
    noneHint: 'Applications you can open will appear here.',
    more: 'Show more',
    search: 'Search apps',
    find: 'Search',
    notFound: 'No matching apps',
    all: 'Show all apps',
    profileHint: 'Your name, picture and email address',
    securityHint: 'Your password, passkeys and two-step verification',
  },

  signedOut: {
    elsewhere:
      'You may still be signed in to the service you signed in with. If you share this device, sign out there too.',
    title: "You're signed out",
    text: (service: string) =>
      `You're no longer signed in to ${service} in this browser. You may stay signed in to applications you have open.`,
    again: 'Sign in again',
  },

  /** Access that ends by itself, for the person and for administrators. */
  inactivity: {
    /** In the person's own activity. */
    disabled: 'Account disabled because it wasn’t used',
    email: {
      subject: 'Your account will be disabled soon',
      text: (at: string) =>
        `You haven't used your account for a long time. If you don't sign in or use an application by ${at}, your account will be disabled.`,
      action: 'Sign in to keep your account',
    },
  },

  accessRequests: {
    text: "This account isn't on the application's access list. You can ask for access, or use another account.",
    note: 'Reason (optional)',
    noteHint: (most: number) => `At most ${most} characters. The people who decide about your request can read it.`,
    noteProblem: (most: number) => `Use at most ${most} characters of plain text.`,
    ask: 'Ask for access',
    asked: (day: string) => `You asked for access on ${day}. Your request hasn't been decided yet.`,
    told: "We'll email you when it has been decided.",
    declined: 'Your request was declined. You can ask again after a day.',
    tooMany: "You've sent too many requests today. Try again tomorrow.",
    emails: {
      waiting: {
        subject: 'Requests for access',
        text: 'These people are asking for access:',
        action: 'Review requests',
      },
      allowed: {
        subject: (app: string) => `You have access to ${app}`,
        text: (app: string) => `Your request was approved. You can use ${app} now.`,
        action: (app: string) => `Open ${app}`,
      },
      /** What the person who decided wrote follows the text. */
      declined: {
        subject: 'Your request for access was declined',
        text: (app: string) => `Your request for access to ${app} was declined.`,
        reason: 'The reason given:',
      },
    },
  },

  ends: {
    title: 'End of access',
    own: (at: string) => `Your access ends on ${at}.`,
    line: (what: string, at: string) => `${what}: ${at}`,
    email: {
      subject: 'Your access ends soon',
      text: 'This access ends soon. If you still need it, contact your administrator.',
      account: 'Your account',
      membership: (name: string) => `Membership in the group “${name}”`,
      application: (name: string) => `Access to “${name}”`,
      action: 'Go to your account',
    },
    list: {
      subject: 'Access that ends soon',
      text: 'This access ends in the next 7 days. To extend it, set a new date.',
      account: (person: string) => `${person}, account`,
      membership: (person: string, group: string) => `${person}, group “${group}”`,
      application: (person: string, app: string) => `${person}, application “${app}”`,
      groupApplication: (group: string, app: string) => `Group “${group}”, application “${app}”`,
      more: (count: number) => plural(count, { one: 'And one more.', other: `And ${number(count)} more.` }),
      action: 'See whose access ends soon',
    },
  },

  reviews: {
    due: {
      subject: (name: string) => `Review due soon: ${name}`,
      text: (name: string, at: string) =>
        `The access review “${name}” is due on ${at}. Decide who keeps access to your applications.`,
      left: (count: number) =>
        plural(count, { one: '1 decision is left.', other: `${number(count)} decisions are left.` }),
      action: 'Open the review',
    },
  },
  directories: {
    refused: {
      subject: 'A directory tried to change someone with an admin role',
      text: 'A directory tried to change people who have an admin role. Only administrators can change them, so nothing was changed. Number of requests:',
      after:
        "If someone has left, disable their account. If you didn't expect this, revoke the directory's SCIM token.",
      action: 'View events',
    },
  },

  errors: {
    reference: 'Reference',
    home: 'Go to your account',
    unknownClient: {
      title: 'This sign-in link is invalid',
      text: "The application that sent you here isn't registered with this service. Nothing was shared with it.",
      todo: "Go back to the application and try again. If this keeps happening, contact the app's developer and give them the reference below.",
    },
    redirectUri: {
      title: 'This sign-in link is invalid',
      text: "The application asked us to send you to a URL that isn't registered for it. To keep you safe, we stopped here. Nothing was shared.",
      todo: "Go back to the application and try again. If this keeps happening, contact the app's developer and give them the reference below. An administrator can use it to look up both URLs.",
    },
    clientRevoked: {
      title: 'This application is no longer available',
      text: "An administrator has turned off sign-in for this application. Your account isn't affected.",
      todo: "Contact the app's developer or your administrator.",
    },
    tooManyApprovals: {
      title: 'Too many sign-ins',
      text: "You've signed in to applications too many times in a row. Nothing was shared.",
      todo: "Wait a few seconds, then go back to the application and try again. If it keeps happening, contact the app's developer.",
    },
    tooManyDownloads: {
      title: 'Too many downloads',
      text: 'Another download of your data is still running, or too many people are downloading theirs right now.',
      todo: 'Wait a minute, then try again.',
    },
    formExpired: {
      title: 'This page has expired',
      text: "It was opened in another browser, you've signed in or out since, or your browser blocks cookies. Nothing was changed.",
      todo: 'Go back and start again. If this keeps happening, allow cookies for this site.',
    },
    foreignForm: {
      title: 'This request came from another site',
      text: 'Another site tried to submit this form for you. Nothing was changed.',
      todo: (baseUrl: string) => `If that was you, open ${baseUrl} and try again there.`,
    },
    notAdministrator: {
      title: 'You need admin access',
      text: "Your account can't view this page.",
      todo: 'Ask an administrator for access, or sign in with another account.',
    },
    otherAccount: {
      title: 'This link is for another account',
      text: "You're signed in with a different account than the one that asked for this change. Nothing was changed.",
      todo: 'Sign out, sign in to the other account, and open the link again.',
    },
    badRequest: {
      title: "We couldn't read that request",
      text: 'The request was malformed. Nothing was changed.',
      todo: 'Go back and try again.',
    },
    notFound: {
      title: 'Page not found',
      text: 'The link may be mistyped, or the page may no longer exist.',
      todo: 'Check the URL, or go to your account.',
    },
    methodNotAllowed: {
      title: "That doesn't work here",
      text: "This URL doesn't accept that kind of request.",
      todo: 'Go back and try again.',
    },
    tooLarge: {
      title: "That's too large",
      text: 'The request is larger than this service accepts. Nothing was changed.',
      todo: "Go back and try again. If an application sent you here, contact the app's developer.",
    },
    busy: {
      title: "We're busy right now",
      text: "The service can't respond at the moment. Nothing was changed.",
      todo: 'Wait a few seconds, then reload this page.',
    },
    outcomeUnknown: {
      title: "We can't tell if that worked",
      text: 'We lost the connection to our database while saving. Your change may have been saved.',
      todo: 'Wait a few seconds, then check before you try again.',
    },
    fault: {
      title: 'Something went wrong',
      text: 'The problem is on our side. The error has been logged.',
      todo: 'Try again. If it keeps happening, contact your administrator and give them the reference below.',
    },
  },
};

export type Catalogue = typeof en;
