// What each command does, in lower case and without a full stop: "latchkey --help" prints these without loading a command.

export const summaries = {
  serve: 'run the service',
  demo: 'run the service together with the demo application (what "npm start" does)',
  'setup-link': 'print a link for creating the first administrator',
  instances: 'list the instances that run on this store',
  doctor:
    'check the configuration, store, instances, clock, keys, email, webhooks, identity providers, proxy and base URL',
  gate: 'run the gate, which signs people in to applications that have no sign-in',
  client: 'manage applications',
  user: 'manage people',
  group: 'manage groups of people who can use applications',
  'access-request': 'allow or decline requests of people who want to use an application',
  review: 'manage reviews of who has access to applications',
  upstream: 'manage the identity providers that people can sign in with, such as Google',
  webhook: 'manage webhooks, which notify other systems of events',
  settings: 'view and change settings, such as who needs two-step verification',
  apply: 'apply a file that describes applications, groups, attributes, upstreams, settings and webhooks, or write one',
  events: 'show and export events, with the reason for every failure',
  migrate: 'update the schema of a PostgreSQL store',
  backup: "copy the store while it's in use",
  export: 'write everything in the store to a file or to standard output',
  import: 'read an export into another store',
  sweep: 'show whether expired data is being deleted, or resume it',
  keys: "rotate the service's keys and retire old ones",
  passwords: 'build a filter that blocks breached passwords',
  completion: 'print a script that completes commands in bash, zsh or fish',
} as const;
