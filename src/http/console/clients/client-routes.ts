// The console's pages about applications: the list, registering one, and its settings and logo. Its secrets are in
// client-secret-routes.ts, revoking and deleting it in client-access-routes.ts, registering a URI that was refused in
// client-uri-routes.ts.

import type { FastifyInstance } from 'fastify';
import { refusalSentence } from '../../../operations/admin/outcome.ts';
import { clientIdFor } from '../../../operations/admin/submit-once.ts';
import {
  createClient,
  findClient,
  listClients,
  updateClient,
  updateClientVersion,
} from '../../../operations/clients/clients.ts';
import { listUpstreams } from '../../../operations/upstreams/upstreams.ts';
import { type ClientSettings, newClientPage } from '../../../pages/console/clients/client.ts';
import { clientsPage } from '../../../pages/console/clients/client-list.ts';
import { clientLinkNames } from '../../../protocol/oauth/client-links.ts';
import { supportedScopes } from '../../../protocol/oauth/scope.ts';
import { logoLimit } from '../../../protocol/reading/image.ts';
import type { HttpContext } from '../../context.ts';
import { appIdentity } from '../../logos.ts';
import { redirect } from '../../send-page.ts';
import { type ConsoleForm, consolePages } from '../console-pages.ts';
import { clientProblems } from '../form-problems.ts';
import { emptyList, listRequestIn, placeOf } from '../list-requests.ts';
import { clientsPath, sendClient, sendSecret } from './client-page.ts';
import { clientSecretRoutes } from './client-secret-routes.ts';
import { clientUriRoutes } from './client-uri-routes.ts';
import { clientAccessRoutes } from './revoke-routes.ts';

const multiline = ['redirect_uris', 'post_logout_redirect_uris'];

export function consoleClientRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context);
  clientSecretRoutes(app, context);
  clientAccessRoutes(app, context);
  clientUriRoutes(app, context);

  pages.get(clientsPath, async ({ query, frame, send, notice }) => {
    const request = listRequestIn(query);
    const outcome = await listClients(services, request);
    const page = outcome.kind === 'done' ? outcome : emptyList;
    const body = clientsPage(frame, {
      search: request.search,
      sort: request.sort || '-created',
      place: placeOf(page),
      now: services.clock.now(),
      clients: page.items.map((client) => ({
        id: client.id,
        app: appIdentity(client),
        isPublic: client.isPublic,
        revoked: client.revokedAt !== null,
        access: client.access,
        createdAt: client.createdAt,
      })),
      notice,
      problem: outcome.kind === 'done' ? undefined : refusalSentence(outcome),
    });
    return send(outcome.kind === 'done' ? 200 : 400, body);
  });

  pages.get(`${clientsPath}/new`, async ({ frame, send, submissionToken }) => {
    const settings = {
      name: '',
      redirectUris: '',
      postLogoutRedirectUris: '',
      scopes: supportedScopes,
      isPublic: false,
      secondFactor: 'optional',
      upstream: '',
      links: {},
    };
    const providers = await listUpstreams(services);
    const page = { settings, providers, submissionToken, problem: undefined, problems: {} };
    return send(200, newClientPage(frame, page));
  });

  const registerClient = async (form: ConsoleForm) => {
    const settings = settingsIn(form);
    const once = form.fields.get('once');
    const id = once === undefined ? undefined : clientIdFor(once);
    const outcome = await createClient(services, { ...inputOf(settings), id, logo: undefined }, form.requester);
    if (outcome.kind === 'done') return sendSecret(context, form, outcome.client, outcome.secret);
    const { frame, submissionToken } = form;
    const providers = await listUpstreams(services);
    return form.send(400, newClientPage(frame, { settings, providers, submissionToken, ...clientProblems(outcome) }));
  };
  pages.post(clientsPath, registerClient, multiline);

  pages.get(`${clientsPath}/:id`, (page) => sendClient(context, page, 200, {}));

  const saveSettings = async (form: ConsoleForm) => {
    const settings = settingsIn(form);
    const outcome = await updateClientVersion(
      services,
      form.id,
      form.field('version'),
      inputOf(settings),
      form.requester,
    );
    switch (outcome.kind) {
      case 'changed_meanwhile':
        return sendClient(context, form, 409, { problem: form.frame.messages.admin.applications.changedMeanwhile });
      case 'refused':
        return sendClient(context, form, 400, { settings, ...clientProblems(outcome) });
      case 'done':
        if (outcome.secret !== undefined) return sendSecret(context, form, outcome.client, outcome.secret);
        return redirect(form.reply, 303, `${clientsPath}/${form.id}?done=saved`);
    }
  };
  // Another type means another secret, or none.
  const changesType = async (form: ConsoleForm) => {
    const found = await findClient(services, form.id);
    return found.kind === 'done' && found.client.isPublic !== settingsIn(form).isPublic;
  };
  pages.powerful(`${clientsPath}/:id`, saveSettings, { multiline, when: changesType });

  pages.upload(
    `${clientsPath}/:id/logo`,
    logoLimit,
    async (upload) => {
      const remove = upload.field('remove') === 'yes';
      const logo = remove ? null : await upload.file('logo');
      if (logo === undefined) {
        return sendClient(context, upload, 400, { problem: upload.frame.messages.admin.applications.noLogo });
      }
      const outcome = await updateClient(services, upload.id, { logo }, upload.requester);
      if (outcome.kind === 'refused') return sendClient(context, upload, 400, { problem: refusalSentence(outcome) });
      return redirect(upload.reply, 303, `${clientsPath}/${upload.id}?done=logo`);
    },
    (page) => sendClient(context, page, 413, { problem: page.frame.messages.admin.applications.logoTooLarge }),
  );
}

function settingsIn({ field, fields }: ConsoleForm): ClientSettings {
  return {
    name: field('name').trim(),
    redirectUris: field('redirect_uris'),
    postLogoutRedirectUris: field('post_logout_redirect_uris'),
    scopes: supportedScopes.filter((scope) => field(`scope_${scope}`) === 'yes'),
    isPublic: field('type') === 'public',
    secondFactor: field('second_factor'),
    upstream: field('upstream'),
    // A form without the fields leaves the links as they are; an empty field arrives like none.
    links: fields.has('links') ? Object.fromEntries(clientLinkNames.map((name) => [name, field(name)])) : {},
  };
}

function inputOf(settings: ClientSettings) {
  const { name, scopes, isPublic } = settings;
  return {
    name,
    redirectUris: linesOf(settings.redirectUris),
    postLogoutRedirectUris: linesOf(settings.postLogoutRedirectUris),
    scope: scopes.join(' '),
    isPublic,
    // A form without the field leaves it as it is.
    secondFactor: settings.secondFactor || undefined,
    // A form without the fields for links leaves this as it is, too.
    ...(Object.keys(settings.links).length > 0 && { upstream: settings.upstream }),
    links: settings.links,
  };
}

function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
}
