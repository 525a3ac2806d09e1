// `/api/applications`: registering clients, changing them, and revoking them.

import { Type } from 'typebox';
import { clientJson } from '../../../operations/clients/client-json.ts';
import {
  clientDetails,
  clientSorts,
  createClient,
  listClients,
  rotateClientSecret,
  updateClient,
} from '../../../operations/clients/clients.ts';
import { type GivenOwners, ownersJson, readOwners, updateClientAndOwners } from '../../../operations/clients/owners.ts';
import { clientActions as actions } from '../../../operations/clients/subject.ts';
import {
  type ApplicationPreview,
  previewApplication,
  previewJson,
} from '../../../operations/oauth/preview-application.ts';
import { clientFields } from '../../../protocol/resources/client.ts';
import { givenByName } from '../../../protocol/resources/resource.ts';
import type { Client } from '../../../storage/storage.ts';
import { type ApiOperation, nothing, ofAction, operationsAt, operationsOn, strict } from '../define-operation.ts';
import { changingBody, creatingBody, namesProtected, shownFields } from '../field-schemas.ts';
import {
  component,
  counted,
  foundPageOf,
  Id,
  LastFour,
  listParts,
  nullable,
  page,
  Subjects,
  search,
  sortedBy,
  Text,
  Time,
} from '../schemas.ts';

const application = {
  ...shownFields(clientFields),
  secrets: Type.Array(Type.Object({ last_four: LastFour, created_at: Time, last_used_at: nullable(Time) }), {
    description: 'Newest first. A secret itself is shown once, when it is created.',
  }),
};
const Application = component('Application', application);
const Named = Type.Array(Type.Object({ id: Text, name: Text }));
const owners = {
  owners: Type.Object(
    { people: Named, groups: Named },
    { description: 'Who decides who has access: people, and protected groups, whose members do.' },
  ),
};
const givenOwners = {
  owners: Type.Optional(
    Type.Object(
      { people: Type.Optional(Subjects), groups: Type.Optional(Subjects) },
      {
        ...strict,
        description: 'People by ID or email address, groups by ID or name. Each given list replaces the previous one.',
      },
    ),
  ),
};
const ApplicationDetails = component('ApplicationDetails', {
  ...application,
  ...owners,
  people: Type.Integer({ minimum: 0, description: 'Number of people with an active consent, counted up to 10,000.' }),
});
const ApplicationWithSecret = component('ApplicationWithSecret', {
  ...application,
  client_secret: nullable(Type.String({ description: 'Shown once; null if no secret was created.' })),
});
const ChangedApplication = component('ChangedApplication', {
  ...application,
  ...owners,
  client_secret: nullable(Type.String({ description: 'Shown once; null if no secret was created.' })),
});

const Claims = (description: string) => Type.Record(Text, Type.Unknown(), { description });
const ClaimsPreview = component('ClaimsPreview', {
  userinfo: Claims('What userinfo responds with.'),
  id_token: Claims('What the ID token has, without what belongs to one sign-in.'),
});

const withSecret = ({ client, secret }: { client: Client; secret: string | undefined }) => ({
  ...clientJson(client),
  client_secret: secret ?? null,
});

const subject = {
  tag: 'applications',
  path: '/api/applications',
  area: 'applications',
  data: Application,
  json: ({ client }: { readonly client: Client }) => clientJson(client),
} as const;
const clients = operationsAt(subject);
const onClient = operationsOn(subject, { client_id: Id }, ({ client_id }) => client_id);

const ownerFilter = {
  owner: Type.Optional(
    Type.String({
      maxLength: 320,
      description:
        'Only those that this person owns, by ID, email address or username; none for those without an owner.',
    }),
  ),
};
const needsProof = namesProtected(clientFields);

export const clientOperations: readonly ApiOperation[] = [
  clients('listClients', 'GET', {
    summary: 'List applications, newest first; with a search, in the order of the matching words',
    query: { ...search, ...sortedBy(clientSorts), ...ownerFilter, ...page, ...counted },
    data: foundPageOf(Application),
    message: 'Applications retrieved.',
    run: (services, { query }) => listClients(services, { ...query, total: query.total === 'yes' }),
    json: listParts((client: Client) => clientJson(client)),
  }),
  clients('createApplication', 'POST', {
    summary: "Register an application; the response contains its secret, which isn't shown again",
    status: 201,
    body: creatingBody(clientFields),
    data: ApplicationWithSecret,
    message: 'Application created.',
    run: (services, { body }, requester) => createClient(services, givenByName(clientFields, body), requester),
    json: withSecret,
  }),
  onClient('getApplication', 'GET', {
    summary: 'Read an application',
    data: ApplicationDetails,
    message: 'Application retrieved.',
    run: async (services, id) => {
      const found = await clientDetails(services, id);
      return found.kind === 'refused' ? found : { ...found, owners: await readOwners(services, id) };
    },
    json: ({ client, users, owners }) => ({
      ...clientJson(client),
      owners: ownersJson(owners),
      people: users.count,
    }),
  }),
  onClient('updateApplication', 'PATCH', {
    summary:
      "Change the given members; an application that becomes confidential gets a secret, which isn't shown again",
    powerful: (body) => needsProof(body) || 'owners' in body,
    body: changingBody(clientFields, givenOwners),
    data: ChangedApplication,
    message: 'Application updated.',
    run: (services, id, requester, { body }) => {
      // Checked against the schema.
      const { owners } = body as { readonly owners?: GivenOwners };
      return updateClientAndOwners(services, id, givenByName(clientFields, body), owners, requester);
    },
    json: ({ owners, ...changed }) => ({ ...withSecret(changed), owners: ownersJson(owners) }),
  }),
  onClient('previewClaims', 'GET /preview', {
    right: 'applications.preview',
    summary: 'Show what an application would receive about a person; each preview is recorded',
    query: {
      person: Type.String({ maxLength: 300, description: 'The ID or email address of the person.' }),
      scope: Type.Optional(
        Type.String({ maxLength: 1000, description: 'What the application asks for. All of its scopes if left out.' }),
      ),
    },
    data: ClaimsPreview,
    message: 'Preview created.',
    run: (services, id, requester, { query: { person, scope } }) =>
      previewApplication(services, id, person, scope, requester),
    json: (previewed: ApplicationPreview) => previewJson(previewed),
  }),
  onClient('setApplicationLogo', 'PUT /logo', {
    summary: 'Set the logo: the body is a PNG, JPEG or WebP image of at most 512 KB',
    takesImage: true,
    message: 'Logo updated.',
    run: (services, id, requester, { bytes: logo }) => updateClient(services, id, { logo }, requester),
  }),
  onClient('removeApplicationLogo', 'DELETE /logo', {
    summary: 'Remove the logo',
    message: 'Logo removed.',
    run: (services, id, requester) => updateClient(services, id, { logo: null }, requester),
  }),
  onClient('rotateApplicationSecret', 'POST /secrets', {
    summary: "Create a new secret, which isn't shown again; the previous one keeps working, an older one stops",
    powerful: true,
    status: 201,
    data: ApplicationWithSecret,
    json: withSecret,
    message: 'Secret rotated.',
    run: rotateClientSecret,
  }),
  onClient('retireApplicationSecret', 'DELETE /secrets/old', ofAction('application', actions['retire-secret'])),
  onClient('revokeApplication', 'POST /revoke', ofAction('application', actions.revoke)),
  onClient('restoreApplication', 'POST /restore', ofAction('application', actions.restore)),
  onClient('deleteApplication', 'DELETE', { ...ofAction('application', actions.delete), ...nothing }),
];
