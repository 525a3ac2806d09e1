// The API's operations on what a subject describes, with their schemas.

import { type TSchema, Type } from 'typebox';
import type { AdminOutcome } from '../../operations/admin/outcome.ts';
import type { ListPage } from '../../operations/admin/paging.ts';
import type { Subject } from '../../operations/admin/subject.ts';
import type { Services } from '../../operations/services.ts';
import { rightIn, rights } from '../../protocol/admin/rights.ts';
import { capitalized } from '../../protocol/reading/capitalized.ts';
import { givenByName, jsonOf } from '../../protocol/resources/resource.ts';
import { type ApiOperation, nothing, ofAction, operationsAt, operationsOn } from './define-operation.ts';
import { changingBody, creatingBody, shownFields } from './field-schemas.ts';
import { component, Id, listOf, listParts, page, pageOf } from './schemas.ts';

/** What the answer to an action has, by its name; nothing if undefined. */
interface Shows {
  readonly data: TSchema;
  json(result: object, services: Services): object;
}

const forced = {
  force: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'Whether claims of applications that use it change with it.' }),
  ),
};

export function subjectOperations<Item extends object, Found extends object>(
  subject: Subject<Item, Found>,
  shows: Readonly<Record<string, Shows>> = {},
): readonly ApiOperation[] {
  const { one, many, area, api: path, fields, key, list, create, show, change, actions } = subject;
  const [One, Many] = [pascalCase(one), pascalCase(many)];
  const notByKeys = rights[rightIn(area, 'change')].key === undefined ? '; not with an API key' : '';
  const said = ({ does, proof }: { readonly does: string; readonly proof?: true }) => ({
    summary: `${capitalized(does)}${notByKeys}`,
    ...(proof && { powerful: proof }),
  });
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
  const onOne = operationsOn(common, { [naming]: name }, (params) => String(params[naming]));

  const { read } = list;
  const listed = { ...said({ does: `list ${many}${list.about}` }), message: `${capitalized(many)} retrieved.` };
  const createdFields = { ...fields, ...create.once };
  return [
    'page' in read
      ? onAll(`list${Many}`, 'GET', {
          ...listed,
          query: page,
          data: pageOf(data),
          json: listParts(json),
          run: (services, { query }): Promise<AdminOutcome<ListPage<Item>>> => read.page(services, query),
        })
      : onAll(`list${Many}`, 'GET', {
          ...listed,
          data: read.asItems ? listOf(data) : Type.Array(data),
          json: ({ items }: { readonly items: readonly Item[] }) =>
            read.asItems ? { items: items.map(json) } : items.map(json),
          run: async (services) => ({ kind: 'done', items: await read.all(services) }),
        }),
    onAll(`create${One}`, 'POST', {
      ...said(create),
      status: 201,
      body: creatingBody(create.fields),
      ...(create.once && {
        data: component(`Created${One}`, shownFields(createdFields)),
        json: (created: Found) => jsonOf(createdFields, subject.shown(created)),
      }),
      message: message('created'),
      run: (services, { body }, requester) => create.run(services, givenByName(create.fields, body), requester),
    }),
    ...(show ? [onOne(`get${One}`, 'GET', { ...said(show), message: message('retrieved'), run: show.run })] : []),
    ...(change
      ? [
          onOne(`update${One}`, 'PATCH', {
            ...said(change),
            query: change.force === undefined ? {} : forced,
            body: changingBody(change.fields),
            message: message('updated'),
            run: (services, named, requester, { body, query }) =>
              change.run(services, named, givenByName(change.fields, body), requester, isForced(query)),
          }),
        ]
      : []),
    ...Object.entries(actions).map(([name, action]) =>
      onOne(`${name}${One}`, 'DELETE', {
        ...ofAction(one, action),
        ...said(action),
        query: action.force === undefined ? {} : forced,
        ...nothing,
        ...shows[name],
        run: (services, named, requester, { query }) => action.run(services, named, requester, isForced(query)),
      }),
    ),
  ];
}

const isForced = (query: object) => 'force' in query && query.force === 'true';

/** "SCIM token" as ScimToken. */
function pascalCase(words: string): string {
  return words
    .split(/[ -]/)
    .map((word) => capitalized(word.toLowerCase()))
    .join('');
}
