// What people read when they need a second factor: on the way in, or in a session that was started without one. Part of
// the catalogue in messages.ts.

export const secondFactorMessages = {
  setUpTitle: 'Set up two-step verification',
  setUpLead: 'You need an authenticator app to sign in here.',
  setUpLeadFor: (app: string) => `You need an authenticator app to continue to ${app}.`,
  scan: 'Scan this QR code with your authenticator app.',
  alt: 'QR code with the key for your authenticator app',
  orType: 'Or enter this key in the app:',
  code: '6-digit code from the app',
  password: 'Current password',
  passwordHint: "Confirm it's you.",
  submit: 'Turn on and continue',
  wrongCode: "That code is incorrect. Codes change every 30 seconds, so check that your phone's clock is right.",
  verifyTitle: 'Two-step verification',
  verifyLead: 'Enter the code from your authenticator app, or a recovery code.',
  verifyLeadPasskeyOnly: 'Use your passkey, or enter a recovery code.',
  signingInAs: (email: string) => `Signing in as ${email}.`,
  signedInAs: (email: string) => `Signed in as ${email}.`,
  signOut: 'Sign out',
  codesTitle: 'Save your recovery codes',
  codesLead:
    "Each one signs you in once if you don't have your device. Print them or write them down now. You won't be able to see them again.",
  codesDone: "I've saved my recovery codes",
};
