// The API from outside. Calls follow the OpenAPI document that the service serves, and so must every response.

import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { createApiKey } from '../../src/operations/api-keys/api-keys.ts';
import { createAttribute, deleteAttribute, listAttributes } from '../../src/operations/attributes/attributes.ts';
import { changeAllowed } from '../../src/operations/clients/access-list.ts';
import { createGroup } from '../../src/operations/groups/groups.ts';
import { workOnReviews } from '../../src/operations/reviews/review-work.ts';
import { createReview } from '../../src/operations/reviews/reviews.ts';
import { createScimToken } from '../../src/operations/scim/scim-tokens.ts';
import { inviteUser } from '../../src/operations/users/invitations.ts';
import { createSignUpLink } from '../../src/operations/users/sign-up-links.ts';
import { createUser } from '../../src/operations/users/users.ts';
import type { Group } from '../../src/storage/storage.ts';
import { ask } from './access-requests.ts';
import { png } from './account.ts';
import { newWaiting } from './approval.ts';
import { upstreamExamples } from './discovery.ts';
import { Person } from './person.ts';
import { obtainTokens } from './relying-party.ts';
import { requester, type TestService, type TestUser } from './service.ts';
import { webhookExamples } from './webhooks.ts';

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly security: Record<string, string[]>[];
  readonly responses: Record<string, { content?: object; $ref?: string }>;
}

export interface Input {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly body?: unknown;
  readonly raw?: { readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> | string };
}

/** Every member of a response that some test looks at. The document says which response has which of them. */
export interface Data {
  readonly items: readonly Data[];
  readonly next_cursor: string | null;
  readonly truncated?: true;
  readonly total?: { readonly count: number; readonly more: boolean };
  readonly previous_cursor: string | null;
  readonly id: string;
  readonly kind: string;
  readonly at: string;
  readonly address: string;
  readonly explanation: string;
  readonly client_id: string;
  readonly client_deleted_at: string | null;
  readonly contact_email: string | null;
  readonly default_groups: readonly string[];
  readonly client_secret: string;
  readonly secrets: readonly unknown[];
  readonly name: string;
  readonly given_name: string;
  readonly family_name: string;
  readonly preferred_username: string;
  readonly email: string;
  readonly managed_by: string | null;
  readonly post_logout_redirect_uris: readonly string[];
  readonly scopes: readonly string[];
  readonly url: string;
  readonly csrf_token: string;
  readonly created_at: string;
  readonly revoked_at: string | null;
  readonly pending_since: string | null;
  readonly disabled_at: string | null;
  readonly expires_at: string | null;
  readonly membership_expires_at: string | null;
  readonly allowed_until: Readonly<Record<'people' | 'groups', Readonly<Record<string, string>>>>;
  readonly public: boolean;
  readonly logo: boolean;
  readonly admin: boolean;
  readonly roles: readonly string[];
  readonly administrator: boolean;
  readonly current: boolean;
  readonly people: number;
  readonly access: string;
  readonly allowed: { readonly people: readonly string[]; readonly groups: readonly string[] };
  readonly sessions: number;
  readonly applications: number;
  readonly ended: number;
  readonly second_factors: object;
  readonly second_factor: string;
  readonly day: Series;
  readonly month: Series;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly warnings: readonly { readonly kind: string }[];
}

interface Series {
  readonly sign_ins: readonly number[];
  readonly step_seconds: number;
}

interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly servers: readonly object[];
  readonly components: { readonly securitySchemes: Readonly<Record<string, { readonly name?: string }>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
}

export interface DescribedOperation extends Pick<Operation, 'security' | 'responses'> {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: { readonly content?: Record<string, { readonly schema?: { readonly properties?: object } }> };
}

/** Of a download, whose message is all that was sent. */
const noData = {} as Data;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly success: boolean;
  readonly message: string;
  readonly data: Data;
}

export class Api {
  readonly operations: ReadonlyMap<string, Operation>;
  readonly document: OpenApiDocument;
  /** The operations that have succeeded at least once. */
  readonly succeeded = new Set<string>();
  readonly #service: TestService;
  readonly #validators: Validators;

  private constructor(service: TestService, document: OpenApiDocument) {
    this.#service = service;
    this.document = document;
    this.#validators = validatorsOf(document);
    const found = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]): [string, Operation] => [
        described.operationId,
        { ...described, id: described.operationId, method: method.toUpperCase(), path },
      ]),
    );
    this.operations = new Map(found);
    assert.equal(this.operations.size, found.length, 'operations have names of their own');
  }

  static async of(service: TestService): Promise<Api> {
    const response = await fetch(`${service.url}/api/openapi.json`);
    assert.equal(response.status, 200);
    return new Api(service, (await response.json()) as OpenApiDocument);
  }

  async call(operationId: string, caller: ApiCaller, input: Input = {}): Promise<Answer> {
    const operation = this.operations.get(operationId);
    assert.ok(operation, `there is no operation ${operationId}`);
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(input.params?.[name] ?? ''));
    const query = input.query === undefined ? '' : `?${new URLSearchParams(input.query)}`;
    const answer = await this.send(operation.method, path + query, caller, input);
    const code = operation.responses[answer.status] === undefined ? 'default' : String(answer.status);
    if (answer.data !== noData) this.#check(operation, code, answer);
    if (answer.success) this.succeeded.add(operationId);
    return answer;
  }

  async send(method: string, path: string, caller: ApiCaller, { body, raw }: Input = {}): Promise<Answer> {
    const type = raw?.type ?? (body === undefined ? undefined : 'application/json');
    const response = await fetch(this.#service.url + path, {
      method,
      headers: { ...caller.headers(method), ...(type !== undefined && { 'Content-Type': type }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(raw !== undefined && { body: raw.bytes }),
    });
    const { status, headers } = response;
    if (!/^application\/json/.test(headers.get('content-type') ?? '')) {
      // A download is no envelope.
      assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="[\w.-]+"$/);
      assert.equal(headers.get('cache-control'), 'no-store');
      return { success: response.ok, message: await response.text(), data: noData, status, headers };
    }
    const envelope = (await response.json()) as Answer;
    assert.deepEqual(Object.keys(envelope), ['success', 'message', 'data'], path);
    assert.equal(envelope.success, response.ok, path);
    assert.match(envelope.message, /^[^\n]+\.$/, path);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.headers.get('access-control-allow-origin'), null);
    return { ...envelope, status, headers };
  }

  /** Fails unless the response is what the document says for this status. */
  #check(operation: Operation, code: string, { success, message, data }: Answer): void {
    const place = ['paths', operation.path, operation.method.toLowerCase(), 'responses', code];
    const response = operation.responses[code]?.$ref ?? `#/${place.map(escaped).join('/')}`;
    const { ajv, compiled } = this.#validators;
    // Those for failures are the same for every operation.
    const validate = compiled.get(response) ?? ajv.compile({ $ref: `api${response}/content/application~1json/schema` });
    compiled.set(response, validate);
    assert.ok(validate({ success, message, data }), `${operation.id} ${code}: ${ajv.errorsText(validate.errors)}`);
  }
}

interface Validators {
  readonly ajv: Ajv2020;
  /** By the place of a response in the document. */
  readonly compiled: Map<string, ValidateFunction>;
}

/** Compiling takes longer than all calls of most files, and the services of a process have the same responses. */
const validators = new Map<string, Validators>();

function validatorsOf({ paths, components }: OpenApiDocument): Validators {
  const schema = { paths, components: { ...components, securitySchemes: {} } };
  const text = JSON.stringify(schema);
  const known = validators.get(text);
  if (known !== undefined) return known;
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
  const formats = { 'date-time': time };
  // What is compiled is used a few times, so it should be small rather than fast.
  const quickly = { inlineRefs: false, code: { optimize: false } };
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats, ...quickly });
  const own = structuredClone(schema);
  refuseUnknownMembers(own);
  ajv.addSchema(own, 'api');
  const made = { ajv, compiled: new Map<string, ValidateFunction>() };
  validators.set(text, made);
  return made;
}

/** Who calls: with an API key, with a session, or with nothing. */
export interface ApiCaller {
  headers(method: string): Record<string, string>;
}

export const anonymous: ApiCaller = { headers: () => ({}) };

export function withBearer(secret: string): ApiCaller {
  return { headers: () => ({ Authorization: `Bearer ${secret}` }) };
}

export interface KeyCaller extends ApiCaller {
  readonly id: string;
}

export async function newKey(service: TestService, permission = 'write'): Promise<KeyCaller> {
  const input = { name: 'Test', permission, days: undefined };
  const made = await createApiKey(service.running.services, input, requester);
  if (made.kind === 'refused') throw new Error(made.problems[0].says);
  return { ...withBearer(made.secret), id: made.key.id };
}

export interface SignedInCaller extends ApiCaller {
  readonly user: TestUser;
  readonly csrfToken: string;
  readonly cookie: string;
}

export async function withSession(service: TestService, user: TestUser): Promise<SignedInCaller> {
  const person = new Person(service);
  await person.signIn(user);
  const { data } = (await (await person.request('/api/me')).json()) as { data: { csrf_token: string } };
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const csrfToken = data.csrf_token;
  const change = { 'X-CSRF-Token': csrfToken, Origin: service.baseUrl ?? service.url };
  return { user, csrfToken, cookie, headers: (method) => ({ Cookie: cookie, ...(method !== 'GET' && change) }) };
}

async function anInvitation(service: TestService): Promise<Input> {
  const email = `guest${++guests}@example.test`;
  const invited = await inviteUser(service.running.services, { email, name: '' }, requester);
  if (invited.kind === 'refused') throw new Error(invited.problems[0].says);
  return { body: { email } };
}

async function aSignUpLink(service: TestService): Promise<string> {
  const made = await createSignUpLink(service.running.services, {}, requester);
  if (made.kind === 'refused') throw new Error(made.problems[0].says);
  return made.link.id;
}

let groups = 0;

async function newGroup(service: TestService): Promise<Group> {
  const made = await createGroup(service.running.services, { name: `Group ${++groups}` }, requester);
  if (made.kind === 'refused') throw new Error(made.problems[0].says);
  return made.group;
}

/** There can only be a few. */
async function makeRoom({ running: { services } }: TestService): Promise<void> {
  const attributes = await listAttributes(services);
  if (attributes.length < 40) return;
  for (const { name } of attributes) await deleteAttribute(services, name, requester, true);
}

async function anAttribute(service: TestService): Promise<Input> {
  await makeRoom(service);
  const input = { name: `attribute_${++guests}`, label: 'An attribute', kind: 'text' };
  const made = await createAttribute(service.running.services, input, requester);
  if (made.kind === 'refused') throw new Error(made.problems[0].says);
  return { params: { name: made.attribute.name } };
}

async function aGroup(service: TestService): Promise<Input> {
  return { params: { id: (await newGroup(service)).id } };
}

async function aReview(service: TestService): Promise<Input> {
  const { services } = service.running;
  const { id } = await service.newClient();
  const made = await createReview(services, { name: 'Access', due_at: '30d', applications: [id] }, requester);
  if (made.kind === 'refused') throw new Error(made.problems[0].says);
  // What fills it in the background changes nothing later.
  while ((await services.storage.findAccessReview(made.review.id))?.status === 'filling') {
    await workOnReviews(services, 'example');
  }
  return { params: { id: made.review.id } };
}

/** With an item about somebody else than the caller. */
async function aFilledReview(service: TestService): Promise<{ id: string; item: string }> {
  const { services } = service.running;
  const { id: clientId } = await service.newClient({ access: 'listed' });
  const { id: person } = await service.newUser();
  await changeAllowed(services, clientId, 'allow', { people: [person], groups: [] }, requester);
  const given = { name: 'Access', due_at: '30d', applications: [clientId] };
  const made = await createReview(services, given, requester);
  if (made.kind === 'refused') throw new Error(made.problems[0].says);
  const { id } = made.review;
  for (;;) {
    await workOnReviews(services, 'example');
    const { items } = await services.storage.pageReviewItems(id, { after: undefined, limit: 1 }, {});
    const review = await services.storage.findAccessReview(id);
    if (review?.status === 'open' && items[0] !== undefined) return { id, item: items[0].id };
  }
}

/** Input with which each operation succeeds; `user` is the caller, or stands in for one. */
export const examples: Record<string, (service: TestService, user: TestUser) => Promise<Input>> = {
  listClients: async () => ({ query: { search: 'te', limit: '3' } }),
  createApplication: async () => ({ body: { name: 'Calendar', redirect_uris: ['https://calendar.example/cb'] } }),
  getApplication: anApplication,
  updateApplication: async (service) => ({ ...(await anApplication(service)), body: { name: 'Another name' } }),
  previewClaims: async (service) => ({
    ...(await anApplication(service)),
    query: { person: (await service.newUser()).id, scope: 'openid profile' },
  }),
  listPeopleWithAccess: anApplication,
  downloadPeopleWithAccess_csv: anApplication,
  downloadPeopleWithAccess_jsonl: anApplication,
  listApplicationEvents: anApplication,
  checkAccess: async (service) => ({
    ...(await anApplication(service)),
    query: { person: (await service.newUser()).id },
  }),
  deleteApplication: anApplication,
  setBrandImage: async () => ({
    params: { image: 'favicon' },
    raw: { type: 'image/png', bytes: png },
  }),
  removeBrandImage: async () => ({ params: { image: 'favicon' } }),
  setApplicationLogo: async (service) => ({
    ...(await anApplication(service)),
    raw: { type: 'image/png', bytes: png },
  }),
  removeApplicationLogo: anApplication,
  rotateApplicationSecret: anApplication,
  async retireApplicationSecret(service) {
    const client = await service.newClient();
    const { storage, clock, journal } = service.running.services;
    const event = journal.event({ kind: 'client_secret_rotated', clientId: client.id }, requester);
    await storage.rotateClientSecret(client.id, { digest: 'another-digest', lastFour: 'ab12' }, clock.now(), event);
    return { params: { client_id: client.id } };
  },
  revokeApplication: anApplication,
  async restoreApplication(service) {
    const client = await service.newClient();
    const { storage, clock, journal } = service.running.services;
    const event = journal.event({ kind: 'client_revoked', clientId: client.id }, requester);
    await storage.revokeClient(client.id, clock.now(), event);
    return { params: { client_id: client.id } };
  },

  getAccess: anApplication,
  setAccess: async (service) => ({
    ...(await anApplication(service)),
    body: {
      access: 'listed',
      allowed: { people: [(await service.newUser()).email], groups: [] },
      allowed_until: { people: {}, groups: {} },
    },
  }),
  allowAccess: async (service) => ({
    ...(await anApplication(service)),
    body: {
      people: [(await service.newUser()).id],
      groups: [(await newGroup(service)).name],
      expires_at: '2099-12-31',
    },
  }),
  disallowAccess: async (service) => ({
    ...(await anApplication(service)),
    body: { people: [(await service.newUser()).email] },
  }),

  listReviews: async () => ({ query: { limit: '2' } }),
  createReview: async (service) => ({
    body: { name: 'Access in 2027', due_at: '30d', applications: [(await service.newClient()).id] },
  }),
  getReview: aReview,
  updateReview: async (service) => ({ ...(await aReview(service)), body: { due_at: '60d' } }),
  deleteReview: aReview,
  listReviewItems: aReview,
  downloadReviewItems_csv: aReview,
  downloadReviewItems_jsonl: aReview,
  decideReviewItems: async (service) => {
    const { id, item } = await aFilledReview(service);
    return { params: { id }, body: { ids: [item], decision: 'keep' } };
  },
  closeReview: async (service) => ({ params: { id: (await aFilledReview(service)).id } }),
  listGroups: async () => ({ query: { limit: '2' } }),
  listScimTokens: async () => ({}),
  createScimToken: async () => ({ body: { source: 'entra', name: 'Production', days: 30 } }),
  revokeScimToken: async (service) => {
    const made = await createScimToken(service.running.services, { source: 'okta', name: 'Okta' }, requester);
    if (made.kind === 'refused') throw new Error(made.problems[0].says);
    return { params: { id: made.token.id } };
  },
  listApiKeys: async () => ({}),
  createApiKey: async () => ({ body: { name: 'Reports', roles: ['auditor'] } }),
  revokeApiKey: async (service) => {
    const made = await createApiKey(service.running.services, { name: 'Short-lived' }, requester);
    if (made.kind === 'refused') throw new Error(made.problems[0].says);
    return { params: { id: made.key.id } };
  },
  createGroup: async () => ({ body: { name: `Group ${++groups}` } }),
  getGroup: aGroup,
  renameGroup: async (service) => ({ ...(await aGroup(service)), body: { name: `Group ${++groups}` } }),
  deleteGroup: aGroup,
  listGroupMembers: aGroup,
  downloadGroupMembers_csv: aGroup,
  downloadGroupMembers_jsonl: aGroup,
  addToGroup: async (service) => ({
    ...(await aGroup(service)),
    body: { people: [(await service.newUser()).email], expires_at: '30d' },
  }),
  removeFromGroup: async (service) => ({
    ...(await aGroup(service)),
    body: { people: [(await service.newUser()).email] },
  }),

  listAttributes: async () => ({}),
  async createAttribute(service) {
    await makeRoom(service);
    return { body: { name: `attribute_${++guests}`, label: 'An attribute', kind: 'list', values: ['a', 'b'] } };
  },
  getAttribute: anAttribute,
  updateAttribute: async (service) => ({ ...(await anAttribute(service)), body: { editable_by: 'person' } }),
  deleteAttribute: async (service) => ({ ...(await anAttribute(service)), query: { force: 'true' } }),

  listUsers: async () => ({ query: { limit: '2' } }),
  importPeople: async () => ({
    body: { from: 'csv', people: [{ id: `old|${++guests}`, email: `imported${guests}@example.test` }] },
  }),
  createPerson: async () => ({ body: { email: `new${++guests}@example.test`, name: 'A Person' } }),
  updatePerson: async (service) => ({ ...(await aPerson(service)), body: { name: 'Another Name', given_name: null } }),
  async verifyPersonEmail(service) {
    const { services } = service.running;
    const input = { email: `new${++guests}@example.test`, name: 'A Person', emailVerified: false, admin: false };
    const made = await createUser(services, { ...input, password: 'unverified so far' }, requester);
    if (made.kind === 'refused') throw new Error(made.problems[0].says);
    return { params: { id: made.user.id } };
  },
  listInvitations: async () => ({ query: { limit: '2' } }),
  resendInvitation: anInvitation,
  withdrawInvitation: anInvitation,
  downloadPeople_csv: async () => ({ query: { search: 'te', sort: '-name' } }),
  downloadPeople_jsonl: async () => ({ query: { sort: 'last_sign_in' } }),
  downloadEvents_csv: async () => ({ query: { kind: 'signed_in' } }),
  downloadEvents_jsonl: async () => ({ query: { failures: 'yes' } }),
  async inviteUser(service) {
    const body = { email: `guest${++guests}@example.test`, name: 'A Guest' };
    return { body: { ...body, groups: [(await newGroup(service)).name], account_expires_at: '2099-12-31' } };
  },
  listSignUpLinks: async (service) => {
    await aSignUpLink(service);
    return { query: { limit: '2' } };
  },
  createSignUpLink: async (service) => ({
    body: { uses: 20, days: 14, groups: [(await newGroup(service)).name], note: 'For the workshop' },
  }),
  revokeSignUpLink: async (service) => ({ params: { id: await aSignUpLink(service) } }),
  getPerson: aPerson,
  deletePerson: aPerson,
  disablePerson: aPerson,
  async enablePerson(service) {
    const { id } = await service.newUser();
    const { storage, clock, journal } = service.running.services;
    await storage.disableUser(id, clock.now(), journal.event({ kind: 'user_disabled', userId: id }, requester));
    return { params: { id } };
  },
  approvePerson: async (service) => ({ params: { id: (await newWaiting(service)).id } }),
  declinePerson: async (service) => ({
    params: { id: (await newWaiting(service)).id },
    body: { message: 'Please use your work email address.' },
  }),
  listAccessRequests: async () => ({ query: { status: 'open', application: 'shop' } }),
  allowAccessRequest: async (service) => ({ params: { id: (await ask(service)).id }, body: { expires_at: '90d' } }),
  declineAccessRequest: async (service) => ({ params: { id: (await ask(service)).id }, body: { reason: 'Not yet.' } }),
  makeAdministrator: aPerson,
  removeAdministrator: async (service) => ({ params: { id: (await service.newUser({ admin: true })).id } }),
  sendPasswordReset: aPerson,
  endPersonSessions: aPerson,
  async removeSecondFactors(service) {
    const { id } = await service.newUser();
    const { storage, clock, journal } = service.running.services;
    const event = journal.event({ kind: 'authenticator_added', userId: id }, requester);
    await storage.enableAuthenticator(id, { sealedSecret: 'sealed', lastStep: 0 }, ['digest'], clock.now(), event);
    return { params: { id } };
  },
  makeRecoveryLink: aPerson,
  listPersonApplications: aPerson,
  listPersonSessions: aPerson,

  listEvents: async () => ({ query: { kind: 'client_created', since: '2020-01-01T00:00:00Z', limit: '5' } }),
  getOverview: async () => ({}),

  getSettings: async () => ({}),
  updateSettings: async () => ({ body: { session_hours: 12 } }),
  ...upstreamExamples,
  ...webhookExamples,

  getMe: async () => ({}),
  getProfile: async () => ({}),
  updateProfile: async () => ({ body: { given_name: 'Amazing', locale: 'en' } }),
  listMyApplications: async () => ({}),
  listMyOwnedApplications: async () => ({}),
  async removeMyApplication(service, user) {
    const client = await service.newClient();
    await obtainTokens(service, client, user);
    return { params: { client_id: client.id } };
  },
  listMySessions: async () => ({}),
  async endMySession(service, user) {
    const other = await withSession(service, user);
    const response = await fetch(`${service.url}/api/me/sessions`, { headers: other.headers('GET') });
    const { data } = (await response.json()) as { data: { items: { id: string; current: boolean }[] } };
    return { params: { id: data.items.find(({ current }) => current)?.id ?? '' } };
  },
  endMyOtherSessions: async () => ({}),
};

let guests = 0;

async function anApplication(service: TestService): Promise<Input> {
  return { params: { client_id: (await service.newClient()).id } };
}

async function aPerson(service: TestService): Promise<Input> {
  return { params: { id: (await service.newUser()).id } };
}

/** The document lets clients expect new members. In these tests, a member that it doesn't know is a bug. */
function refuseUnknownMembers(part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  for (const member of Object.values(part)) refuseUnknownMembers(member);
  const isObjectSchema = 'type' in part && part.type === 'object' && 'properties' in part;
  if (isObjectSchema && !('additionalProperties' in part)) Object.assign(part, { additionalProperties: false });
}

function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
