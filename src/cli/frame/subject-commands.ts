// The commands of what a subject describes, with their help and tables.

import type { AdminOutcome, Unconfirmed } from '../../operations/admin/outcome.ts';
import type { Action, Actions, Subject } from '../../operations/admin/subject.ts';
import type { Services } from '../../operations/services.ts';
import type { Requester } from '../../protocol/event.ts';
import type { FieldTable } from '../../protocol/resources/field.ts';
import { jsonOf, rowsOf, valueIn } from '../../protocol/resources/resource.ts';
import { CommandFailed, requireDone, UsageError } from '../command.ts';
import { confirmLoss, yesOption } from '../terminal/confirm.ts';
import { type Part, styled } from '../terminal/output.ts';
import { briefTime, howLong, shownTime } from '../terminal/times.ts';
import { defineStoreCommand } from '../with-services.ts';
import type { Said } from './define.ts';
import { fieldLines, fieldOptions, givenByOptions } from './field-options.ts';
import { limitOption, searchList, shownOf } from './lists.ts';
import type { Command, CommandGroup, Completes, OptionSpec, OptionSpecs } from './spec.ts';

/** An ID as they look. */
const exampleId = '6vhp3ewcjxhvrg8cvwbfwnwr7h';

/** What can't be made from the rows. */
interface Special<Found> {
  /** Options of "create" besides those of its fields, or instead of them. */
  readonly options?: OptionSpecs;
  givenBy?(values: Readonly<Record<string, unknown>>): object;
  /** Of one, where that isn't what its fields say. */
  report?(services: Services, found: Found): Said | Promise<Said>;
  /** Made by hand. */
  readonly commands?: Readonly<Record<string, Command>>;
}

export function subjectCommands<Item extends object, Found extends object>(
  subject: Subject<Item, Found>,
  special: Special<Found> = {},
): Omit<CommandGroup, 'summary'> {
  const { about, create, actions } = subject;
  return {
    details: about,
    examples: [...create.examples.slice(0, 1), typed(subject, 'list')],
    formerly: Object.fromEntries(
      Object.entries(actions).flatMap(([name, { formerly }]) => (formerly === undefined ? [] : [[formerly, name]])),
    ),
    commands: Object.fromEntries(
      Object.entries({
        create: createCommand(subject, special),
        list: listCommand(subject),
        ...singleCommands(subject, special),
        ...special.commands,
        ...actionCommands(subject, actions),
      }).map(([name, each]) => [subject.commandNames?.[name] ?? name, each]),
    ),
  };
}

/** As it's typed in a shell. */
function typed({ command, commandNames }: Pick<ActedOn, 'command' | 'commandNames'>, name: string): string {
  return `latchkey ${command} ${commandNames?.[name] ?? name}`;
}

function createCommand<Item extends object, Found extends object>(
  subject: Subject<Item, Found>,
  { options, givenBy, report }: Special<Found>,
): Command {
  const { create, fields } = subject;
  const { once, argument, details, examples } = create;
  const optional = Object.fromEntries(Object.entries(create.fields).filter(([name]) => name !== argument?.name));
  return defineStoreCommand({
    summary: once === undefined ? create.does : `${create.does}, and print it once`,
    ...(details !== undefined && { details }),
    createsStore: true,
    arguments:
      argument === undefined
        ? {}
        : {
            key: { label: argument.name.toUpperCase(), ...(argument.about !== undefined && { about: argument.about }) },
          },
    options: { ...fieldOptions(optional, 'create'), ...options },
    examples,
    async run({ services, values, args, requester }) {
      const whole = {
        ...givenByOptions(optional, 'create', values),
        ...(argument && { [argument.name]: args.key }),
        ...givenBy?.(values),
      };
      const created = requireDone(await create.run(services, whole, requester));
      const said = (await report?.(services, created)) ?? {
        json: jsonOf({ ...fields, ...once }, subject.shown(created)),
      };
      return { json: said.json, text: await create.says(created, services, words) };
    },
  });
}

const words = { time: shownTime, howLong };

function listCommand<Item extends object, Found extends object>(subject: Subject<Item, Found>): Command {
  const { many, fields } = subject;
  const { about, read, columns, items: { many: listed, fields: shown } = { many, fields }, searched } = subject.list;
  const titles = Object.keys(columns);
  const search = { search: { value: 'TEXT', about: 'only those with TEXT in the name' } };
  const none = listed === many ? ` yet. Create one with "${typed(subject, 'create')}"` : '';
  return defineStoreCommand({
    summary: `list ${listed}${about}`,
    options: { ...(searched ? search : {}), ...limitOption } as OptionSpecs & typeof limitOption,
    examples: [typed(subject, 'list')],
    async run({ services, values }) {
      const text = 'search' in values && typeof values.search === 'string' ? values.search : undefined;
      const { items, rest } =
        'all' in read
          ? shownOf(values, await read.all(services))
          : await searchList(services, { ...values, search: text }, (request) => read.page(services, request));
      return {
        json: items.map((item) => jsonOf(shown, item)),
        list: [titles, ...items.map((item) => titles.map((title) => cellOf(shown, columns[title], title, item)))],
        rest,
        none: text === undefined ? `No ${listed}${none}.` : `No ${listed} match ${JSON.stringify(text)}.`,
      };
    },
  });
}

function singleCommands<Item extends object, Found extends object>(
  subject: Subject<Item, Found>,
  special: Special<Found>,
): Record<string, Command> {
  const { fields, show, change } = subject;
  const report = async (services: Services, found: Found): Promise<Said> => {
    if (special.report !== undefined) return special.report(services, found);
    const item = subject.shown(found);
    return { json: jsonOf(fields, item), fields: fieldLines(fields, item) };
  };
  return {
    ...(show && {
      show: defineStoreCommand({
        summary: show.does,
        arguments: existing(subject),
        examples: [`${typed(subject, 'show')} ${exampleOf(subject)}`],
        run: async ({ services, args }) =>
          report(services, requireDone(await show.run(services, await keyOf(subject, services, args.key)))),
      }),
    }),
    ...(change && {
      update: defineStoreCommand({
        summary: change.does,
        ...(change.details !== undefined && { details: change.details }),
        arguments: existing(subject),
        options: { ...fieldOptions(change.fields, 'change'), ...forceOption(change) },
        examples: change.examples,
        async run({ services, values, args, requester }) {
          const given = givenByOptions(change.fields, 'change', values);
          if (Object.keys(given).length === 0) throw new UsageError('nothing to change');
          const force = 'force' in values && values.force === true;
          const key = await keyOf(subject, services, args.key);
          return report(services, requireForced(await change.run(services, key, given, requester, force)));
        },
      }),
    }),
  };
}

/** What actions are about. */
interface ActedOn extends Pick<Subject, 'command' | 'commandNames' | 'named'> {
  readonly completes?: Completes;
  readonly key?: { readonly name: string; readonly example: string };
  /** Of the key in the help. */
  readonly label?: string;
  /** After an action that says nothing itself. */
  report?(services: Services, key: string, requester: Requester): Promise<Said>;
  /** Fails with what is known about such a key. */
  require?<Result>(services: Services, key: string, outcome: AdminOutcome<Result>): Promise<Result>;
}

export function actionCommands(of: ActedOn, actions: Actions): Record<string, Command> {
  return Object.fromEntries(Object.entries(actions).map(([name, action]) => [name, actionCommand(of, name, action)]));
}

function actionCommand(of: ActedOn, name: string, action: Action): Command {
  const example = `${typed(of, name)} ${exampleOf(of)}`;
  const { does: summary, details, loses, examples = loses ? [example, `${example} --yes`] : [example] } = action;
  return defineStoreCommand({
    summary,
    ...(details !== undefined && { details }),
    arguments: existing(of),
    options: { ...forceOption(action), ...(loses && yesOption) } as Record<string, OptionSpec>,
    examples,
    async run({ services, values, args, requester }) {
      const key = await keyOf(of, services, args.key);
      const { yes, force: forced }: Readonly<Record<string, unknown>> = values;
      const force = forced === true;
      const need = async <Result>(outcome: AdminOutcome<Result>) =>
        of.require === undefined ? requireForced(outcome) : of.require(services, key, outcome);
      if (loses) await confirmLoss(yes === true, async () => need(await loses(services, key, requester, force)));
      const result = { key, ...(await need(await action.run(services, key, requester, force))) };
      if (action.says === undefined && of.report !== undefined) return of.report(services, key, requester);
      const json = action.json?.(result, services) ?? { [action.done]: true };
      return { json: { [of.key?.name ?? 'id']: key, ...json }, text: action.says?.(result, services, words) };
    },
  });
}

function existing({ key, named, completes, ...of }: ActedOn) {
  const { label = key?.name.toUpperCase() ?? (named ? 'NAME' : '<id>') } = of;
  return { key: { label, ...(completes && { completes }) } } as const;
}

function forceOption({ force }: { readonly force?: string }): OptionSpecs {
  return force === undefined ? {} : { force: { about: force } };
}

function requireForced<Result>(outcome: AdminOutcome<Result> | Unconfirmed): Result {
  if (outcome.kind !== 'refused' || !('consequence' in outcome)) return requireDone(outcome);
  throw new CommandFailed(`${outcome.consequence}; confirm that with --force.`);
}

function exampleOf({ key, named }: ActedOn): string {
  return key?.example ?? named?.example ?? exampleId;
}

/** What operations take, for what was typed. */
async function keyOf({ named }: Pick<Subject, 'named'>, services: Services, text: string): Promise<string> {
  return named === undefined ? text : requireDone(await named.find(services, text)).id;
}

/** Of a status, what is in use stands out. */
function cellOf<Item extends object>(
  fields: FieldTable,
  column: string | ((item: Item) => string) | undefined,
  title: string,
  item: Item,
): Part {
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
