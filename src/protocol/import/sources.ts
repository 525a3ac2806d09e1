// The services that people can be imported from, and how their files are written.

import { includes } from '../reading/includes.ts';
import type { Json } from '../reading/strict-json.ts';
import type { FirebaseParameters } from '../sign-in/hash-sources/firebase.ts';
import type { ImportChoices, PersonReading } from './person.ts';
import { readAuth0User } from './sources/auth0.ts';
import { readAuthentikUser } from './sources/authentik.ts';
import { readClerkUser } from './sources/clerk.ts';
import { readDjangoObject } from './sources/django.ts';
import { readFirebaseUser } from './sources/firebase.ts';
import { readKeycloakUser } from './sources/keycloak.ts';
import { readLogtoUser } from './sources/logto.ts';
import { readOwnPerson } from './sources/own.ts';

export const importSources = ['keycloak', 'auth0', 'authentik', 'firebase', 'clerk', 'logto', 'django', 'csv'] as const;
export type ImportSource = (typeof importSources)[number];

export interface SourceOptions extends ImportChoices {
  readonly from: ImportSource;
  /** Whether the email addresses of a service that doesn't record it count as verified. */
  readonly emailsVerified?: boolean | undefined;
  readonly firebase?: FirebaseParameters | undefined;
  /** Finds a hash that isn't in the record: by its ID for Auth0, by the username for authentik. */
  readonly hashOf?: ((id: string) => string | undefined) | undefined;
}

export function isImportSource(text: string): text is ImportSource {
  return includes(importSources, text);
}

const readers: Readonly<Record<ImportSource, (record: Json, options: SourceOptions) => PersonReading>> = {
  keycloak: readKeycloakUser,
  auth0: (record, options) => readAuth0User(record, options, options.hashOf),
  authentik: (record, options) => readAuthentikUser(record, options, options.hashOf),
  firebase: (record, options) => readFirebaseUser(record, options, options.firebase),
  clerk: readClerkUser,
  logto: readLogtoUser,
  django: readDjangoObject,
  csv: readOwnPerson,
};

/** Of the record as the service writes it. */
export function readPerson(record: Json, options: SourceOptions): PersonReading {
  return readers[options.from](record, options);
}

const sourceNameForm = /^[a-z0-9][a-z0-9._-]{0,39}$/;

/** Tells several services of the same kind apart. */
export function isSourceName(text: string): boolean {
  return sourceNameForm.test(text);
}
