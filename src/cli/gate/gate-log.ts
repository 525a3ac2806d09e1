// The gate's log: JSON as the service's, an entry per line, and text on a terminal. The gate doesn't load what writes the
// service's.

import { hostname } from 'node:os';
import type { GateLog } from '../../gate/gate.ts';
import { logStream } from '../service/log-lines.ts';

export function gateLog(stream: NodeJS.WriteStream): GateLog {
  const destination = stream.isTTY ? logStream(stream) : stream;
  const machine = hostname();
  const at = (level: number) => (facts: object, msg: string) => {
    const entry = { level, time: Date.now(), pid: process.pid, hostname: machine, ...facts, msg };
    destination.write(`${JSON.stringify(entry, errorsAsObjects)}\n`);
  };
  return { info: at(30), warn: at(40), error: at(50) };
}

function errorsAsObjects(_name: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { name: type, message, stack, ...more } = value;
  return { ...more, type, message, stack };
}
