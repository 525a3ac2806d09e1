// The API's operations on what a subject describes, with their schemas.

import { type TSchema, Type } from 'typebox';
import type { AdminOutcome } from '../../operations/admin/outcome.ts';
import type { ListPage } from '../../operations/admin/paging.ts';
import type { Subject } from '../../operations/admin/subject.ts';
import type { Services } from '../../operations/services.ts';
import { rightIn, rights } from '../../protocol/admin/rights.ts';
import { capitalized } from '../../protocol/reading/capitalized.ts';
import { givenByName, jsonOf } from '../../protocol/resources/resource.ts';
import { type ApiOperation, nothing, operationsAt, operationsOn } from './define-operation.ts';
import { creatingBody, shownFields } from './field-schemas.ts';
import { component, Id, listParts, page, pageOf } from './schemas.ts';

/** What the answer to an action has, by its name; nothing if undefined. */
interface Shows {
  readonly data: TSchema;
  json(result: object, services: Services): object;
}

export function subjectOperations<Item extends object, Created extends object>(
  subject: Subject<Item, Created>,
  shows: Readonly<Record<string, Shows>> = {},
): readonly ApiOperation[] {
  const { one, many, area, api: path, fields, list, create, actions } = subject;
  const [One, Many] = [pascalCase(one), pascalCase(many)];
  const notByKeys = rights[rightIn(area, 'change')].key === undefined ? '; not with an API key' : '';
  const summary = (does: string) => `${capitalized(does)}${notByKeys}`;
  const json = (item: object) => jsonOf(fields, item);
  const Shown = component(One, shownFields(fields));
  const createdFields = { ...fields, ...create.once };
  const common = {
    tag: subject.tag ?? many.toLowerCase(),
    path,
    area,
    data: component(`Created${One}`, shownFields(createdFields)),
  };
  const onAll = operationsAt({ ...common, json: (created: Created) => jsonOf(createdFields, create.shown(created)) });
  const onOne = operationsOn({ ...common, ...nothing }, { id: Id }, ({ id }) => id);
  const { read } = list;
  const listed = { summary: summary(`list ${many}, ${list.about}`), message: `${capitalized(many)} retrieved.` };
  return [
    'all' in read
      ? onAll(`list${Many}`, 'GET', {
          ...listed,
          data: Type.Array(Shown),
          json: ({ data }: { readonly data: readonly Item[] }) => data.map(json),
          run: async (services) => ({ kind: 'done', data: await read.all(services) }),
        })
      : onAll(`list${Many}`, 'GET', {
          ...listed,
          query: page,
          data: pageOf(Shown),
          json: listParts(json),
          run: (services, { query }): Promise<AdminOutcome<ListPage<Item>>> => read.page(services, query),
        }),
    onAll(`create${One}`, 'POST', {
      summary: summary(create.does),
      status: 201,
      ...(create.proof && { powerful: true }),
      body: creatingBody(create.fields),
      message: `${capitalized(one)} created.`,
      run: (services, { body }, requester) => create.run(services, givenByName(create.fields, body), requester),
    }),
    ...Object.entries(actions).map(([name, action]) =>
      onOne(`${name}${One}`, 'DELETE', {
        summary: summary(action.does),
        ...(action.proof && { powerful: true }),
        ...shows[name],
        message: `${capitalized(one)} ${action.done}.`,
        run: action.run,
      }),
    ),
  ];
}

/** "SCIM token" as ScimToken. */
function pascalCase(words: string): string {
  return words
    .split(/[ -]/)
    .map((word) => capitalized(word.toLowerCase()))
    .join('');
}
