// The certificates of the cluster, made as an operator would make them, and requests to its machines with or without one.

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { configuration } from './configuration.ts';
import type { Node } from './network.ts';

/** Where deploy/cluster expects them. */
export const certificateFolder = '/etc/ssl/latchkey';
export const authorityFile = `${certificateFolder}/ca.pem`;

interface Question {
  readonly body?: object;
  readonly seconds?: number;
  readonly port?: number;
  /** Without a certificate; db1's if undefined. */
  readonly as?: 'stranger';
}

export class Certificates {
  readonly authority: string;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.authority = join(folder, 'ca.pem');
    mkdirSync(folder, { mode: 0o755 });
    const script = join(folder, 'certificates.sh');
    writeFileSync(script, configuration('certificates.sh', {}));
    const machines = [1, 2, 3, 4, 5].map((number) => `db${number}=10.66.77.1${number}`);
    const { status, stderr } = spawnSync('sh', [script, ...machines], { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`certificates.sh: ${stderr.trim()}`);
    // The services run as other users.
    spawnSync('chmod', ['644', this.authority]);
  }

  /** Puts what a database machine gets into its folder. */
  install(name: string, folder: string): void {
    copyFileSync(this.authority, join(folder, 'ca.pem'));
    for (const kind of ['pem', 'key']) {
      copyFileSync(join(this.#folder, `${name}.${kind}`), join(folder, `machine.${kind}`));
    }
  }

  /** Asks Patroni, or what listens at another port. */
  ask(
    { address }: Node,
    method: string,
    path: string,
    { body, seconds = 60, port = 8008, as }: Question = {},
  ): Promise<{ status: number; text: string }> {
    const [ca, cert, key] = ['ca.pem', 'db1.pem', 'db1.key'].map((name) => readFileSync(join(this.#folder, name)));
    const identity = as === 'stranger' ? { ca } : { ca, cert, key };
    return new Promise((resolve, reject) => {
      const signal = AbortSignal.timeout(seconds * 1000);
      const sent = request({ host: address, port, method, path, agent: false, signal, ...identity }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }));
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}
