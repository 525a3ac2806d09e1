// What the commands about one client share.

export const clientArgument = { clientId: { label: '<client_id>', completes: 'client' } } as const;

export const redirectRules =
  'A redirect URI uses https, http on loopback, or (with --public) a private-use scheme such as com.example.app:/callback. The ' +
  'same rules apply to a post-logout redirect URI. Links to pages use https, or http on loopback.';
