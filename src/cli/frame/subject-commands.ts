// The commands of what a subject describes, with their help and tables.

import type { Action, Subject, SubjectCommand } from '../../operations/admin/subject.ts';
import type { Services } from '../../operations/services.ts';
import { jsonOf, rowsOf, valueIn } from '../../protocol/resources/resource.ts';
import { requireDone } from '../command.ts';
import { summaries } from '../summaries.ts';
import { type Part, styled } from '../terminal/output.ts';
import { briefTime, shownTime } from '../terminal/times.ts';
import { defineStoreCommand, everyPage } from '../with-services.ts';
import { fieldOptions, givenByOptions } from './field-options.ts';
import type { Command, CommandGroup } from './spec.ts';

/** An ID as they look. */
const exampleId = '6vhp3ewcjxhvrg8cvwbfwnwr7h';

export function subjectCommands<Item extends object, Created extends object>(
  subject: Subject<Item, Created>,
): CommandGroup {
  const { command, many, about, create, actions } = subject;
  const list = `latchkey ${command} list`;
  return {
    summary: summaries[command],
    details: about,
    examples: [...create.examples.slice(0, 1), list],
    formerly: Object.fromEntries(
      Object.entries(actions).flatMap(([name, { formerly }]) => (formerly === undefined ? [] : [[formerly, name]])),
    ),
    commands: {
      create: defineStoreCommand({
        summary: `${create.does}, and print it once`,
        ...(create.details !== undefined && { details: create.details }),
        createsStore: true,
        options: fieldOptions(create.fields, 'create'),
        examples: create.examples,
        async run({ services, values, requester }) {
          const given = givenByOptions(create.fields, 'create', values);
          const created = requireDone(await create.run(services, given, requester));
          const json = jsonOf({ ...subject.fields, ...create.once }, create.shown(created));
          return { json, text: await create.says(created, services, { time: shownTime }) };
        },
      }),
      list: defineStoreCommand({
        summary: `list ${many}, ${subject.list.about}`,
        examples: [list],
        async run({ services }) {
          const items = await allItems(subject, services);
          const titles = Object.keys(subject.list.columns);
          const table = [titles, ...items.map((item) => titles.map((title) => cellOf(subject, title, item)))];
          const none = `No ${many} yet. Create one with "latchkey ${command} create".`;
          return { json: items.map((item) => jsonOf(subject.fields, item)), table, none };
        },
      }),
      ...Object.fromEntries(
        Object.entries(actions).map(([name, action]) => [name, actionCommand(command, name, action)]),
      ),
    },
  };
}

function actionCommand(command: SubjectCommand, name: string, action: Action): Command {
  return defineStoreCommand({
    summary: action.does,
    arguments: { id: { label: '<id>', completes: command } },
    examples: [`latchkey ${command} ${name} ${exampleId}`],
    async run({ services, args: { id }, requester }) {
      const result = requireDone(await action.run(services, id, requester));
      const json = action.json?.(result, services) ?? { [action.done]: true };
      return { json: { id, ...json }, text: action.says(id, result, services) };
    },
  });
}

async function allItems<Item extends object>(
  { list: { read } }: Subject<Item>,
  services: Services,
): Promise<readonly Item[]> {
  return 'all' in read ? read.all(services) : everyPage((cursor) => read.page(services, { cursor }));
}

/** Of a status, what is in use stands out. */
function cellOf<Item extends object>({ fields, list: { columns } }: Subject<Item>, title: string, item: Item): Part {
  const column = columns[title];
  if (typeof column === 'function') {
    const text = column(item);
    return title === 'STATUS' ? styled(text === 'active' ? 'green' : 'dim', text) : text;
  }
  const row = rowsOf(fields).find(({ name }) => name === column);
  if (row === undefined) throw new Error(`there is no field for the column ${title}`);
  const value = valueIn(item, row.property, row.field);
  if (row.field.kind === 'time') return briefTime(value as number | null);
  if (row.field.kind === 'flag') return value ? 'yes' : 'no';
  return Array.isArray(value) ? value.join(', ') : String(value ?? '');
}
