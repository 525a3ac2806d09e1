// The commands of what a subject describes, with their help and tables.

import type { AdminOutcome, Unconfirmed } from '../../operations/admin/outcome.ts';
import type { Action, Actions, Subject } from '../../operations/admin/subject.ts';
import type { Services } from '../../operations/services.ts';
import type { Requester } from '../../protocol/event.ts';
import { jsonOf, rowsOf, valueIn } from '../../protocol/resources/resource.ts';
import { CommandFailed, requireDone, UsageError } from '../command.ts';
import { summaries } from '../summaries.ts';
import { confirmLoss, yesOption } from '../terminal/confirm.ts';
import { type Part, styled } from '../terminal/output.ts';
import { briefTime, shownTime } from '../terminal/times.ts';
import { defineStoreCommand } from '../with-services.ts';
import type { Said } from './define.ts';
import { fieldLines, fieldOptions, givenByOptions } from './field-options.ts';
import { limitOption, readList, shownOf } from './lists.ts';
import type { Command, CommandGroup, Completes, OptionSpec, OptionSpecs } from './spec.ts';

/** An ID as they look. */
const exampleId = '6vhp3ewcjxhvrg8cvwbfwnwr7h';

export function subjectCommands<Item extends object, Found extends object>(
  subject: Subject<Item, Found>,
): CommandGroup {
  const { command, about, create, actions } = subject;
  return {
    summary: summaries[command],
    details: about,
    examples: [...create.examples.slice(0, 1), `latchkey ${command} list`],
    formerly: Object.fromEntries(
      Object.entries(actions).flatMap(([name, { formerly }]) => (formerly === undefined ? [] : [[formerly, name]])),
    ),
    commands: {
      create: createCommand(subject),
      list: listCommand(subject),
      ...singleCommands(subject),
      ...actionCommands({ command, key: subject.key }, actions),
    },
  };
}

function createCommand<Item extends object, Found extends object>(subject: Subject<Item, Found>): Command {
  const { create, key, fields } = subject;
  const { once, details, examples } = create;
  const isKeyed = key !== undefined && create.key !== undefined;
  return defineStoreCommand({
    summary: once === undefined ? create.does : `${create.does}, and print it once`,
    ...(details !== undefined && { details }),
    createsStore: true,
    arguments: isKeyed ? { key: { label: key.name.toUpperCase(), about: create.key } } : {},
    options: fieldOptions(create.fields, 'create'),
    examples,
    async run({ services, values, args, requester }) {
      const given = givenByOptions(create.fields, 'create', values);
      // Checked with everything else that is given.
      const whole = (isKeyed ? { ...given, [key.name]: args.key } : given) as typeof given;
      const created = requireDone(await create.run(services, whole, requester));
      const json = jsonOf({ ...fields, ...once }, subject.shown(created));
      return { json, text: await create.says(created, services, { time: shownTime }) };
    },
  });
}

function listCommand<Item extends object, Found extends object>(subject: Subject<Item, Found>): Command {
  const { command, many, fields } = subject;
  const { about, read, columns } = subject.list;
  const titles = Object.keys(columns);
  return defineStoreCommand({
    summary: `list ${many}${about}`,
    options: limitOption,
    examples: [`latchkey ${command} list`],
    async run({ services, values }) {
      const { items, rest } =
        'all' in read
          ? shownOf(values, await read.all(services))
          : await readList(values, (request) => read.page(services, request));
      return {
        json: items.map((item) => jsonOf(fields, item)),
        list: [titles, ...items.map((item) => titles.map((title) => cellOf(subject, title, item)))],
        rest,
        none: `No ${many} yet. Create one with "latchkey ${command} create".`,
      };
    },
  });
}

function singleCommands<Item extends object, Found extends object>(
  subject: Subject<Item, Found>,
): Record<string, Command> {
  const { command, fields, show, change } = subject;
  const report = (found: Found): Said => {
    const item = subject.shown(found);
    return { json: jsonOf(fields, item), fields: fieldLines(fields, item) };
  };
  return {
    ...(show && {
      show: defineStoreCommand({
        summary: show.does,
        arguments: existing(subject),
        examples: [`latchkey ${command} show ${subject.key?.example ?? exampleId}`],
        run: async ({ services, args: { key } }) => report(requireDone(await show.run(services, key))),
      }),
    }),
    ...(change && {
      update: defineStoreCommand({
        summary: change.does,
        ...(change.details !== undefined && { details: change.details }),
        arguments: existing(subject),
        options: { ...fieldOptions(change.fields, 'change'), ...forceOption(change) },
        examples: change.examples,
        async run({ services, values, args: { key }, requester }) {
          const given = givenByOptions(change.fields, 'change', values);
          if (Object.keys(given).length === 0) throw new UsageError('nothing to change');
          const force = 'force' in values && values.force === true;
          return report(requireForced(await change.run(services, key, given, requester, force)));
        },
      }),
    }),
  };
}

/** What actions are about. */
interface ActedOn {
  readonly command: Exclude<Completes, 'file'>;
  readonly key?: { readonly name: string; readonly example: string } | undefined;
  /** Of the key in the help. */
  readonly label?: string;
  /** After an action that says nothing itself. */
  show?(services: Services, key: string, requester: Requester): Promise<Said>;
  /** Fails with what is known about such a key. */
  require?<Result>(services: Services, key: string, outcome: AdminOutcome<Result>): Promise<Result>;
}

export function actionCommands(of: ActedOn, actions: Actions): Record<string, Command> {
  return Object.fromEntries(Object.entries(actions).map(([name, action]) => [name, actionCommand(of, name, action)]));
}

function actionCommand(of: ActedOn, name: string, action: Action): Command {
  const typed = `latchkey ${of.command} ${name} ${of.key?.example ?? exampleId}`;
  const { does: summary, details, loses, examples = loses ? [typed, `${typed} --yes`] : [typed] } = action;
  return defineStoreCommand({
    summary,
    ...(details !== undefined && { details }),
    arguments: existing(of),
    options: { ...forceOption(action), ...(loses && yesOption) } as Record<string, OptionSpec>,
    examples,
    async run({ services, values, args: { key }, requester }) {
      const { yes, force: forced }: Readonly<Record<string, unknown>> = values;
      const force = forced === true;
      const need = async <Result>(outcome: AdminOutcome<Result>) =>
        of.require === undefined ? requireForced(outcome) : of.require(services, key, outcome);
      if (loses) await confirmLoss(yes === true, async () => need(await loses(services, key, requester, force)));
      const result = { key, ...(await need(await action.run(services, key, requester, force))) };
      if (action.says === undefined && of.show !== undefined) return of.show(services, key, requester);
      const json = action.json?.(result, services) ?? { [action.done]: true };
      return { json: { [of.key?.name ?? 'id']: key, ...json }, text: action.says?.(result, services) };
    },
  });
}

function existing({
  key,
  label = key?.name.toUpperCase() ?? '<id>',
  command,
}: Pick<ActedOn, 'key' | 'label' | 'command'>) {
  return { key: { label, completes: command } } as const;
}

function forceOption({ force }: { readonly force?: string }): OptionSpecs {
  return force === undefined ? {} : { force: { about: force } };
}

function requireForced<Result>(outcome: AdminOutcome<Result> | Unconfirmed): Result {
  if (outcome.kind !== 'refused' || !('consequence' in outcome)) return requireDone(outcome);
  throw new CommandFailed(`${outcome.consequence}; confirm that with --force.`);
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
