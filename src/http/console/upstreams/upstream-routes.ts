// The console's pages about identity providers.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { refusalSentence } from '../../../operations/admin/outcome.ts';
import { lookUpEndpoints, refreshUpstream } from '../../../operations/upstreams/refresh-upstream.ts';
import { upstreamActions } from '../../../operations/upstreams/subject.ts';
import { type Endpoints, endpointsJson } from '../../../operations/upstreams/upstream-json.ts';
import {
  callbackUrl,
  changeUpstream,
  countLinkedPeople,
  createUpstream,
  findUpstream,
  listUpstreams,
  nobodyGetsIn,
  upstreamDetails,
} from '../../../operations/upstreams/upstreams.ts';
import { upstreamsPage, upstreamsPath } from '../../../pages/console/upstreams/list.ts';
import {
  choosePresetPage,
  type NewUpstreamPage,
  newUpstreamPage,
} from '../../../pages/console/upstreams/new-upstream.ts';
import {
  endpointsPage,
  type ShownEndpoint,
  type UpstreamForm,
  upstreamPage,
} from '../../../pages/console/upstreams/upstream.ts';
import { upstreamFields } from '../../../protocol/resources/upstream.ts';
import {
  type PresetName,
  presetNamed,
  type UpstreamPreset,
  upstreamPresets,
} from '../../../protocol/upstreams/presets.ts';
import type { HttpContext } from '../../context.ts';
import { upstreamIdentity } from '../../logos.ts';
import { buttonsOf, type ConsoleForm, type ConsoleRequest, consolePages } from '../console-pages.ts';
import { shownInForm } from '../field-forms.ts';
import { type FormProblems, formProblems } from '../form-problems.ts';
import { consoleTryRoutes } from './try-routes.ts';
import { multiline, presetFields, presetOf, sentUpstream, shownWho, withDomains } from './upstream-forms.ts';

const one = `${upstreamsPath}/:id`;
const presets = Object.keys(upstreamPresets).flatMap((name) => presetNamed(name) ?? []);

export function consoleUpstreamRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context, 'upstreams');

  pages.get(upstreamsPath, async ({ frame, send, notice }) => {
    const upstreams = await listUpstreams(services);
    const counts = await countLinkedPeople(services, upstreams);
    const shown = upstreams.map((upstream, index) => ({
      ...upstream,
      identity: upstreamIdentity(upstream),
      people: counts[index] ?? { count: 0, more: false },
    }));
    return send(200, upstreamsPage(frame, { upstreams: shown, docs: context.docs === 'on', notice }));
  });

  pages.needing('upstreams.change').get(`${upstreamsPath}/new`, async (page) => {
    const preset = presetNamed(page.query.get('for') ?? '');
    if (preset === undefined) return page.send(200, choosePresetPage(page.frame, presets));
    const taken = (await listUpstreams(services)).map(({ name }) => name);
    const who = { chosen: 'linked', domains: '' } as const;
    return sendNew(page, 200, preset, { fields: presetFields(preset, taken), who, problems: {} });
  });

  const create = async (form: ConsoleForm) => {
    const preset = presetOf(form);
    if (preset === undefined) return form.visit.sendErrorPage(400, 'badRequest');
    const { given, problems, ...sent } = sentUpstream(form, 'create', form.field('kind'));
    if (Object.keys(problems).length > 0) return sendNew(form, 400, preset, { ...sent, problems });
    const outcome = await createUpstream(services, given, form.requester);
    if (outcome.kind === 'done') return form.goTo(`${upstreamsPath}/${outcome.upstream.name}?done=provider-added`);
    return sendNew(form, 400, preset, { ...sent, ...withDomains(formProblems(outcome), sent.who) });
  };
  pages.powerful(upstreamsPath, create, { multiline });

  pages.get(one, (page) => sendUpstream(page, 200));

  const save = async (form: ConsoleForm) => {
    const found = await findUpstream(services, form.id);
    if (found.kind === 'refused') return form.refuse(found);
    if (form.field('version') !== String(found.upstream.updatedAt)) {
      return sendUpstream(form, 409, { problem: form.frame.messages.admin.upstreams.changedMeanwhile });
    }
    const { given, problems, ...sent } = sentUpstream(form, 'change', found.upstream.kind);
    if (Object.keys(problems).length > 0) return sendUpstream(form, 400, { ...sent, problems });
    const outcome = await changeUpstream(services, form.id, given, form.requester);
    if (outcome.kind === 'done') return form.goTo(`${one}?done=provider-saved`);
    return sendUpstream(form, 400, { ...sent, ...withDomains(formProblems(outcome), sent.who) });
  };
  // Nearly everything here decides who can sign in.
  pages.powerful(one, save, { multiline });

  pages.image(`${one}/icon`, 'icon', sendUpstream, {
    change: ({ id, requester }, icon) => changeUpstream(services, id, { icon }, requester),
    done: `${one}?done=provider-icon`,
    words: ({ upstreams: m }) => ({ none: m.noIcon, tooLarge: m.iconTooLarge }),
  });

  consoleTryRoutes(app, context);

  pages.post(`${one}/look-up`, (form) => sendEndpoints(form));

  for (const name of ['disable', 'delete'] as const) {
    pages.question(`${one}/${name}`, 'providers', async ({ id, frame }) => {
      const found = await upstreamDetails(services, id);
      if (found.kind === 'refused') return found;
      const { label } = found.upstream;
      const m = frame.messages.admin.upstreams;
      if (name === 'delete') return { title: m.deleteTitle(label), text: m.deleteText(found.people), button: m.delete };
      return { title: m.disableTitle(label), text: m.disableText(found.people.withoutOtherWay), button: m.disable };
    });
  }

  pages.buttons(one, sendUpstream, ({ id }) => id, {
    refresh: {
      run: (_services, id, requester, { field }) => refreshUpstream(services, id, field('version'), requester),
      done: `${one}?done=provider-refreshed`,
      powerful: true,
    },
    ...buttonsOf(upstreamActions, {
      disable: `${one}?done=provider-disabled`,
      enable: `${one}?done=provider-enabled`,
      delete: `${upstreamsPath}?done=provider-deleted`,
    }),
  });

  function sendNew(
    page: ConsoleRequest,
    status: number,
    preset: UpstreamPreset & { readonly for: PresetName },
    attempt: Pick<NewUpstreamPage, 'fields' | 'who' | 'problems'> &
      Partial<Pick<NewUpstreamPage, 'problem' | 'sealedSecret'>>,
  ): FastifyReply {
    const [prefix = '', suffix = ''] = callbackUrl(services, '*').split('*');
    const body = newUpstreamPage(page.frame, {
      preset: preset.for,
      kind: preset.kind,
      callback: { prefix, suffix },
      submissionToken: page.submissionToken,
      problem: undefined,
      sealedSecret: undefined,
      ...attempt,
    });
    return page.send(status, body);
  }

  async function sendUpstream(
    page: ConsoleRequest,
    status: number,
    attempt: Partial<Pick<UpstreamForm, 'fields' | 'who' | 'sealedSecret'> & FormProblems> = {},
  ): Promise<FastifyReply> {
    const found = await upstreamDetails(services, page.id);
    if (found.kind === 'refused') return page.refuse(found);
    const { upstream, people } = found;
    const body = upstreamPage(page.frame, {
      upstream,
      form: {
        fields: attempt.fields ?? shownInForm(upstreamFields, 'change', upstream),
        who: attempt.who ?? shownWho(upstream),
        sealedSecret: attempt.sealedSecret,
        problems: attempt.problems ?? {},
      },
      identity: upstreamIdentity(upstream),
      callbackUrl: callbackUrl(services, upstream.name),
      endpoints: Object.entries(endpointsJson(upstream.metadata)).map(([name, value]) => ({
        name,
        value: shownValue(value),
      })),
      people,
      letsNobodyIn: await nobodyGetsIn(services, upstream, people.all.count),
      now: services.clock.now(),
      notice: page.notice,
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

function shownValue(value: Endpoints[string]): ShownEndpoint['value'] {
  return Array.isArray(value) ? value.join(', ') : value;
}
