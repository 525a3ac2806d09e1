// The claims of an application in the console: adding, editing and removing one, and what the application would get.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { refusalSentence } from '../../../operations/admin/outcome.ts';
import { listAttributes } from '../../../operations/attributes/attributes.ts';
import { claimChoices } from '../../../operations/clients/claim-references.ts';
import { findClient, updateClient, updateClientVersion } from '../../../operations/clients/clients.ts';
import { previewApplication } from '../../../operations/oauth/preview-application.ts';
import type { Services } from '../../../operations/services.ts';
import {
  type ClaimFormPage,
  claimFormPage,
  claimSourcePage,
  claimsPreviewPage,
  clientClaimsPage,
  type ListedClaim,
  type TypedClaim,
} from '../../../pages/console/clients/claims.ts';
import {
  type ClaimJson,
  claimNameLimit,
  claimSourceNames,
  claimsJson,
  claimValueLimit,
  mostMapped,
} from '../../../protocol/oauth/claim-json.ts';
import type { Client } from '../../../storage/storage.ts';
import type { FormFields } from '../../account/account-pages.ts';
import type { HttpContext } from '../../context.ts';
import { type ConsoleForm, type ConsoleRequest, clientsPath, consolePages } from '../console-pages.ts';
import { formProblems } from '../form-problems.ts';
import { findUsersByName } from '../list-requests.ts';
import { clientTab } from './client-tab.ts';

const one = `${clientsPath}/:id`;
const path = `${one}/claims`;
const fewestRows = 3;
const moreRows = 5;

async function listedClaims(services: Services, { claims }: Client): Promise<ListedClaim[]> {
  const attributes = await listAttributes(services);
  return claimsJson(claims).map((claim) => {
    const attribute = claim.source === 'attribute' && attributes.find(({ name }) => name === claim.attribute);
    return { ...claim, attributeLabel: attribute ? attribute.label : undefined };
  });
}

export function consoleClaimRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context, 'applications');
  const changing = pages.needing('applications.change');

  pages.get(path, (page) =>
    clientTab(services, page, 200, {}, async (client, tab) =>
      clientClaimsPage(page.frame, { ...tab, claims: await listedClaims(services, client) }),
    ),
  );

  changing.get(`${path}/new`, async (page) => {
    const found = await findClient(services, page.id);
    if (found.kind === 'refused') return page.refuse(found);
    const { client } = found;
    const source = claimSourceNames.find((each) => each === page.query.get('source'));
    if (source !== undefined) return sendForm(page, 200, client, { typed: { ...nothing, source }, was: undefined });
    const shown = { id: client.id, app: client.name, notice: undefined, problem: undefined };
    return page.send(200, claimSourcePage(page.frame, shown));
  });

  changing.get(`${path}/edit`, async (page) => {
    const found = await findClient(services, page.id);
    const was = page.query.get('claim');
    const claim = found.kind === 'done' && claimsJson(found.client.claims).find((each) => each.claim === was);
    if (found.kind === 'refused' || !claim) return page.visit.sendErrorPage(404, 'notFound');
    return sendForm(page, 200, found.client, { typed: typedOf(claim), was: claim.claim });
  });

  const wantsRows = ({ field }: FormFields) => field('more') === 'yes';
  const save = async (form: ConsoleForm) => {
    const typed = typedIn(form);
    if (typed === undefined) return form.visit.sendErrorPage(400, 'badRequest');
    const was = form.fields.get('was');
    const found = await findClient(services, form.id);
    if (found.kind === 'refused') return form.refuse(found);
    if (wantsRows(form)) return sendForm(form, 200, found.client, { typed, was, rows: rowsIn(form) + moreRows });
    const update = ({ claims }: Client) => ({ claims: withClaim(claimsJson(claims), was, claimOf(typed)) });
    const outcome = await updateClientVersion(services, form.id, form.field('version'), update, form.requester);
    switch (outcome.kind) {
      case 'changed_meanwhile': {
        const problem = form.frame.messages.admin.applications.changedMeanwhile;
        return sendForm(form, 409, found.client, { typed, was, rows: rowsIn(form), problem });
      }
      case 'refused': {
        const { problems, problem = problems.claims } = formProblems(outcome);
        return sendForm(form, 400, found.client, { typed, was, rows: rowsIn(form), problem });
      }
      case 'done':
        return form.goTo(`${path}?done=claim-saved`);
    }
  };
  pages.powerful(path, save, { multiline: ['groups'], when: (form) => !wantsRows(form) });

  pages.powerful(`${path}/remove`, async (form) => {
    const without = ({ claims }: Client) => ({
      claims: claimsJson(claims).filter(({ claim }) => claim !== form.field('claim')),
    });
    const outcome = await updateClient(services, form.id, without, form.requester);
    if (outcome.kind === 'done') return form.goTo(`${path}?done=claim-removed`);
    if (outcome.reason === 'not_found') return form.visit.sendErrorPage(404, 'notFound');
    return form.visit.sendErrorPage(400, 'badRequest');
  });

  pages.needing('applications.preview').get(`${one}/preview`, async (page) => {
    const found = await findClient(services, page.id);
    if (found.kind === 'refused') return page.refuse(found);
    const { client } = found;
    const person = page.query.get('person');
    const outcome =
      person === null ? undefined : await previewApplication(services, client.id, person, undefined, page.requester);
    const asserted = new Set(
      claimsJson(client.claims).flatMap((each) => ('self_asserted' in each && each.self_asserted ? [each.claim] : [])),
    );
    const rows = (claims: Readonly<Record<string, unknown>>) =>
      Object.entries(claims).map(([claim, value]) => {
        return { claim, value: JSON.stringify(value), selfAsserted: asserted.has(claim) };
      });
    const body = claimsPreviewPage(page.frame, {
      id: client.id,
      app: client.name,
      picker: await findUsersByName(services, page.query.get('search')),
      preview:
        outcome?.kind === 'done'
          ? {
              name: outcome.user.name,
              userinfo: rows(outcome.preview.userinfo),
              idToken: rows(outcome.preview.idToken),
              dropped: outcome.preview.dropped,
            }
          : undefined,
      notice: undefined,
      problem: outcome?.kind === 'refused' ? refusalSentence(outcome) : undefined,
    });
    return page.send(outcome?.kind === 'refused' ? 404 : 200, body);
  });

  async function sendForm(
    page: ConsoleRequest,
    status: number,
    client: Client,
    shown: Pick<ClaimFormPage, 'typed' | 'was'> & { readonly rows?: number; readonly problem?: string | undefined },
  ): Promise<FastifyReply> {
    const { groups, attributes } = await claimChoices(services);
    const body = claimFormPage(page.frame, {
      id: client.id,
      app: client.name,
      version: String(client.updatedAt),
      groups,
      attributes: attributes.map(({ name, editableBy }) => ({ name, byPeople: editableBy === 'person' })),
      limits: { claim: claimNameLimit, value: claimValueLimit },
      typed: shown.typed,
      was: shown.was,
      rows: Math.min(mostMapped, Math.max(fewestRows, shown.rows ?? shown.typed.map.length + 1)),
      notice: undefined,
      problem: shown.problem,
    });
    return page.send(status, body);
  }
}

const nothing = {
  claim: '',
  label: '',
  idToken: false,
  groups: '',
  attribute: '',
  selfAsserted: false,
  value: '',
  group: '',
  map: [],
  else: '',
};

function typedOf(claim: ClaimJson): TypedClaim {
  const shared = { ...nothing, claim: claim.claim, label: claim.label ?? '', idToken: claim.id_token };
  switch (claim.source) {
    case 'groups':
      return { ...shared, source: claim.source, groups: claim.groups?.join('\n') ?? '' };
    case 'attribute':
      return { ...shared, source: claim.source, attribute: claim.attribute, selfAsserted: claim.self_asserted };
    case 'value':
      return { ...shared, source: claim.source, value: claim.value };
    case 'has-group':
      return { ...shared, source: claim.source, group: claim.group };
    case 'if-group':
      return { ...shared, source: claim.source, map: claim.map, else: claim.else ?? '' };
    case 'map-groups':
      return { ...shared, source: claim.source, map: claim.map };
  }
}

function rowsIn({ field }: FormFields): number {
  return /^\d{1,3}$/.test(field('rows')) ? Number(field('rows')) : 0;
}

/** Undefined if the form names no source. */
function typedIn(form: FormFields): TypedClaim | undefined {
  const { field } = form;
  const source = claimSourceNames.find((each) => each === field('source'));
  const rows = Array.from({ length: Math.min(rowsIn(form), mostMapped) }, (_, index) => ({
    group: field(`group_${index}`).trim(),
    value: field(`value_${index}`).trim(),
  }));
  return (
    source && {
      source,
      claim: field('claim').trim(),
      label: field('label').trim(),
      idToken: field('id_token') === 'yes',
      groups: field('groups'),
      attribute: field('attribute'),
      selfAsserted: field('self_asserted') === 'yes',
      value: field('value').trim(),
      group: field('group').trim(),
      map: rows.filter(({ group, value }) => group !== '' || value !== ''),
      else: field('else').trim(),
    }
  );
}

/** What isn't valid is refused with the rest of the claims. */
function claimOf(typed: TypedClaim): ClaimJson {
  const { source, claim, map } = typed;
  const shared = { label: typed.label === '' ? null : typed.label, id_token: typed.idToken };
  switch (source) {
    case 'groups': {
      const names = typed.groups.split(/\r?\n/).map((name) => name.trim());
      const groups = names.filter((name) => name !== '');
      return { claim, source, groups: groups.length === 0 ? null : groups, ...shared };
    }
    case 'attribute':
      return { claim, source, attribute: typed.attribute, self_asserted: typed.selfAsserted, ...shared };
    case 'value':
      return { claim, source, value: typed.value, ...shared };
    case 'has-group':
      return { claim, source, group: typed.group, ...shared };
    case 'if-group':
      return { claim, source, map, else: typed.else === '' ? null : typed.else, ...shared };
    case 'map-groups':
      return { claim, source, map, ...shared };
  }
}

/** In the place of the one that it was, or behind all others. */
function withClaim(claims: readonly ClaimJson[], was: string | undefined, claim: ClaimJson): ClaimJson[] {
  if (!claims.some((each) => each.claim === was)) return [...claims, claim];
  return claims.map((each) => (each.claim === was ? claim : each));
}
