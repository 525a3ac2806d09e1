// The application that a person has typed. "show" takes its name as well; a command that changes something takes the client ID
// alone, because two applications can have the same name.

import type { AdminOutcome } from '../../operations/admin/outcome.ts';
import type { Services } from '../../operations/services.ts';
import type { Client } from '../../storage/storage.ts';
import { CommandFailed, requireDone } from '../command.ts';
import { didYouMean } from '../frame/suggest.ts';

type Stored = Pick<Services, 'storage'>;

/** By client ID, or else by name, in upper or lower case. */
export async function clientNamed(services: Stored, typed: string): Promise<Client> {
  const byId = await services.storage.findClient(typed);
  if (byId !== undefined) return byId;
  const [found, ...others] = await clientsCalled(services, typed);
  if (found === undefined) {
    const known = (await services.storage.listClients()).flatMap(({ id, name }) => [name, id]);
    throw new CommandFailed(`there is no application "${typed}"${didYouMean(typed, known) || '.'}`);
  }
  if (others.length === 0) return found;
  const ids = [found, ...others].map(({ id }) => id).join(', ');
  throw new CommandFailed(`${others.length + 1} applications are called "${typed}". Use a client ID: ${ids}.`);
}

/** The result, or why there's none. For a name instead of a client ID, it says which ID that would be. */
export async function requireDoneById<Result>(
  services: Stored,
  typed: string,
  outcome: AdminOutcome<Result>,
): Promise<Result> {
  if (outcome.kind === 'refused' && outcome.reason === 'not_found') {
    const called = await clientsCalled(services, typed);
    if (called.length > 0 && (await services.storage.findClient(typed)) === undefined) {
      const ids = called.map(({ id }) => id).join(' or ');
      throw new CommandFailed(`"${typed}" is a name, and this command takes a client ID: ${ids}.`);
    }
  }
  return requireDone(outcome);
}

async function clientsCalled({ storage }: Stored, name: string): Promise<Client[]> {
  const key = name.trim().toLowerCase();
  return (await storage.listClients()).filter((client) => client.name.toLowerCase() === key);
}
