// The first tab of an application: how to connect it, and whether that has worked.

import type { FastifyInstance } from 'fastify';
import { type Connection, connectionOf } from '../../../operations/events/connection.ts';
import { type ConnectPage, connectPage, type ShownGuide } from '../../../pages/console/clients/connect.ts';
import {
  filledIn,
  filledInSteps,
  type Guide,
  guideCalled,
  guidesFor,
  otherVariables,
  redirectUriFor,
} from '../../../platform/client-guides.ts';
import type { EnvSettings } from '../../../protocol/admin/file-formats.ts';
import { may } from '../../../protocol/admin/rights.ts';
import type { Requester } from '../../../protocol/event.ts';
import { discoveryDocument } from '../../../protocol/oauth/discovery.ts';
import type { Client } from '../../../storage/storage.ts';
import type { HttpContext } from '../../context.ts';
import { clientsPath, consolePages } from '../console-pages.ts';
import { clientTab } from './client-tab.ts';

export function connectRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context, 'applications');

  pages.needing('applications.owned').get(`${clientsPath}/:id`, (page) =>
    clientTab(services, page, 200, {}, async (client, tab) => {
      const guides = guidesFor(client.isPublic);
      const wanted = guides.find(({ name }) => name === page.query.get('guide'));
      const guide = wanted && guideCalled(wanted.name);
      return connectPage(page.frame, {
        ...client,
        ...tab,
        now: services.clock.now(),
        endpoints: endpointsOf(services.issuer, client.id),
        connection: await connectionFor(page.requester, client),
        guides,
        guide: guide && shownGuide(guide, client),
      });
    }),
  );

  /** An owner sees what anyone sees who looks after applications, but for URIs that were asked for. */
  async function connectionFor({ authority }: Requester, client: Client): Promise<Connection> {
    if (may(authority, 'applications.read')) return connectionOf(services, client, authority);
    const { refused, ...connection } = await connectionOf(services, client, { roles: ['applications'] });
    return { ...connection, refused: refused && { ...refused, mismatch: undefined, address: '', requestId: '' } };
  }

  /** With everything but the secret, which only the application has. */
  function shownGuide(guide: Guide, client: Client): ShownGuide {
    const name = guide.path.replace(/^docs\/|\.md$/g, '');
    const shared = {
      name: guide.name,
      href: context.docs === 'on' ? `/docs/${name}` : undefined,
      install: guide.install,
    };
    const redirectUri = redirectUriFor(guide, client.redirectUris);
    if (redirectUri === undefined) {
      const { callbackPath = '/callback' } = guide;
      return { ...shared, callbackPath, environment: undefined, files: [], nextSteps: undefined, secret: undefined };
    }
    const settings: EnvSettings = {
      issuer: services.issuer,
      clientId: client.id,
      clientSecret: undefined,
      redirectUri,
    };
    const files = guide.files.map((file) => ({
      name: file.name,
      text: filledIn(file, settings, guide.callbackPath).trimEnd(),
    }));
    const mentions = (secret: RegExp) => files.some((file) => secret.test(file.text));
    return {
      ...shared,
      callbackPath: undefined,
      environment: otherVariables(guide, settings)?.trimEnd(),
      files,
      nextSteps: filledInSteps(guide, settings),
      secret: mentions(/\$\{OIDC_CLIENT_SECRET\}/)
        ? 'placeholder'
        : mentions(/OIDC_CLIENT_SECRET/)
          ? 'environment'
          : undefined,
    };
  }
}

function endpointsOf(issuer: string, clientId: string): ConnectPage['endpoints'] {
  const document = discoveryDocument(issuer);
  return {
    'client-id': clientId,
    issuer,
    discovery: `${issuer}/.well-known/openid-configuration`,
    authorization: document.authorization_endpoint,
    token: document.token_endpoint,
    userinfo: document.userinfo_endpoint,
    revocation: document.revocation_endpoint,
    logout: document.end_session_endpoint,
    jwks: document.jwks_uri,
  };
}
