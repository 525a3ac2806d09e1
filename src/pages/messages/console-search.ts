// The console's one search. Part of console.ts.

const showAll = (what: string) => (count: string) => (count === '' ? `Show all ${what}` : `Show all ${count} ${what}`);

export const searchMessages = {
  /** Above the field, for screen readers, and in it. */
  label: 'Search the console',
  hint: 'People, applications, groups, settings, documents, references',
  /** Beside the link that opens it. */
  key: '/',
  failed: "The search didn't answer. Press Enter to try again.",
  none: (text: string) => `Nothing matches “${text}”.`,
  found: (count: number) => (count === 1 ? '1 result shown' : `${count} results shown`),
  settingsOf: (tab: string) => `Settings: ${tab}`,
  groups: {
    people: 'People',
    applications: 'Applications',
    groups: 'Groups',
    events: 'Events with this reference',
    actions: 'Actions',
    pages: 'Pages',
    settings: 'Settings',
    documents: 'Documents',
  },
  /** What people type who look for something that's called otherwise here. They aren't shown. */
  keywords: {
    pages: {
      applications: 'clients apps services relying party oauth oidc redirect uri client id secret',
      people: 'users accounts members directory export',
      groups: 'teams roles access',
      reviews: 'recertification attestation access review compliance',
      events: 'audit log logs history activity trail siem',
      keys: 'tokens automation terraform',
      scim: 'provisioning directory sync okta entra azure',
      providers: 'sso saml single sign-on federation social login google entra azure okta idp upstream',
      webhooks: 'notifications events http callback',
      overview: 'dashboard home statistics charts',
      settings: 'configuration preferences options',
      signIn: 'login authentication password policy mfa 2fa passwordless',
      accounts: 'registration sign-up signup self-service dormant unused inactive',
      sessions: 'timeout idle remember me keep signed in cookie',
      directory: 'scim provisioning username',
      branding: 'branding brand logo color colour theme favicon css look custom',
      attributes: 'custom fields profile claims metadata schema',
      console: 'checklist retention',
    },
    actions: {
      application: 'client app register oauth oidc service',
      person: 'user account',
      invite: 'invitation user person account',
      signUpLink: 'registration signup invite',
      group: 'team role',
      review: 'start recertification access review',
      key: 'token automation',
      scim: 'directory provisioning okta entra azure',
      provider: 'sso saml google entra azure okta login idp upstream',
      webhook: 'endpoint notification',
      attribute: 'custom field',
    },
  },
  /** `count` is empty where they aren't counted. */
  all: {
    people: showAll('people'),
    applications: showAll('applications'),
    groups: showAll('groups'),
    events: showAll('events'),
    documents: showAll('documents'),
  },
};
