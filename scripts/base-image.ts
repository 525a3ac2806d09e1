// Prints the base image of deploy/Dockerfile, and fails if it has no digest. A tag can be moved: everyone who runs a published image, or
// builds it from the same commit, has to get the base image that was tried.

import { readFileSync } from 'node:fs';

const text = readFileSync(new URL('../deploy/Dockerfile', import.meta.url), 'utf8');
const [, base = ''] = /^ARG BASE_IMAGE=(\S+)$/m.exec(text) ?? [];
if (/@sha256:[0-9a-f]{64}$/.test(base)) process.stdout.write(`${base}\n`);
else {
  const [tag = ''] = base.split('@');
  process.stderr.write(`The base image in deploy/Dockerfile has no digest. Find it, try it and commit it: ARG BASE_IMAGE=${tag}@sha256:…
  docker buildx imagetools inspect ${tag} --format '{{.Manifest.Digest}}'
`);
  process.exitCode = 1;
}
