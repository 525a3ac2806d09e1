// Where each document stands in the navigation.

import type { docsMessages } from '../messages/docs.ts';

type Group = keyof (typeof docsMessages)['groups'];

export interface NavigationEntry {
  /** The name under which the document is served: `clients/fetch`, and `''` for the first page. */
  readonly name: string;
  readonly label: string;
  readonly children: readonly NavigationEntry[];
}

export interface NavigationGroup {
  readonly group: Group;
  readonly entries: readonly NavigationEntry[];
}

const page = (name: string, label: string, children: readonly NavigationEntry[] = []): NavigationEntry => ({
  name,
  label,
  children,
});

const libraries = [
  page('clients/openid-client', 'openid-client'),
  page('clients/oauth4webapi', 'oauth4webapi'),
  page('clients/authjs', 'Auth.js'),
  page('clients/next-auth', 'next-auth (Next.js)'),
  page('clients/better-auth', 'better-auth'),
  page('clients/express-openid-connect', 'express-openid-connect'),
  page('clients/passport-oauth2', 'Passport'),
  page('clients/oidc-client-ts', 'oidc-client-ts'),
  page('clients/react-oidc-context', 'react-oidc-context'),
  page('clients/authlib', 'Authlib'),
  page('clients/omniauth-oauth2', 'OmniAuth'),
  page('clients/go-oidc', 'Go'),
  page('clients/mod-auth-openidc', 'mod_auth_openidc'),
  page('clients/directus', 'Directus'),
  page('clients/node-red', 'Node-RED'),
  page('clients/fetch', 'No library'),
  page('clients/grafana', 'Grafana'),
  page('clients/immich', 'Immich'),
  page('clients/open-webui', 'Open WebUI'),
  page('clients/tinyauth', 'Tinyauth'),
  page('clients/gitea', 'Gitea'),
  page('clients/portainer', 'Portainer'),
  page('clients/compatibility', 'What works, what doesn’t'),
];

/** The navigation of an installation: only what is served. */
export function navigationOf(names: ReadonlySet<string>): readonly NavigationGroup[] {
  const groups: readonly NavigationGroup[] = [
    {
      group: 'start',
      entries: [
        page('', 'Overview'),
        page('quickstart', 'Quickstart'),
        page('concepts', 'Concepts'),
        page('is-it-for-you', 'Is Latchkey for you?'),
      ],
    },
    {
      group: 'build',
      entries: [
        page('clients', 'Client libraries', libraries),
        page('claims', 'Roles and groups'),
        page('sign-out', 'Sign-out'),
        page('webhooks', 'Webhooks'),
        page('troubleshooting', 'Troubleshooting'),
        page('errors', 'Errors'),
      ],
    },
    {
      group: 'operate',
      entries: [
        page('deploying', 'Deploying'),
        page('operating', 'Operating', [
          page('a-year', 'A year of operating'),
          page('people', 'People and access'),
          page('owners', 'Owners of applications'),
          page('command-line', 'The command line'),
          page('monitoring', 'Monitoring'),
        ]),
        page('gate', 'The gate'),
        page('bridge', 'The bridge'),
        page('upstreams', 'Identity providers'),
        page('scim', 'Directories (SCIM)'),
        page('attributes', 'Attributes of people'),
        page('moving', 'Moving people here', [
          page('moving/keycloak', 'From Keycloak'),
          page('moving/auth0', 'From Auth0'),
          page('moving/zitadel', 'From ZITADEL'),
          page('moving/kratos', 'From Ory Kratos'),
          page('moving/pocket-id', 'From Pocket ID'),
        ]),
        page('branding', 'Branding'),
        page('breached-passwords', 'Breached passwords'),
        page('scaling', 'Scaling'),
        page('reliability', 'Reliability'),
        page('performance', 'Performance'),
      ],
    },
    {
      group: 'reference',
      entries: [
        page('endpoints', 'Endpoints'),
        page('settings', 'Settings'),
        page('api', 'Admin API'),
        page('security', 'Security'),
        page('architecture', 'Architecture'),
        page('contributing', 'Contributing'),
        page('changelog', 'Changelog'),
      ],
    },
  ];
  const served = ({ name }: NavigationEntry) => names.has(name);
  return groups.map(({ group, entries }) => ({
    group,
    entries: entries.filter(served).map((entry) => ({ ...entry, children: entry.children.filter(served) })),
  }));
}

/** Every document in reading order, for the links to the previous and the next one. */
export function inReadingOrder(navigation: readonly NavigationGroup[]): readonly NavigationEntry[] {
  return navigation.flatMap(({ entries }) => entries.flatMap((entry) => [entry, ...entry.children]));
}

export function docsPath(name: string): string {
  return name === '' ? '/docs' : `/docs/${name}`;
}
