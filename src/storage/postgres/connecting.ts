// Turns DATABASE_URL into the configuration of `pg`. Everything is explicit: how pg reads a URL differs between its versions, and
// it would take missing values from variables such as PGHOST and PGSSLMODE.

import { readFileSync } from 'node:fs';
import type { ClientConfig } from 'pg';
import { codeOf, messageOf } from '../../protocol/reading/caught-errors.ts';
import { type Protection, readDatabaseUrl } from '../../protocol/reading/database-url.ts';
import { StoreUnusable } from '../driver.ts';

export function connectionOf(url: string): ClientConfig {
  const reading = readDatabaseUrl(url);
  if (reading.kind === 'invalid') throw new StoreUnusable(`${reading.problem}.`);
  const { host, port, user, password, database, protection, options, applicationName, channelBinding } =
    reading.address;
  return {
    host,
    port,
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...(database !== undefined && { database }),
    ...(options !== undefined && { options }),
    application_name: applicationName ?? 'latchkey',
    enableChannelBinding: channelBinding,
    ssl: tlsOptions(protection),
  };
}

function tlsOptions(protection: Protection) {
  if (protection.kind === 'none') return false;
  const { verified, rootCertificate, certificate, key } = protection;
  return {
    rejectUnauthorized: verified,
    ...(rootCertificate !== undefined && { ca: readNamed(rootCertificate, 'sslrootcert') }),
    ...(certificate !== undefined && { cert: readNamed(certificate, 'sslcert') }),
    ...(key !== undefined && { key: readNamed(key, 'sslkey') }),
  };
}

function readNamed(file: string, parameter: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = codeOf(error) ?? messageOf(error);
    throw new StoreUnusable(`${file}, which ${parameter} in DATABASE_URL names, can't be read (${reason}).`);
  }
}
