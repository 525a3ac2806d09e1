// How a process that serves starts and ends: what it says when it can't listen, which signal stops it, and how long it
// takes at most to finish.

import { CommandFailed } from '../command.ts';

/** Supervisors usually kill a process ten seconds after asking it to stop. */
const stopDeadline = 9000;

/** Turns the error of a port that can't be used into a sentence for the operator. */
export async function explainListenErrors<Started>(
  start: () => Promise<Started>,
  host: string,
  port: number,
): Promise<Started> {
  try {
    return await start();
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new CommandFailed(`Port ${port} on ${host} is in use. Stop what listens there, or set LATCHKEY_PORT.`);
    }
    if (syscall !== undefined) throw new CommandFailed(`Cannot listen on ${host} port ${port}: ${message}.`);
    throw error;
  }
}

/** Resolves with the name of the first signal that asks the process to stop. */
export function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => resolve(name));
  });
}

/** Ends the process at the deadline, whatever isn't finished by then. */
export function exitByDeadline(): void {
  setTimeout(() => process.exit(1), stopDeadline).unref();
}
