// Every command there is, under the headings of "latchkey --help".

import type { AnyCommand } from './frame/spec.ts';

/** Loaded on demand, because a command starts faster without the others. */
type Load = () => Promise<AnyCommand>;

export const commandsByHeading: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  'Run the service': {
    serve: async () => (await import('./service/serve.ts')).serve,
    demo: async () => (await import('./service/demo.ts')).demo,
    'setup-link': async () => (await import('./users/invitations.ts')).setupLink,
    doctor: async () => (await import('./doctor/doctor.ts')).doctor,
  },
  'Applications and people': {
    client: async () => (await import('./clients/client.ts')).client,
    user: async () => (await import('./users/user.ts')).user,
    group: async () => (await import('./groups/group.ts')).group,
    'api-key': async () => (await import('./api-keys/api-key.ts')).apiKey,
    upstream: async () => (await import('./upstreams/upstream.ts')).upstream,
    webhook: async () => (await import('./webhooks/webhook.ts')).webhook,
    settings: async () => (await import('./settings/settings-command.ts')).settings,
    apply: async () => (await import('./apply/apply.ts')).apply,
    events: async () => (await import('./events/events.ts')).events,
  },
  'The store and the keys': {
    migrate: async () => (await import('./store/store-commands.ts')).migrate,
    backup: async () => (await import('./store/store-commands.ts')).backup,
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

export async function loadCommand(name: string): Promise<AnyCommand | undefined> {
  return Object.hasOwn(loaders, name) ? loaders[name]?.() : undefined;
}
