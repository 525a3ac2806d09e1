// The console's pages about applications: the list, registering one, and its settings and logo. Its secrets are in
// client-secret-routes.ts, revoking and deleting it in client-access-routes.ts.

import type { FastifyInstance } from 'fastify';
import {
  addRedirectUri,
  createClient,
  findClient,
  listClients,
  updateClient,
  updateClientVersion,
} from '../../operations/admin/clients.ts';
import { refusalSentence } from '../../operations/admin/outcome.ts';
import { type ClientSettings, clientsPage, newClientPage } from '../../pages/console/clients.ts';
import { confirmPage } from '../../pages/console/console-layout.ts';
import { displayHost } from '../../protocol/oauth/redirect-uri.ts';
import { supportedScopes } from '../../protocol/oauth/scope.ts';
import { logoLimit } from '../../protocol/reading/image.ts';
import type { HttpContext } from '../context.ts';
import { appIdentity } from '../logos.ts';
import { redirect } from '../send-page.ts';
import { clientAccessRoutes } from './client-access-routes.ts';
import { clientsPath, sendClient, sendSecret } from './client-page.ts';
import { clientSecretRoutes } from './client-secret-routes.ts';
import { type ConsoleForm, consolePages } from './console-pages.ts';

const multiline = ['redirect_uris'];

export function consoleClientRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context);
  clientSecretRoutes(app, context);
  clientAccessRoutes(app, context);

  pages.get(clientsPath, async ({ query, frame, send, notice }) => {
    const search = query.get('search') ?? '';
    const outcome = await listClients(services, { search, cursor: query.get('cursor') ?? undefined });
    const { items, next } = outcome.kind === 'done' ? outcome : { items: [], next: undefined };
    const body = clientsPage(frame, {
      search,
      clients: items.map((client) => ({
        ...{ id: client.id, app: appIdentity(client), isPublic: client.isPublic, revoked: client.revokedAt !== null },
      })),
      next,
      notice,
      problem: outcome.kind === 'done' ? undefined : refusalSentence(outcome),
    });
    return send(outcome.kind === 'done' ? 200 : 400, body);
  });

  pages.get(`${clientsPath}/new`, ({ frame, send, submissionToken }) => {
    const settings = { name: '', redirectUris: '', scopes: supportedScopes, isPublic: false };
    return send(200, newClientPage(frame, { settings, submissionToken, problem: undefined }));
  });

  const registerClient = async (form: ConsoleForm) => {
    const settings = settingsIn(form);
    const outcome = await createClient(services, { ...inputOf(settings), logo: undefined }, form.origin);
    if (outcome.kind === 'done') return sendSecret(context, form, outcome.client, outcome.secret);
    const { frame, submissionToken } = form;
    return form.send(400, newClientPage(frame, { settings, submissionToken, problem: refusalSentence(outcome) }));
  };
  pages.post(clientsPath, registerClient, multiline);

  pages.get(`${clientsPath}/:id`, (page) => sendClient(context, page, 200, {}));

  const saveSettings = async (form: ConsoleForm) => {
    const settings = settingsIn(form);
    const outcome = await updateClientVersion(services, form.id, form.field('version'), inputOf(settings), form.origin);
    switch (outcome.kind) {
      case 'changed_meanwhile':
        return sendClient(context, form, 409, { problem: form.frame.messages.admin.applications.changedMeanwhile });
      case 'refused':
        return sendClient(context, form, 400, { settings, problem: refusalSentence(outcome) });
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

  // The button next to an event about a refused redirect URI.
  pages.post(`${clientsPath}/:id/redirect-uris`, async (form) => {
    const uri = form.field('uri');
    const found = await findClient(services, form.id);
    // Anybody can make an event with any URI, so one on a new host is registered only after a second look.
    if (found.kind === 'done' && isNewHost(uri, found.client.redirectUris) && form.field('sure') !== 'yes') {
      const { client } = found;
      const m = form.frame.messages.admin;
      const host = displayHost(uri);
      const body = confirmPage(form.frame, {
        section: 'applications',
        title: m.applications.registerTitle(host),
        text: m.applications.registerText(client.name, host, uri),
        action: `${clientsPath}/${client.id}/redirect-uris`,
        button: m.events.register,
        back: '/admin/events',
        fields: { uri, sure: 'yes' },
      });
      return form.send(200, body);
    }
    const outcome = await addRedirectUri(services, form.id, uri, form.origin);
    if (outcome.kind === 'refused') return sendClient(context, form, 400, { problem: refusalSentence(outcome) });
    return redirect(form.reply, 303, `${clientsPath}/${form.id}?done=registered`);
  });

  pages.upload(
    `${clientsPath}/:id/logo`,
    logoLimit,
    async (upload) => {
      const remove = upload.field('remove') === 'yes';
      const logo = remove ? null : await upload.file('logo');
      if (logo === undefined) {
        return sendClient(context, upload, 400, { problem: upload.frame.messages.admin.applications.noLogo });
      }
      const outcome = await updateClient(services, upload.id, { logo }, upload.origin);
      if (outcome.kind === 'refused') return sendClient(context, upload, 400, { problem: refusalSentence(outcome) });
      return redirect(upload.reply, 303, `${clientsPath}/${upload.id}?done=logo`);
    },
    (page) => sendClient(context, page, 413, { problem: page.frame.messages.admin.applications.logoTooLarge }),
  );
}

/** Whether no registered URI has this scheme and host. What isn't a URL at all is refused when it's registered. */
function isNewHost(uri: string, registered: readonly string[]): boolean {
  const place = (each: string) => URL.parse(each) && `${URL.parse(each)?.protocol}//${URL.parse(each)?.host}`;
  return URL.canParse(uri) && !registered.some((each) => place(each) === place(uri));
}

function settingsIn({ field }: ConsoleForm): ClientSettings {
  return {
    name: field('name').trim(),
    redirectUris: field('redirect_uris'),
    scopes: supportedScopes.filter((scope) => field(`scope_${scope}`) === 'yes'),
    isPublic: field('type') === 'public',
  };
}

function inputOf(settings: ClientSettings) {
  const { name, scopes, isPublic } = settings;
  const redirectUris = settings.redirectUris
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
  return { name, redirectUris, scope: scopes.join(' '), isPublic };
}
