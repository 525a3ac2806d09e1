// The log of the gate and the bridge: JSON as the service's, an entry per line, and text on a terminal. Neither of them loads
// what writes the service's.

import { hostname } from 'node:os';
import { logStream } from '../service/log-lines.ts';

type Write = (facts: object, text: string) => void;

export interface Log {
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
}

export function logTo(stream: NodeJS.WriteStream): Log {
  const destination = stream.isTTY ? logStream(stream) : stream;
  const machine = hostname();
  const at =
    (level: number): Write =>
    (facts, msg) => {
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
