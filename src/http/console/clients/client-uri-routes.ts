// The button next to an event about a refused redirect URI, of a sign-in or a sign-out: registers the URI.

import type { FastifyInstance } from 'fastify';
import { refusalSentence } from '../../../operations/admin/outcome.ts';
import { addRedirectUri, findClient } from '../../../operations/clients/clients.ts';
import { confirmPage } from '../../../pages/console/console-layout.ts';
import { uriLists } from '../../../protocol/admin/redirect-mismatch.ts';
import { displayHost } from '../../../protocol/oauth/redirect-uri.ts';
import type { HttpContext } from '../../context.ts';
import { redirect } from '../../send-page.ts';
import { consolePages } from '../console-pages.ts';
import { clientsPath, sendClient } from './client-page.ts';

export function clientUriRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context);

  for (const { path, list } of uriLists) {
    const isSignIn = list === 'redirectUris';
    pages.post(`${clientsPath}/:id/${path}`, async (form) => {
      const uri = form.field('uri');
      const found = await findClient(services, form.id);
      // Anybody can make an event with any URI, so one on a new host is registered only after a second look.
      if (found.kind === 'done' && isNewHost(uri, found.client[list]) && form.field('sure') !== 'yes') {
        const { client } = found;
        const m = form.frame.messages.admin;
        const host = displayHost(uri);
        const body = confirmPage(form.frame, {
          section: 'applications',
          title: m.applications.registerTitle(host),
          text: m.applications[isSignIn ? 'registerText' : 'registerPostLogoutText'](client.name, host, uri),
          action: `${clientsPath}/${client.id}/${path}`,
          button: m.events.register,
          back: '/admin/events',
          fields: { uri, sure: 'yes' },
        });
        return form.send(200, body);
      }
      const outcome = await addRedirectUri(services, form.id, uri, form.requester, list);
      if (outcome.kind === 'refused') return sendClient(context, form, 400, { problem: refusalSentence(outcome) });
      return redirect(
        form.reply,
        303,
        `${clientsPath}/${form.id}?done=${isSignIn ? 'registered' : 'post-logout-registered'}`,
      );
    });
  }
}

/** Whether no registered URI has this scheme and host. What isn't a URL at all is refused when it's registered. */
function isNewHost(uri: string, registered: readonly string[]): boolean {
  const place = (each: string) => URL.parse(each) && `${URL.parse(each)?.protocol}//${URL.parse(each)?.host}`;
  return URL.canParse(uri) && !registered.some((each) => place(each) === place(uri));
}
