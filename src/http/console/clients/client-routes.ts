// The console's pages about applications: the list, registering one, its settings, logo, secrets and webhook, revoking and
// deleting it, and registering a URI that was refused. Connecting one is in connect-routes.ts, who may use it in
// access-list-routes.ts.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { refusalSentence } from '../../../operations/admin/outcome.ts';
import { clientIdFor } from '../../../operations/admin/submit-once.ts';
import {
  addRedirectUri,
  createClient,
  findClient,
  listClientsInUse,
  rotateClientSecret,
  updateClient,
  updateClientVersion,
} from '../../../operations/clients/clients.ts';
import { clientActions, clientInUse } from '../../../operations/clients/subject.ts';
import { listUpstreams } from '../../../operations/upstreams/upstreams.ts';
import { recentLogouts } from '../../../operations/webhooks/deliveries.ts';
import { listWebhooks } from '../../../operations/webhooks/endpoints.ts';
import type { PageResult } from '../../../pages/account/account-layout.ts';
import {
  type ClientSettingsPage,
  clientDangerPage,
  clientSecretsPage,
  clientSettingsPage,
  clientWebhookPage,
  isEssential,
  newClientPage,
  newSecretPage,
} from '../../../pages/console/clients/client.ts';
import { clientsPage } from '../../../pages/console/clients/client-list.ts';
import { confirmPage } from '../../../pages/console/console-layout.ts';
import type { FormField } from '../../../pages/console/field-form.ts';
import { clientFilterNames } from '../../../protocol/admin/client-filters.ts';
import { envFile } from '../../../protocol/admin/file-formats.ts';
import { uriLists } from '../../../protocol/admin/redirect-mismatch.ts';
import { displayHost } from '../../../protocol/oauth/redirect-uri.ts';
import { clientFields } from '../../../protocol/resources/client.ts';
import { changesNeedProof } from '../../../protocol/resources/resource.ts';
import { statusOfEndpoint } from '../../../protocol/webhooks/schedule.ts';
import type { Client } from '../../../storage/storage.ts';
import type { HttpContext } from '../../context.ts';
import { appIdentity } from '../../logos.ts';
import { buttonsOf, type ConsoleForm, type ConsoleRequest, clientsPath, consolePages } from '../console-pages.ts';
import { givenInForm, multilineFields, sentInForm, shownInForm } from '../field-forms.ts';
import { clientProblems } from '../form-problems.ts';
import { filtersIn, isGone, listedIn, listRequestIn } from '../list-requests.ts';
import { clientTab } from './client-tab.ts';

const multiline = multilineFields(clientFields);
const one = `${clientsPath}/:id`;

export function consoleClientRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context, 'applications');
  const changing = pages.needing('applications.change');

  pages.get(clientsPath, async (page) => {
    const request = listRequestIn(page);
    const filters = filtersIn(page, clientFilterNames);
    const { items, ...listed } = listedIn(await listClientsInUse(services, { ...request, ...filters, total: true }));
    if (isGone(listed.place)) return page.sendMoved();
    const body = clientsPage(page.frame, {
      ...listed,
      search: request.search,
      sort: request.sort || '-created',
      filters,
      now: services.clock.now(),
      clients: items.map((client) => ({ ...client, app: appIdentity(client), revoked: client.revokedAt !== null })),
      notice: page.notice,
    });
    return page.send(listed.status, body);
  });

  changing.get(`${clientsPath}/new`, async ({ frame, send, submissionToken }) => {
    const fields = await shownFields('create');
    const blank = { fields, hasMore: false, submissionToken, problem: undefined, problems: {} };
    return send(200, newClientPage(frame, blank));
  });

  const registerClient = async (form: ConsoleForm) => {
    const once = form.fields.get('once');
    const id = once === undefined ? undefined : clientIdFor(once);
    const input = { ...givenInForm(clientFields, 'create', form), id };
    const outcome = await createClient(services, input, form.requester);
    if (outcome.kind === 'done') return sendSecret(form, outcome.client, outcome.secret);
    const { frame, submissionToken } = form;
    const blank = await shownFields('create');
    const fields = sentInForm(blank, form);
    const isFilled = ({ name, value }: FormField, index: number) =>
      !isEssential(name) && value !== '' && value !== blank[index]?.value;
    const hasMore = fields.some(isFilled);
    return form.send(400, newClientPage(frame, { fields, hasMore, submissionToken, ...clientProblems(outcome) }));
  };
  pages.post(clientsPath, registerClient, multiline);

  pages.get(`${one}/settings`, (page) => sendSettings(page, 200));
  pages.get(`${one}/secrets`, (page) => sendSecrets(page, 200));
  pages.get(`${one}/webhook`, (page) => sendWebhook(page, 200));
  changing.get(`${one}/danger`, (page) => sendDanger(page, 200));

  const saveSettings = async (form: ConsoleForm) => {
    const change = givenInForm(clientFields, 'change', form);
    const outcome = await updateClientVersion(services, form.id, form.field('version'), change, form.requester);
    switch (outcome.kind) {
      case 'changed_meanwhile':
        return sendSettings(form, 409, { problem: form.frame.messages.admin.applications.changedMeanwhile });
      case 'refused': {
        const fields = sentInForm(await shownFields('change'), form);
        return sendSettings(form, 400, { fields, ...clientProblems(outcome) });
      }
      case 'done':
        if (outcome.secret !== undefined) return sendSecret(form, outcome.client, outcome.secret);
        return form.goTo(`${one}/settings?done=saved`);
    }
  };
  const needsProof = async (form: ConsoleForm) => {
    const found = await findClient(services, form.id);
    const given = givenInForm(clientFields, 'change', form);
    return found.kind === 'done' && changesNeedProof(clientFields, found.client, given);
  };
  pages.powerful(one, saveSettings, { multiline, when: needsProof });

  pages.image(`${one}/logo`, 'logo', sendSettings, {
    change: ({ id, requester }, logo) => updateClient(services, id, { logo }, requester),
    done: `${one}/settings?done=logo`,
    words: ({ applications: m }) => ({ none: m.noLogo, tooLarge: m.logoTooLarge }),
  });

  // Both of them end the previous secret, so both ask first when there is one.
  for (const action of ['retire', 'rotate'] as const) {
    changing.get(`${one}/${action}-secret`, async (page) => {
      const found = await findClient(services, page.id);
      if (found.kind === 'refused') return page.refuse(found);
      const [, previous] = found.client.secrets;
      if (previous === undefined) return page.goTo(`${one}/secrets`);
      const { admin, dates } = page.frame.messages;
      const m = admin.applications;
      const body = confirmPage(page.frame, {
        section: 'applications',
        title: m[`${action}Title`],
        text: m[`${action}Text`](previous.usedAt === null ? undefined : dates.moment(previous.usedAt)),
        action: page.own(`${one}/${action}-secret`),
        button: m[action],
        back: page.own(`${one}/secrets`),
        fields: action === 'rotate' ? { once: page.submissionToken } : {},
      });
      return page.send(200, body);
    });
  }

  pages.powerful(`${one}/rotate-secret`, async (form) => {
    const outcome = await rotateClientSecret(services, form.id, form.requester);
    if (outcome.kind === 'done') return sendSecret(form, outcome.client, outcome.secret);
    return sendSecrets(form, 400, { problem: refusalSentence(outcome) });
  });

  for (const action of ['revoke', 'delete'] as const) {
    pages.question(`${one}/${action}`, 'applications', async ({ id, frame, own }) => {
      const found = await clientInUse(services, id);
      if (found.kind === 'refused') return found;
      const { client, users, webhooks } = found;
      const m = frame.messages.admin.applications;
      const text = m[`${action}Text`](users, webhooks);
      return { title: m[`${action}Title`](client.name), text, button: m[action], back: own(`${one}/danger`) };
    });
  }

  const secretButtons = buttonsOf(clientActions, { 'retire-secret': `${one}/secrets?done=secret-retired` });
  pages.buttons(one, sendSecrets, ({ id }) => id, secretButtons);
  const dangerButtons = buttonsOf(clientActions, {
    revoke: `${one}/danger?done=revoked`,
    restore: `${one}/danger?done=restored`,
    delete: `${clientsPath}?done=application-deleted`,
  });
  pages.buttons(one, sendDanger, ({ id }) => id, dangerButtons);

  // The button next to an event about a refused redirect URI, of a sign-in or a sign-out: registers the URI.
  for (const { path, list } of uriLists) {
    const isSignIn = list === 'redirectUris';
    // Anybody can make an event with any URI, so one on a new host is registered only after a second look.
    const question = async (form: ConsoleForm) => {
      const uri = form.field('uri');
      const found = form.field('sure') === 'yes' ? undefined : await findClient(services, form.id);
      if (found?.kind !== 'done' || !isNewHost(uri, found.client[list])) return undefined;
      const m = form.frame.messages.admin;
      const host = displayHost(uri);
      return confirmPage(form.frame, {
        section: 'applications',
        title: m.applications.registerTitle(host),
        text: m.applications[isSignIn ? 'registerText' : 'registerPostLogoutText'](found.client.name, host, uri),
        action: form.own(`${one}/${path}`),
        button: m.events.register,
        back: '/admin/events',
        fields: { uri, sure: 'yes' },
      });
    };
    pages.asks(`${one}/${path}`, question);
    const register = async (form: ConsoleForm) => {
      const uri = form.field('uri');
      const asked = await question(form);
      if (asked !== undefined) return form.send(200, asked);
      const outcome = await addRedirectUri(services, form.id, uri, form.requester, list);
      if (outcome.kind === 'refused') return sendSettings(form, 400, { problem: refusalSentence(outcome) });
      // The first tab says whether the next sign-in works.
      return form.goTo(isSignIn ? `${one}?done=registered` : `${one}/settings?done=post-logout-registered`);
    };
    pages.powerful(`${one}/${path}`, register, { when: async (form) => (await question(form)) === undefined });
  }

  /** The settings as they are stored, unless `attempt` says otherwise. */
  function sendSettings(page: ConsoleRequest, status: number, attempt: Partial<ClientSettingsPage> = {}) {
    return clientTab(services, page, status, attempt, async (client, tab) => {
      const fields = await shownFields('change', client);
      const version = String(client.updatedAt);
      return clientSettingsPage(page.frame, { ...tab, fields, version, problems: {}, ...attempt });
    });
  }

  function sendSecrets(page: ConsoleRequest, status: number, attempt: Partial<PageResult> = {}) {
    return clientTab(services, page, status, attempt, async ({ isPublic, secrets }, tab) => {
      const { submissionToken } = page;
      return clientSecretsPage(page.frame, { ...tab, isPublic, secrets, submissionToken, now: services.clock.now() });
    });
  }

  function sendWebhook(page: ConsoleRequest, status: number) {
    return clientTab(services, page, status, {}, async (client, tab) => {
      const webhooks = (await listWebhooks(services, client.id)).map((webhook) => ({
        ...webhook,
        status: statusOfEndpoint(webhook),
      }));
      const logouts = await recentLogouts(services, client);
      return clientWebhookPage(page.frame, { ...tab, webhooks, logouts, now: services.clock.now() });
    });
  }

  function sendDanger(page: ConsoleRequest, status: number, attempt: Partial<PageResult> = {}) {
    return clientTab(services, page, status, attempt, async (_client, tab) => clientDangerPage(page.frame, tab));
  }

  /** The fields of an application, with the identity providers that it can send people to. */
  async function shownFields(when: 'create' | 'change', client: object = {}) {
    const upstream = (await listUpstreams(services)).map(({ name, label }) => ({ value: name, label }));
    return shownInForm(clientFields, when, client, { upstream });
  }

  /** A secret is shown this once. */
  function sendSecret(page: ConsoleRequest, client: Client, secret: string | undefined): FastifyReply {
    const [redirectUri = ''] = client.redirectUris;
    const env = envFile({ issuer: services.issuer, clientId: client.id, clientSecret: secret, redirectUri });
    const body = newSecretPage(page.frame, { clientId: client.id, secret, env, isListed: client.access === 'listed' });
    return page.send(200, body);
  }
}

/** Whether no registered URI has this scheme and host. What isn't a URL at all is refused when it's registered. */
function isNewHost(uri: string, registered: readonly string[]): boolean {
  const place = (each: string) => URL.parse(each) && `${URL.parse(each)?.protocol}//${URL.parse(each)?.host}`;
  return URL.canParse(uri) && !registered.some((each) => place(each) === place(uri));
}
