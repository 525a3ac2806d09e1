// The claims of an application in the console: the tab on its page, the page on which one is added or edited, and the
// preview of what the application would get.

import type { ClaimJson, MappedGroup } from '../../../protocol/oauth/claim-json.ts';
import { type AccountFrame, type PageResult, postForm } from '../../account/account-layout.ts';
import { button } from '../../components/controls.ts';
import { badge, card, notice, table } from '../../components/display.ts';
import { checkbox, field, nameList, select, textArea } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import type { ShownPerson } from '../access-table.ts';
import { action, consoleLayout, pageLink, searchForm } from '../console-layout.ts';
import { groupList, groupNamesPath, joinableNames } from '../field-form.ts';
import type { UserPicker } from '../users/user-picker.ts';
import { type ClientTabPage, clientLayout, clientPath } from './client-layout.ts';

export type ClaimSourceName = keyof AccountFrame['messages']['admin']['claims']['sources'];

export type ListedClaim = ClaimJson & {
  /** Of its attribute; undefined without one, and for one that was deleted. */
  readonly attributeLabel: string | undefined;
};

export interface ClientClaimsPage extends ClientTabPage {
  readonly claims: readonly ListedClaim[];
}

export function clientClaimsPage(frame: AccountFrame, page: ClientClaimsPage): string {
  const m = frame.messages.admin.claims;
  const path = clientPath(page.client.id);
  const { named } = frame.messages.admin;
  const items = page.claims.map(
    (each) => html`<li>
<div>
<h3 class="thing-name"><code>${each.claim}</code> ${each.label ?? each.attributeLabel ?? ''}</h3>
<p class="quiet">${sourceInWords(frame, each)}</p>
${claimBadges(frame, each)}
</div>
${pageLink(frame, { label: m.edit, href: `${path}/claims/edit?claim=${encodeURIComponent(each.claim)}`, small: true, spoken: named(m.edit, each.claim) })}
${action(frame, `${path}/claims/remove`, m.remove, { kind: 'danger', fields: { claim: each.claim }, about: each.claim })}
</li>`,
  );
  const body = card({
    title: m.title,
    lead: m.lead,
    body: items.length === 0 ? html`<p class="quiet">${m.none}</p>` : html`<ul class="things">${items}</ul>`,
    actions: html`${pageLink(frame, { label: m.add, href: `${path}/claims/new` })}${pageLink(frame, { label: m.preview, href: `${path}/preview` })}`,
  });
  return clientLayout(frame, 'claims', page, body);
}

function claimBadges(frame: AccountFrame, claim: ListedClaim): Html | false {
  const m = frame.messages.admin.claims;
  const isEntered = 'self_asserted' in claim && claim.self_asserted;
  if (!claim.id_token && !isEntered) return false;
  return html`<p>${claim.id_token && badge(m.inIdToken)} ${isEntered && badge(m.selfAsserted, 'warning')}</p>`;
}

function sourceInWords({ messages }: AccountFrame, claim: ListedClaim): string {
  const m = messages.admin.claims.inWords;
  const pairs = (map: readonly MappedGroup[]) => map.map(({ group, value }) => m.valueFor(value, group));
  switch (claim.source) {
    case 'groups':
      return claim.groups === null ? m.allGroups : m.someGroups(messages.list(claim.groups));
    case 'attribute':
      return m.attribute(claim.attributeLabel ?? claim.attribute);
    case 'value':
      return m.value(claim.value);
    case 'has-group':
      return m.hasGroup(claim.group);
    case 'if-group':
      return m.first([...pairs(claim.map), ...(claim.else === null ? [] : [m.otherwise(claim.else)])]);
    case 'map-groups':
      return m.each(pairs(claim.map));
  }
}

interface ClaimPage extends PageResult {
  readonly id: string;
  readonly app: string;
}

const sourceNames = (frame: AccountFrame) =>
  Object.entries(frame.messages.admin.claims.sources) as [ClaimSourceName, { name: string; about: string }][];

/** The first step of adding one: each source has a form of its own. */
export function claimSourcePage(frame: AccountFrame, page: ClaimPage): string {
  const m = frame.messages.admin.claims;
  const path = `/admin/applications/${page.id}`;
  const items = sourceNames(frame).map(
    ([source, { name, about }]) =>
      html`<li><div><h3 class="thing-name"><a href="${path}/claims/new?source=${source}">${name}</a></h3><p class="quiet">${about}</p></div></li>`,
  );
  return consoleLayout(frame, {
    section: 'applications',
    title: m.newTitle(page.app),
    back: { href: `${path}/claims`, label: page.app },
    problem: page.problem,
    body: card({ title: m.chooseSource, body: html`<ul class="things">${items}</ul>` }),
  });
}

/** What a form has for a claim, as it's typed. */
export interface TypedClaim {
  readonly source: ClaimSourceName;
  readonly claim: string;
  readonly label: string;
  readonly idToken: boolean;
  /** One per line. */
  readonly groups: string;
  readonly attribute: string;
  readonly selfAsserted: boolean;
  readonly value: string;
  readonly group: string;
  readonly map: readonly { readonly group: string; readonly value: string }[];
  readonly else: string;
}

export interface ClaimFormPage extends ClaimPage {
  /** The claim that is edited; undefined for a new one. */
  readonly was: string | undefined;
  readonly version: string;
  readonly typed: TypedClaim;
  /** How many groups a map has room for. */
  readonly rows: number;
  readonly limits: { readonly claim: number; readonly value: number };
  /** Names to choose from. */
  readonly groups: { readonly names: readonly string[]; readonly more: boolean };
  readonly attributes: readonly { readonly name: string; readonly byPeople: boolean }[];
}

export function claimFormPage(frame: AccountFrame, page: ClaimFormPage): string {
  const { claims: m, cancel } = frame.messages.admin;
  const path = `/admin/applications/${page.id}`;
  const { typed, was } = page;
  const { name, about } = m.sources[typed.source];
  const f = m.fields;
  const more =
    (typed.source === 'if-group' || typed.source === 'map-groups') &&
    button({ label: f.moreRows, name: 'more', value: 'yes' });
  const form = card({
    title: name,
    lead: about,
    body: html`${field({ ...f.claim, name: 'claim', value: typed.claim, limit: page.limits.claim, autocomplete: 'off', verbatim: true })}
${sourceFields(frame, page)}
${field({ ...f.label, name: 'label', value: typed.label, limit: 100, autocomplete: 'off', optional: true })}
${checkbox({ name: 'id_token', label: f.idToken, checked: typed.idToken })}
${nameList(groupList(page.groups, groupNamesPath))}`,
    actions: html`${button({ label: m.save, kind: 'primary' })}${more}${pageLink(frame, { label: cancel, href: `${path}/claims` })}`,
  });
  const carried = { version: page.version, source: typed.source, rows: String(page.rows), was };
  return consoleLayout(frame, {
    section: 'applications',
    title: was === undefined ? m.newTitle(page.app) : m.editTitle(was),
    back: { href: `${path}/claims`, label: page.app },
    problem: page.problem,
    body: postForm(frame, `${path}/claims`, form, carried),
  });
}

function sourceFields(frame: AccountFrame, page: ClaimFormPage): Html {
  const f = frame.messages.admin.claims.fields;
  const { typed, limits } = page;
  const list = groupList(page.groups, groupNamesPath);
  const named = { autocomplete: 'off', verbatim: true } as const;
  switch (typed.source) {
    case 'groups':
      return textArea({
        ...f.groups,
        name: 'groups',
        value: typed.groups,
        rows: 4,
        optional: true,
        names: { ...joinableNames(frame.messages), search: groupNamesPath },
      });
    case 'attribute': {
      if (page.attributes.length === 0) return html`<p class="quiet">${f.noAttributes}</p>`;
      const known = page.attributes.map(({ name, byPeople }) => ({
        value: name,
        label: byPeople ? f.attributeByPeople(name) : name,
      }));
      return html`${select({ ...f.attribute, name: 'attribute', value: typed.attribute, options: known })}
${checkbox({ name: 'self_asserted', label: f.selfAsserted, checked: typed.selfAsserted })}`;
    }
    case 'value':
      return field({ ...f.value, ...named, name: 'value', value: typed.value, limit: limits.value });
    case 'has-group':
      return field({ ...f.group, ...named, name: 'group', value: typed.group, list });
    case 'if-group':
    case 'map-groups': {
      const rows = Array.from({ length: page.rows }, (_, index) => {
        const { group = '', value = '' } = typed.map[index] ?? {};
        const optional = index > 0;
        return html`<div class="pair">
${field({ ...named, name: `group_${index}`, label: f.mapGroup(index + 1), value: group, list, optional })}
${field({ ...named, name: `value_${index}`, label: f.mapValue(index + 1), value, limit: limits.value, optional })}
</div>`;
      });
      if (typed.source === 'map-groups') return html`${rows}`;
      return html`<p class="hint">${f.mapHint}</p>${rows}
${field({ ...f.else, ...named, name: 'else', value: typed.else, limit: limits.value, optional: true })}`;
    }
  }
}

export interface ClaimsPreviewPage extends ClaimPage {
  readonly picker: UserPicker;
  /** Undefined until a person is chosen. */
  readonly preview:
    | {
        readonly name: string;
        readonly userinfo: readonly PreviewedClaim[];
        readonly idToken: readonly PreviewedClaim[];
        readonly dropped: boolean;
      }
    | undefined;
}

export interface PreviewedClaim {
  readonly claim: string;
  /** As JSON. */
  readonly value: string;
  readonly selfAsserted: boolean;
}

export function claimsPreviewPage(frame: AccountFrame, page: ClaimsPreviewPage): string {
  const m = frame.messages.admin.claims;
  const back = `/admin/applications/${page.id}`;
  const { preview } = page;
  const body = html`${preview !== undefined && previewed(frame, preview)}
${card({ title: m.pick, lead: m.previewLead, body: personChoice(frame, page.picker, `${back}/preview`) })}`;
  return consoleLayout(frame, {
    section: 'applications',
    title: preview === undefined ? m.previewTitle(page.app) : m.previewOf(preview.name),
    back: { href: `${back}/claims`, label: page.app },
    problem: page.problem,
    body,
  });
}

function previewed(frame: AccountFrame, preview: NonNullable<ClaimsPreviewPage['preview']>): Html {
  const m = frame.messages.admin.claims;
  const listed = (caption: string, rows: readonly PreviewedClaim[]) =>
    table<PreviewedClaim>({
      caption,
      rows,
      columns: [
        { label: m.claim, cell: ({ claim }) => html`<code>${claim}</code>` },
        {
          label: m.value,
          cell: ({ value, selfAsserted }) =>
            html`<code>${value}</code> ${selfAsserted && badge(m.enteredByYou, 'warning')}`,
        },
      ],
    });
  return html`${card({ title: m.userinfo, body: listed(m.userinfo, preview.userinfo) })}
${card({ title: m.idToken, body: html`${preview.dropped && notice(m.dropped, 'warning')}${listed(m.idToken, preview.idToken)}` })}`;
}

/** Links, because nothing is changed: a preview can be opened again by its URL. */
function personChoice(frame: AccountFrame, { search, found, truncated }: UserPicker, path: string): Html {
  const { people: m, claims, truncated: tooMany } = frame.messages.admin;
  const items = (found ?? []).map(
    ({ id, name, email }: ShownPerson) =>
      html`<li><div><h3 class="thing-name"><a href="${path}?person=${encodeURIComponent(id)}">${name}</a></h3><p class="quiet">${email}</p></div></li>`,
  );
  return html`${searchForm(frame, path, search, m.pickerHint)}
${found !== undefined && (items.length === 0 ? html`<p class="quiet">${m.pickerNone}</p>` : html`<ul class="things" aria-label="${claims.pick}">${items}</ul>`)}
${truncated && notice(tooMany)}`;
}
