// What people search for, and what the documents call it.

const synonyms = new Map<string, readonly string[]>(
  Object.entries({
    '2fa': ['two-step', 'second_factor'],
    'two-factor': ['two-step', 'second_factor'],
    mfa: ['two-step', 'second_factor'],
    totp: ['authenticator'],
    webauthn: ['passkey', 'passkeys'],
    sso: ['provider', 'providers', 'single'],
    saml: ['provider', 'providers'],
    idp: ['provider', 'providers'],
    user: ['person', 'people'],
    users: ['people'],
    app: ['application', 'applications'],
    apps: ['applications'],
    login: ['sign-in'],
    logout: ['sign-out'],
    signup: ['sign-up'],
    lost: ['recovery', 'recovering'],
    nextjs: ['next-auth', 'next.js'],
    gdpr: ['privacy', 'personal'],
    audit: ['events'],
    log: ['events', 'logs'],
    phone: ['authenticator', 'second-factors'],
    device: ['authenticator', 'passkey'],
  }),
);

/** Words that together mean something else than each of them. */
const phrases: readonly { readonly words: readonly string[]; readonly instead: readonly string[] }[] = [
  { words: ['lost', 'phone'], instead: ['recovering', 'accounts'] },
  { words: ['lost', 'device'], instead: ['recovering', 'accounts'] },
];

/** The phrase that the words contain, and the words that documents have in its place. */
export function phraseIn(words: readonly string[]) {
  return phrases.find((phrase) => phrase.words.every((word) => words.includes(word)));
}

export function synonymsOf(word: string): readonly string[] {
  return synonyms.get(word) ?? [];
}
