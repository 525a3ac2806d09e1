// Loaded into a server with NODE_OPTIONS=--import: collects garbage whenever the process gets SIGUSR2, so that what is left is in
// use.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
process.on('SIGUSR2', () => collect());
