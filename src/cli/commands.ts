// Every command there is, under the headings of "latchkey --help", and the one that the words name.

import type { Subject } from '../operations/admin/subject.ts';
import { UsageError } from './command.ts';
import { type AnyCommand, type Command, commandIn, isGroup, type Section } from './frame/spec.ts';
import { didYouMean } from './frame/suggest.ts';
import { summaries } from './summaries.ts';

/** Loaded on demand, because a command starts faster without the others. */
interface Load {
  (): Promise<AnyCommand>;
  /** What it does, if `summaries` doesn't say it. */
  readonly summary?: string;
}

/** The commands of a subject, and what they do. */
function commandsOf<Item extends object, Found extends object>(
  summary: string,
  load: () => Promise<Subject<Item, Found>>,
): Load {
  const commands = async () => {
    const { subjectCommands } = await import('./frame/subject-commands.ts');
    return { ...subjectCommands(await load()), summary };
  };
  return Object.assign(commands, { summary });
}

export const commandsByHeading: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  'Run the service': {
    serve: async () => (await import('./service/serve.ts')).serve,
    demo: async () => (await import('./service/demo.ts')).demo,
    'setup-link': async () => (await import('./users/invitations.ts')).setupLink,
    instances: async () => (await import('./service/instances-command.ts')).instances,
    doctor: async () => (await import('./doctor/doctor.ts')).doctor,
    gate: async () => (await import('./gate/gate.ts')).gate,
    bridge: async () => (await import('./bridge/bridge.ts')).bridge,
  },
  'Applications and people': {
    client: async () => (await import('./clients/client.ts')).client,
    user: async () => (await import('./users/user.ts')).user,
    'sign-up-link': commandsOf(
      'manage sign-up links',
      async () => (await import('../operations/users/sign-up-link-subject.ts')).signUpLinks,
    ),
    group: async () => (await import('./groups/group.ts')).group,
    'access-request': async () => (await import('./access-requests/access-request.ts')).accessRequest,
    attribute: commandsOf(
      'manage attributes of people, such as their department',
      async () => (await import('../operations/attributes/subject.ts')).attributes,
    ),
    'api-key': commandsOf(
      'manage keys for /api',
      async () => (await import('../operations/api-keys/subject.ts')).apiKeys,
    ),
    'scim-token': commandsOf(
      'manage SCIM tokens for directories',
      async () => (await import('../operations/scim/subject.ts')).scimTokens,
    ),
    review: async () => (await import('./reviews/review.ts')).review,
    upstream: async () => (await import('./upstreams/upstream.ts')).upstream,
    webhook: async () => (await import('./webhooks/webhook.ts')).webhook,
    settings: async () => (await import('./settings/settings-command.ts')).settings,
    apply: async () => (await import('./apply/apply.ts')).apply,
    events: async () => (await import('./events/events.ts')).events,
  },
  'The store and the keys': {
    migrate: async () => (await import('./store/store-commands.ts')).migrate,
    backup: async () => (await import('./store/backup.ts')).backup,
    restore: async () => (await import('./store/restore.ts')).restore,
    export: async () => (await import('./store/transfer.ts')).exportCommand,
    import: async () => (await import('./store/transfer.ts')).importCommand,
    sweep: async () => (await import('./store/store-commands.ts')).sweep,
    keys: async () => (await import('./keys.ts')).keys,
    passwords: async () => (await import('./passwords/build-filter.ts')).passwords,
  },
  'Your shell': {
    completion: async () => (await import('./completion/completion.ts')).completion,
  },
};

const loaders: Readonly<Record<string, Load>> = Object.assign({}, ...Object.values(commandsByHeading));

export const commandNames: readonly string[] = Object.keys(loaders);

const summaryOf = (name: string) => new Map<string, string>(Object.entries(summaries)).get(name) ?? '';

/** Loads none of them. */
export const overview: readonly Section[] = Object.entries(commandsByHeading).map(([heading, commands]) => ({
  heading,
  entries: Object.entries(commands).map(([name, { summary = summaryOf(name) }]) => [name, summary]),
}));

export async function loadCommand(name: string): Promise<AnyCommand | undefined> {
  return Object.hasOwn(loaders, name) ? loaders[name]?.() : undefined;
}

export interface Found<Kind extends AnyCommand = AnyCommand> {
  /** The words that name it. */
  readonly path: readonly string[];
  readonly command: Kind;
  /** What it's given. */
  readonly words: readonly string[];
}

/** The command or the group that the words lead to, for help. */
export function findCommand(name: string, command: AnyCommand, words: readonly string[]): Found {
  const [next = '', ...rest] = words;
  const subcommand = isGroup(command) ? commandIn(command, next) : undefined;
  return subcommand === undefined
    ? { path: [name], command, words }
    : { path: [name, subcommand[0]], command: subcommand[1], words: rest };
}

/** Refuses a word that would have to name a command of the group, and doesn't. */
export function requireKnown({ path, command, words: [typed = '-'] }: Found): void {
  if (!isGroup(command) || typed.startsWith('-')) return;
  const question = didYouMean(typed, Object.keys(command.commands));
  throw new UsageError(`unknown command "${[...path, typed].join(' ')}"${question}`);
}

/** The command that the words want to run. */
export function requireRunnable(found: Found): Found<Command> {
  const { path, command, words } = found;
  if (!isGroup(command)) return { path, command, words };
  requireKnown(found);
  if (command.own !== undefined) return { path, command: command.own, words };
  throw new UsageError('missing command');
}
