// The console's pages about identity providers.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { refusalSentence } from '../../../operations/admin/outcome.ts';
import { lookUpEndpoints, refreshUpstream } from '../../../operations/upstreams/refresh-upstream.ts';
import {
  callbackUrl,
  changeUpstream,
  createUpstream,
  deleteUpstream,
  disableUpstream,
  enableUpstream,
  findUpstream,
  listUpstreams,
  upstreamDetails,
} from '../../../operations/upstreams/upstreams.ts';
import { confirmPage } from '../../../pages/console/console-layout.ts';
import type { FormField } from '../../../pages/console/field-form.ts';
import { upstreamsPage, upstreamsPath } from '../../../pages/console/upstreams/list.ts';
import {
  endpointsPage,
  type NewUpstreamPage,
  newUpstreamPage,
  upstreamPage,
} from '../../../pages/console/upstreams/upstream.ts';
import { logoLimit } from '../../../protocol/reading/image.ts';
import { standardScopes, type UpstreamInput, upstreamFields } from '../../../protocol/resources/upstream.ts';
import type { HttpContext } from '../../context.ts';
import { redirect, sendErrorPage } from '../../send-page.ts';
import { upstreamIdentity } from '../../upstreams/icons.ts';
import { type ConsoleForm, type ConsoleRequest, consolePages } from '../console-pages.ts';
import { givenInForm, multilineFields, sentInForm, shownInForm } from '../field-forms.ts';
import { type FormProblems, formProblems } from '../form-problems.ts';
import { shownEndpoints, shownValue } from './upstream-pages.ts';

const multiline = multilineFields(upstreamFields);

export function consoleUpstreamRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context);
  const pathOf = ({ id }: ConsoleRequest) => `${upstreamsPath}/${id}`;
  const notFound = ({ request, reply }: ConsoleRequest) => sendErrorPage(context, request, reply, 404, 'notFound');

  pages.get(upstreamsPath, async ({ frame, send, notice }) => {
    const upstreams = await listUpstreams(services);
    const counts = await Promise.all(upstreams.map(({ name }) => upstreamDetails(services, name)));
    const shown = upstreams.map((upstream, index) => {
      const { name, issuer, createsAccounts, disabledAt } = upstream;
      const details = counts[index];
      return {
        name,
        host: new URL(issuer).host,
        createsAccounts,
        disabled: disabledAt !== null,
        identity: upstreamIdentity(upstream),
        people: details?.kind === 'done' ? details.people.all : 0,
      };
    });
    return send(200, upstreamsPage(frame, { upstreams: shown, docs: context.docs === 'on', notice }));
  });

  pages.get(`${upstreamsPath}/new`, (page) => sendNew(page, 200, {}));

  const create = async (form: ConsoleForm) => {
    const given = givenInForm(upstreamFields, 'create', form);
    const outcome = await createUpstream(services, withUsualScopes(given, given.kind), form.requester);
    if (outcome.kind === 'done') {
      return redirect(form.reply, 303, `${upstreamsPath}/${outcome.upstream.name}?done=provider-added`);
    }
    const fields = sentInForm(shownInForm(upstreamFields, 'create'), form);
    return sendNew(form, 400, { fields, ...formProblems(outcome) });
  };
  pages.powerful(upstreamsPath, create, { multiline });

  pages.get(`${upstreamsPath}/:id`, (page) => sendUpstream(page, 200, {}));

  const save = async (form: ConsoleForm) => {
    const found = await findUpstream(services, form.id);
    if (found.kind === 'refused') return notFound(form);
    if (form.field('version') !== String(found.upstream.updatedAt)) {
      return sendUpstream(form, 409, { problem: form.frame.messages.admin.upstreams.changedMeanwhile });
    }
    const update = givenInForm(upstreamFields, 'change', form);
    const { kind } = found.upstream;
    const outcome = await changeUpstream(services, form.id, withUsualScopes(update, kind), form.requester);
    if (outcome.kind === 'done') return redirect(form.reply, 303, `${pathOf(form)}?done=provider-saved`);
    const fields = sentInForm(shownInForm(upstreamFields, 'change'), form);
    return sendUpstream(form, 400, { fields, ...formProblems(outcome) });
  };
  // Nearly everything here decides who can sign in.
  pages.powerful(`${upstreamsPath}/:id`, save, { multiline });

  pages.upload(
    `${upstreamsPath}/:id/icon`,
    logoLimit,
    async (upload) => {
      const { noIcon } = upload.frame.messages.admin.upstreams;
      const icon = upload.field('remove') === 'yes' ? null : await upload.file('icon');
      if (icon === undefined) return sendUpstream(upload, 400, { problem: noIcon });
      const outcome = await changeUpstream(services, upload.id, { icon }, upload.requester);
      if (outcome.kind === 'refused') return sendUpstream(upload, 400, { problem: refusalSentence(outcome) });
      return redirect(upload.reply, 303, `${pathOf(upload)}?done=provider-icon`);
    },
    (page) => sendUpstream(page, 413, { problem: page.frame.messages.admin.upstreams.iconTooLarge }),
  );

  pages.post(`${upstreamsPath}/:id/look-up`, (form) => sendEndpoints(form));

  pages.powerful(`${upstreamsPath}/:id/refresh`, async (form) => {
    const outcome = await refreshUpstream(services, form.id, form.field('version'), form.requester);
    if (outcome.kind === 'refused') return sendUpstream(form, 400, { problem: refusalSentence(outcome) });
    return redirect(form.reply, 303, `${pathOf(form)}?done=provider-refreshed`);
  });

  for (const [word, change, done] of [
    ['disable', disableUpstream, 'provider-disabled'],
    ['enable', enableUpstream, 'provider-enabled'],
  ] as const) {
    pages.powerful(`${upstreamsPath}/:id/${word}`, async (form) => {
      const outcome = await change(services, form.id, form.requester);
      if (outcome.kind === 'refused') return sendUpstream(form, 400, { problem: refusalSentence(outcome) });
      return redirect(form.reply, 303, `${pathOf(form)}?done=${done}`);
    });
  }

  pages.get(`${upstreamsPath}/:id/delete`, async (page) => {
    const found = await upstreamDetails(services, page.id);
    if (found.kind === 'refused') return notFound(page);
    const m = page.frame.messages.admin.upstreams;
    const body = confirmPage(page.frame, {
      section: 'providers',
      title: m.deleteTitle(found.upstream.label),
      text: m.deleteText(found.people),
      action: `${pathOf(page)}/delete`,
      button: m.delete,
      back: pathOf(page),
    });
    return page.send(200, body);
  });

  pages.powerful(`${upstreamsPath}/:id/delete`, async (form) => {
    const outcome = await deleteUpstream(services, form.id, form.requester);
    if (outcome.kind === 'refused') return notFound(form);
    return redirect(form.reply, 303, `${upstreamsPath}?done=provider-deleted`);
  });

  function sendNew(page: ConsoleRequest, status: number, attempt: Partial<NewUpstreamPage>): FastifyReply {
    const [prefix = '', suffix = ''] = callbackUrl(services, '*').split('*');
    const body = newUpstreamPage(page.frame, {
      fields: shownInForm(upstreamFields, 'create'),
      callback: { prefix, suffix },
      submissionToken: page.submissionToken,
      problem: undefined,
      problems: {},
      ...attempt,
    });
    return page.send(status, body);
  }

  async function sendUpstream(
    page: ConsoleRequest,
    status: number,
    attempt: { readonly fields?: readonly FormField[] } & Partial<FormProblems>,
  ): Promise<FastifyReply> {
    const found = await upstreamDetails(services, page.id);
    if (found.kind === 'refused') return notFound(page);
    const { upstream, people } = found;
    const { name, kind, issuer, updatedAt, createdAt } = upstream;
    const fields = attempt.fields ?? shownInForm(upstreamFields, 'change', upstream);
    const body = upstreamPage(page.frame, {
      form: { name, kind, fields, version: String(updatedAt), problems: attempt.problems ?? {} },
      identity: upstreamIdentity(upstream),
      issuer,
      callbackUrl: callbackUrl(services, name),
      endpoints: shownEndpoints(upstream),
      people,
      disabled: upstream.disabledAt !== null,
      createdAt,
      now: services.clock.now(),
      notice: status === 200 ? page.notice : undefined,
      // What is wrong with the issuer is that it couldn't be looked up: there is no field for it here.
      problem: attempt.problem ?? attempt.problems?.issuer,
    });
    return page.send(status, body);
  }

  async function sendEndpoints(page: ConsoleRequest): Promise<FastifyReply> {
    const outcome = await lookUpEndpoints(services, page.id);
    if (outcome.kind === 'refused') return sendUpstream(page, 400, { problem: refusalSentence(outcome) });
    const { upstream, version } = outcome;
    const changes = outcome.changes.map(({ name, before, after }) => ({
      name,
      before: shownValue(before),
      after: shownValue(after),
    }));
    return page.send(200, endpointsPage(page.frame, { name: upstream.name, label: upstream.label, changes, version }));
  }
}

/** In a form, no scopes means the usual ones. */
function withUsualScopes(given: UpstreamInput, kind: string | undefined): UpstreamInput {
  return given.scopes?.length === 0 ? { ...given, scopes: standardScopes(kind) } : given;
}
