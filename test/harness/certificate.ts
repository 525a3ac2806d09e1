// A certificate for localhost that nobody vouches for.

import { spawnSync } from 'node:child_process';

/** Writes the certificate and its key to these files. */
export function writeCertificate(certificate: string, key: string): void {
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const made = spawnSync('openssl', ['req', ...kind, ...names, '-keyout', key, '-out', certificate], {
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(made.stderr);
}
