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
import { newClientPage } from '../../../pages/console/clients/client.ts';
import { clientsPage } from '../../../pages/console/clients/client-list.ts';
import { logoLimit } from '../../../protocol/reading/image.ts';
import { clientFields } from '../../../protocol/resources/client.ts';
import { changesNeedProof } from '../../../protocol/resources/resource.ts';
import type { HttpContext } from '../../context.ts';
import { appIdentity } from '../../logos.ts';
import { redirect } from '../../send-page.ts';
import { type ConsoleForm, consolePages } from '../console-pages.ts';
import { givenInForm, multilineFields, sentInForm, shownInForm } from '../field-forms.ts';
import { clientProblems } from '../form-problems.ts';
import { emptyList, listRequestIn, placeOf } from '../list-requests.ts';
import { clientChoices, clientsPath, sendClient, sendSecret } from './client-page.ts';
import { clientSecretRoutes } from './client-secret-routes.ts';
import { clientUriRoutes } from './client-uri-routes.ts';
import { clientAccessRoutes } from './revoke-routes.ts';

const multiline = multilineFields(clientFields);

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
    const fields = shownInForm(clientFields, 'create', {}, await clientChoices(context));
    return send(200, newClientPage(frame, { fields, submissionToken, problem: undefined, problems: {} }));
  });

  const registerClient = async (form: ConsoleForm) => {
    const once = form.fields.get('once');
    const id = once === undefined ? undefined : clientIdFor(once);
    const input = { ...givenInForm(clientFields, 'create', form), id };
    const outcome = await createClient(services, input, form.requester);
    if (outcome.kind === 'done') return sendSecret(context, form, outcome.client, outcome.secret);
    const { frame, submissionToken } = form;
    const fields = sentInForm(shownInForm(clientFields, 'create', {}, await clientChoices(context)), form);
    return form.send(400, newClientPage(frame, { fields, submissionToken, ...clientProblems(outcome) }));
  };
  pages.post(clientsPath, registerClient, multiline);

  pages.get(`${clientsPath}/:id`, (page) => sendClient(context, page, 200, {}));

  const saveSettings = async (form: ConsoleForm) => {
    const change = givenInForm(clientFields, 'change', form);
    const outcome = await updateClientVersion(services, form.id, form.field('version'), change, form.requester);
    switch (outcome.kind) {
      case 'changed_meanwhile':
        return sendClient(context, form, 409, { problem: form.frame.messages.admin.applications.changedMeanwhile });
      case 'refused': {
        const fields = sentInForm(shownInForm(clientFields, 'change', {}, await clientChoices(context)), form);
        return sendClient(context, form, 400, { fields, ...clientProblems(outcome) });
      }
      case 'done':
        if (outcome.secret !== undefined) return sendSecret(context, form, outcome.client, outcome.secret);
        return redirect(form.reply, 303, `${clientsPath}/${form.id}?done=saved`);
    }
  };
  const needsProof = async (form: ConsoleForm) => {
    const found = await findClient(services, form.id);
    return (
      found.kind === 'done' && changesNeedProof(clientFields, found.client, givenInForm(clientFields, 'change', form))
    );
  };
  pages.powerful(`${clientsPath}/:id`, saveSettings, { multiline, when: needsProof });

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
