// Loaded into a service before its own code (`--import`): its clock is off by as many milliseconds as the file FAULTS_CLOCK says,
// which is read again and again. What measures time that passes isn't affected, as on a machine whose clock was set.

import { readFileSync } from 'node:fs';

const readEvery = 100;
const RealDate = Date;
const file = process.env.FAULTS_CLOCK ?? '';
let offset = Number(readFileSync(file, 'utf8'));
setInterval(() => {
  offset = Number(readFileSync(file, 'utf8'));
}, readEvery).unref();

const now = () => RealDate.now() + offset;

globalThis.Date = new Proxy(RealDate, {
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
});
