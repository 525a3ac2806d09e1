// Certificates that nobody vouches for.

import { spawnSync } from 'node:child_process';

/** Writes a certificate for these hosts, and its key. */
export function writeCertificate(files: { certificate: string; key: string }, hosts = ['localhost']): void {
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=localhost', '-addext', `subjectAltName=${hosts.map((host) => `DNS:${host}`).join()}`];
  const places = ['-keyout', files.key, '-out', files.certificate];
  const made = spawnSync('openssl', ['req', ...kind, ...names, ...places], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(made.stderr);
}
