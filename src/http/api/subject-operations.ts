// The API's operations on what a subject describes, with their schemas.

import { type TProperties, type TSchema, Type } from 'typebox';
import type { AdminOutcome } from '../../operations/admin/outcome.ts';
import type { ListPage, ListRequest } from '../../operations/admin/paging.ts';
import type { Action, Subject } from '../../operations/admin/subject.ts';
import type { Services } from '../../operations/services.ts';
import { rightIn, rights } from '../../protocol/admin/rights.ts';
import { capitalized } from '../../protocol/reading/in-sentences.ts';
import { givenByName, jsonOf } from '../../protocol/resources/resource.ts';
import { type ApiOperation, nothing, ofAction, operationsAt, operationsOn, strict } from './define-operation.ts';
import { changingBody, creatingBody, shownFields } from './field-schemas.ts';
import { component, counted, foundPageOf, Id, listOf, listParts, page, pageOf, search, Text } from './schemas.ts';

/** What an operation has besides, by the name of its action. */
interface Besides extends Partial<Pick<ApiOperation, 'givesAdminAccess' | 'status'>> {
  readonly data?: TSchema;
  json?(result: object, services: Services): object;
}

interface Special {
  readonly besides?: Readonly<Record<string, Besides>>;
  /** What the body that creates one has besides its fields, which `givenIn` reads. */
  readonly body?: TProperties;
  givenIn?(body: object): object;
}

const forced = {
  force: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'Whether claims of applications that use it change with it.' }),
  ),
};

export function subjectOperations<Item extends object, Found extends object>(
  subject: Subject<Item, Found>,
  { besides = {}, body: more = {}, givenIn = () => ({}) }: Special = {},
): readonly ApiOperation[] {
  const { one, many, area, api: path, fields, key, list, create, show, change, actions } = subject;
  const [One, Many] = [pascalCase(one), pascalCase(many)];
  const notByKeys = rights[rightIn(area, 'change')].key === undefined ? '; not with an API key' : '';
  const summaryOf = ({ does }: { readonly does: string }) => `${capitalized(does)}${notByKeys}`;
  const message = (done: string) => `${capitalized(one)} ${done}.`;

  const data = component(One, shownFields(fields));
  const json = (item: object) => jsonOf(fields, item);
  const common = {
    tag: subject.tag ?? many.toLowerCase(),
    path,
    area,
    data,
    json: (found: Found) => json(subject.shown(found)),
  };
  const onAll = operationsAt(common);
  const naming = key?.name ?? 'id';
  const name =
    key === undefined
      ? Id
      : Type.String({ pattern: fields[key.name]?.pattern?.source ?? '', description: key.description });
  const keyIn = (named: object) => String(Object.entries(named).find(([name]) => name === naming)?.[1]);
  const onOne = operationsOn(common, { [naming]: name }, keyIn);
  const actionOperation = (name: string, action: Action): ApiOperation => {
    const { deletes, force, run } = action;
    const parts = {
      ...ofAction(one, action, key?.inBody && keyIn),
      summary: summaryOf(action),
      ...(deletes && nothing),
      ...besides[name],
    };
    if (key?.inBody) {
      return onAll(`${name}${One}`, `POST /${name}`, {
        ...parts,
        body: Type.Object({ [naming]: Text }, strict),
        run: (services, { body }, requester) => run(services, keyIn(body), requester, false),
      });
    }
    return onOne(`${name}${One}`, deletes ? 'DELETE' : `POST /${name}`, {
      ...parts,
      query: force === undefined ? {} : forced,
      run: (services, named, requester, { query }) => run(services, named, requester, isForced(query)),
    });
  };

  const { read, items = { one, many, fields }, searched } = list;
  const listed = {
    summary: summaryOf({ does: `list ${items.many}${list.about}` }),
    message: `${capitalized(many)} retrieved.`,
  };
  const itemData = items.fields === fields ? data : component(pascalCase(items.one), shownFields(items.fields));
  const itemJson = (item: object) => jsonOf(items.fields, item);
  const { proof } = create;
  const given = (body: object) => ({ ...givenByName(create.fields, body), ...givenIn(body) });
  const createdFields = { ...fields, ...create.once };
  return [
    'page' in read
      ? onAll(`list${Many}`, 'GET', {
          ...listed,
          query: { ...(searched && { ...search, ...counted }), ...page },
          data: searched ? foundPageOf(itemData) : pageOf(itemData),
          json: listParts(itemJson),
          run: (services, { query }): Promise<AdminOutcome<ListPage<Item>>> => read.page(services, requestIn(query)),
        })
      : onAll(`list${Many}`, 'GET', {
          ...listed,
          data: read.asItems ? listOf(itemData) : Type.Array(itemData),
          json: ({ items }: { readonly items: readonly Item[] }) =>
            read.asItems ? { items: items.map(itemJson) } : items.map(itemJson),
          run: async (services) => ({ kind: 'done', items: await read.all(services) }),
        }),
    onAll(create.operation ?? `create${One}`, 'POST', {
      summary: summaryOf(create),
      ...(proof && { powerful: proof === true || ((body, services) => proof(services, given(body))) }),
      status: 201,
      body: creatingBody(create.fields, more),
      ...(create.once && {
        data: component(`Created${One}`, shownFields(createdFields)),
        json: (created: Found) => jsonOf(createdFields, subject.shown(created)),
      }),
      message: message('created'),
      ...besides.create,
      run: (services, { body }, requester) => create.run(services, given(body), requester),
    }),
    ...(show
      ? [
          onOne(`get${One}`, 'GET', {
            summary: summaryOf(show),
            message: message('retrieved'),
            ...besides.show,
            run: show.run,
          }),
        ]
      : []),
    ...(change
      ? [
          onOne(change.operation ?? `update${One}`, 'PATCH', {
            summary: summaryOf(change),
            ...(change.proof && { powerful: change.proof }),
            query: change.force === undefined ? {} : forced,
            body: changingBody(change.fields),
            message: message('updated'),
            run: (services, named, requester, { body, query }) =>
              change.run(services, named, givenByName(change.fields, body), requester, isForced(query)),
          }),
        ]
      : []),
    ...Object.entries(actions).map(([name, action]) => actionOperation(name, action)),
  ];
}

/** Checked against the schema. */
function requestIn(query: object): ListRequest {
  return { ...query, total: 'total' in query && query.total === 'yes' };
}

const isForced = (query: object) => 'force' in query && query.force === 'true';

/** "SCIM token" as ScimToken. */
function pascalCase(words: string): string {
  return words
    .split(/[ -]/)
    .map((word) => capitalized(word.toLowerCase()))
    .join('');
}
