// The console's pages about applications.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { clientDetails } from '../../operations/admin/details.ts';
import { listClients } from '../../operations/admin/lists.ts';
import {
  addRedirectUri,
  createClient,
  deleteClient,
  restoreClient,
  retireOldSecret,
  revokeClient,
  rotateClientSecret,
  updateClient,
} from '../../operations/admin/manage-clients.ts';
import { type AdminOutcome, sentenceOf } from '../../operations/admin/outcome.ts';
import {
  type ClientPage,
  type ClientSettings,
  clientPage,
  clientsPage,
  newClientPage,
  newSecretPage,
} from '../../pages/console/clients.ts';
import { askPage } from '../../pages/console/console-layout.ts';
import { envFile } from '../../protocol/admin/env-file.ts';
import type { Origin } from '../../protocol/event.ts';
import { displayHost } from '../../protocol/oauth/redirect-uri.ts';
import { supportedScopes } from '../../protocol/oauth/scope.ts';
import { logoLimit } from '../../protocol/reading/image.ts';
import type { Client } from '../../storage/storage.ts';
import type { HttpContext } from '../context.ts';
import { appIdentity } from '../logos.ts';
import { redirect, sendErrorPage } from '../send-page.ts';
import { type ConsoleFormRequest, type ConsoleRequest, consolePages } from './console-pages.ts';

const list = '/admin/applications';

export function consoleClientRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const { page, form, upload } = consolePages(app, context);

  page(list, async ({ query, frame, send, notice }) => {
    const search = query.get('search') ?? '';
    const listed = await listClients(services, { search, cursor: query.get('cursor') ?? undefined });
    const found = listed.kind === 'done' ? listed : { items: [], next: undefined };
    const body = clientsPage(frame, {
      search,
      applications: found.items.map((client) => ({
        ...{ id: client.id, face: appIdentity(client), isPublic: client.isPublic, revoked: client.revokedAt !== null },
      })),
      next: found.next,
      notice,
      problem: listed.kind === 'done' ? undefined : sentenceOf(listed),
    });
    return send(listed.kind === 'done' ? 200 : 400, body);
  });

  page(`${list}/new`, ({ frame, send, once }) => {
    const settings = { name: '', redirectUris: '', scopes: supportedScopes, isPublic: false };
    return send(200, newClientPage(frame, { settings, once, problem: undefined }));
  });

  const createIt = async (own: ConsoleFormRequest) => {
    const settings = settingsIn(own);
    const outcome = await createClient(services, { ...inputOf(settings), logo: undefined }, own.origin);
    if (outcome.kind === 'done') return sendSecret(own, outcome.client, outcome.secret);
    return own.send(400, newClientPage(own.frame, { settings, once: own.once, problem: sentenceOf(outcome) }));
  };
  form(list, createIt, ['redirect_uris']);

  page(`${list}/:id`, async (own) => sendApplication(own, 200, {}));

  const changeIt = async (own: ConsoleFormRequest) => {
    const settings = settingsIn(own);
    const current = await services.storage.findClient(own.id);
    if (current !== undefined && own.field('version') !== String(current.updatedAt)) {
      const { changedMeanwhile } = own.frame.messages.admin.applications;
      return sendApplication(own, 409, { problem: changedMeanwhile });
    }
    const outcome = await updateClient(services, own.id, inputOf(settings), own.origin);
    if (outcome.kind === 'refused') return sendApplication(own, 400, { settings, problem: sentenceOf(outcome) });
    if (outcome.secret !== undefined) return sendSecret(own, outcome.client, outcome.secret);
    return redirect(own.reply, 303, `${list}/${own.id}?done=saved`);
  };
  form(`${list}/:id`, changeIt, ['redirect_uris']);

  // From an event that tells of a sign-in that failed.
  form(`${list}/:id/redirect-uris`, async (own) => {
    const uri = own.field('uri');
    const client = await services.storage.findClient(own.id);
    // Anybody can ask for any address: one at another place than the others is worth a second look.
    if (client !== undefined && isElsewhere(uri, client.redirectUris) && own.field('sure') !== 'yes') {
      const m = own.frame.messages.admin.applications;
      const host = displayHost(uri);
      const question = { title: m.registerTitle(host), text: m.registerText(client.name, host, uri) };
      const body = askPage(own.frame, {
        ...{ section: 'applications', ...question, action: `${list}/${client.id}/redirect-uris` },
        ...{ button: own.frame.messages.admin.events.register, back: '/admin/events', fields: { uri, sure: 'yes' } },
      });
      return own.send(200, body);
    }
    const outcome = await addRedirectUri(services, own.id, uri, own.origin);
    if (outcome.kind === 'refused') return sendApplication(own, 400, { problem: sentenceOf(outcome) });
    return redirect(own.reply, 303, `${list}/${own.id}?done=registered`);
  });

  upload(
    `${list}/:id/logo`,
    logoLimit,
    async (own) => {
      const file = own.fields.get('logo');
      const remove = own.fields.get('remove') === 'yes';
      const { noLogo } = own.frame.messages.admin.applications;
      if (!remove && (file === null || typeof file === 'string' || file.size === 0)) {
        return sendApplication(own, 400, { problem: noLogo });
      }
      const logo = remove ? null : new Uint8Array(await (file as File).arrayBuffer());
      const outcome = await updateClient(services, own.id, { logo }, own.origin);
      if (outcome.kind === 'refused') return sendApplication(own, 400, { problem: sentenceOf(outcome) });
      return redirect(own.reply, 303, `${list}/${own.id}?done=logo`);
    },
    (own) => sendApplication(own, 413, { problem: own.frame.messages.admin.applications.logoTooLarge }),
  );

  form(`${list}/:id/rotate-secret`, async (own) => {
    const outcome = await rotateClientSecret(services, own.id, own.origin);
    if (outcome.kind === 'done') return sendSecret(own, outcome.client, outcome.secret);
    return sendApplication(own, 400, { problem: sentenceOf(outcome) });
  });

  change('retire-secret', retireOldSecret, 'secret-retired');
  change('revoke', revokeClient, 'revoked');
  change('restore', restoreClient, 'restored');

  form(`${list}/:id/delete`, async (own) => {
    const outcome = await deleteClient(services, own.id, own.origin);
    if (outcome.kind === 'refused') return sendErrorPage(context, own.request, own.reply, 404, 'notFound');
    return redirect(own.reply, 303, `${list}?done=application-deleted`);
  });

  // Both stop the old secret, if there is one.
  for (const what of ['retire', 'rotate'] as const) {
    page(`${list}/:id/${what}-secret`, async (own) => {
      const client = await services.storage.findClient(own.id);
      if (client?.secrets[1] === undefined) return redirect(own.reply, 303, `${list}/${own.id}`);
      const { applications: m } = own.frame.messages.admin;
      const { usedAt } = client.secrets[1];
      const body = askPage(own.frame, {
        section: 'applications',
        title: m[`${what}Title`],
        text: m[`${what}Text`](usedAt === null ? undefined : own.frame.messages.account.moment(usedAt)),
        action: `${list}/${client.id}/${what}-secret`,
        button: m[what],
        back: `${list}/${client.id}`,
        fields: what === 'rotate' ? { once: own.once } : {},
      });
      return own.send(200, body);
    });
  }

  for (const what of ['revoke', 'delete'] as const) {
    page(`${list}/:id/${what}`, async (own) => {
      const found = await clientDetails(services, own.id);
      if (found.kind === 'refused') return sendErrorPage(context, own.request, own.reply, 404, 'notFound');
      const { client, people } = found;
      const m = own.frame.messages.admin.applications;
      const body = askPage(own.frame, {
        section: 'applications',
        title: m[`${what}Title`](client.name),
        text: m[`${what}Text`](people),
        action: `${list}/${client.id}/${what}`,
        button: m[what],
        back: `${list}/${client.id}`,
      });
      return own.send(200, body);
    });
  }

  function change(
    path: string,
    operation: (services: HttpContext['services'], id: string, origin: Origin) => Promise<AdminOutcome<object>>,
    done: string,
  ): void {
    form(`${list}/:id/${path}`, async (own) => {
      const outcome = await operation(services, own.id, own.origin);
      if (outcome.kind === 'refused') return sendApplication(own, 400, { problem: sentenceOf(outcome) });
      return redirect(own.reply, 303, `${list}/${own.id}?done=${done}`);
    });
  }

  function sendSecret(own: ConsoleRequest, client: Client, secret: string | undefined): FastifyReply {
    const [redirectUri = ''] = client.redirectUris;
    const env = envFile({ issuer: services.issuer, clientId: client.id, clientSecret: secret, redirectUri });
    return own.send(200, newSecretPage(own.frame, { clientId: client.id, secret, env, docs: context.docs === 'on' }));
  }

  async function sendApplication(
    own: ConsoleRequest,
    status: number,
    attempt: Partial<ClientPage>,
  ): Promise<FastifyReply> {
    const found = await clientDetails(services, own.id);
    if (found.kind === 'refused') return sendErrorPage(context, own.request, own.reply, 404, 'notFound');
    const { client, people } = found;
    const { id, name, isPublic, redirectUris, scopes, secrets, createdAt, revokedAt } = client;
    const body = clientPage(own.frame, {
      ...{ id, face: appIdentity(client), isPublic, secrets, createdAt, revokedAt },
      settings: { name, redirectUris: redirectUris.join('\n'), scopes, isPublic },
      version: String(client.updatedAt),
      once: own.once,
      people,
      notice: status === 200 ? own.notice : undefined,
      problem: undefined,
      ...attempt,
    });
    return own.send(status, body);
  }
}

/** Whether the address is at none of the places that are registered; what is no address at all is refused later. */
function isElsewhere(uri: string, registered: readonly string[]): boolean {
  const place = (each: string) => URL.parse(each) && `${URL.parse(each)?.protocol}//${URL.parse(each)?.host}`;
  return URL.canParse(uri) && !registered.some((each) => place(each) === place(uri));
}

function settingsIn({ field }: ConsoleFormRequest): ClientSettings {
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
