// SCIM tokens, as administrators manage them.

import { text } from '../../protocol/resources/field.ts';
import { newScimTokenFields, scimTokenFields } from '../../protocol/resources/scim-token.ts';
import { defineSubject, onceText } from '../admin/subject.ts';
import { createScimToken, listScimTokens, revokeScimToken } from './scim-tokens.ts';

export const scimTokens = defineSubject({
  one: 'SCIM token',
  many: 'SCIM tokens',
  area: 'scim_tokens',
  api: '/api/scim-tokens',
  console: '/admin/scim-tokens',
  command: 'scim-token',
  completes: async (storage) => (await storage.listScimTokens()).map(({ id, name }) => [id, name]),
  about: 'A SCIM token lets a directory, such as Entra ID or Okta, manage its people and groups at /scim/v2.',
  fields: scimTokenFields,
  shown: ({ token, secret }) => ({ ...token, ended: false, secret }),
  list: {
    about: ', newest first',
    read: { all: listScimTokens },
    columns: {
      ID: 'id',
      TOKEN: ({ lastFour }) => (lastFour === null ? '' : `…${lastFour}`),
      STATUS: ({ ended }) => (ended ? 'expired' : 'active'),
      SOURCE: 'source',
      ADOPTS: 'adopt',
      UPSTREAM: ({ upstream, subjectClaim }) => (upstream === null ? '' : `${upstream} (${subjectClaim})`),
      CREATED: 'created_at',
      EXPIRES: 'expires_at',
      'LAST USED': 'last_used_at',
      NAME: 'name',
    },
  },
  create: {
    does: 'create a SCIM token for a directory',
    proof: true,
    fields: newScimTokenFields,
    once: {
      token: text({
        description: "The SCIM token. You won't be able to see it again.",
        property: 'secret',
        settable: 'never',
      }),
    },
    run: createScimToken,
    says: ({ token: { id, name, source }, secret: token }, { issuer }) =>
      onceText(
        `Created SCIM token ${JSON.stringify(name)} for the source ${source}.`,
        { id, url: `${issuer}/scim/v2`, token },
        'token',
      ),
    examples: [
      'latchkey scim-token create --source entra --name Production',
      'latchkey scim-token create --source okta --name Okta --adopt --days 365',
      'latchkey scim-token create --source entra --name Entra --upstream company --subject-claim oid',
    ],
  },
  actions: {
    revoke: {
      does: 'revoke a SCIM token; people and groups of its source stay',
      done: 'revoked',
      deletes: true,
      proof: true,
      run: revokeScimToken,
      says: ({ key }) => `Revoked SCIM token ${key}. It no longer works.`,
    },
  },
});
