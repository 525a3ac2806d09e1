// `/api/sign-up-links`: links with which people create an account themselves.

import { Type } from 'typebox';
import {
  createSignUpLink,
  listSignUpLinks,
  revokeSignUpLink,
  type ShownSignUpLink,
  signUpLinkJson,
} from '../../../operations/users/sign-up-links.ts';
import { givenByName } from '../../../protocol/resources/resource.ts';
import { newSignUpLinkFields, signUpLinkFields } from '../../../protocol/resources/sign-up-link.ts';
import { type ApiOperation, nothing, operationsAt, operationsOn } from '../define-operation.ts';
import { creatingBody, shownFields } from '../field-schemas.ts';
import { component, Id, listParts, page, pageOf } from '../schemas.ts';

const SignUpLink = component('SignUpLink', shownFields(signUpLinkFields));
const CreatedSignUpLink = component('CreatedSignUpLink', {
  ...shownFields(signUpLinkFields),
  url: Type.String({ description: "The link to share. You won't be able to see it again." }),
});

const subject = {
  tag: 'people',
  path: '/api/sign-up-links',
  area: 'sign_up',
  data: CreatedSignUpLink,
  json: ({ link, url }: { readonly link: ShownSignUpLink; readonly url: string }) => ({ ...signUpLinkJson(link), url }),
} as const;
const signUpLinks = operationsAt(subject);
const onSignUpLink = operationsOn(subject, { id: Id }, ({ id }) => id);

export const signUpLinkOperations: readonly ApiOperation[] = [
  signUpLinks('listSignUpLinks', 'GET', {
    summary: 'List sign-up links, newest first, and those that ended in the last 30 days',
    query: page,
    data: pageOf(SignUpLink),
    json: listParts(signUpLinkJson),
    message: 'Sign-up links retrieved.',
    run: (services, { query }) => listSignUpLinks(services, query),
  }),
  signUpLinks('createSignUpLink', 'POST', {
    summary: 'Create a link with which people can create an account, in every sign_up mode but closed',
    status: 201,
    powerful: true,
    body: creatingBody(newSignUpLinkFields),
    message: 'Sign-up link created.',
    run: (services, { body }, requester) =>
      createSignUpLink(services, givenByName(newSignUpLinkFields, body), requester),
  }),
  onSignUpLink('revokeSignUpLink', 'DELETE', {
    summary: 'Revoke a sign-up link; accounts that were created with it stay',
    powerful: true,
    ...nothing,
    message: 'Sign-up link revoked.',
    run: revokeSignUpLink,
  }),
];
