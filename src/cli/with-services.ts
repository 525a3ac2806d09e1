// Opens the store for the time of one command. It works beside a running service: both see the same store.

import type { Services } from '../operations/services.ts';
import { type Environment, readConfig } from '../platform/config.ts';
import { composeServices } from './compose.ts';

export async function withServices(
  environment: Environment,
  work: (services: Services) => Promise<void>,
): Promise<void> {
  const { services, close } = await composeServices(readConfig(environment), { busyTimeout: 10_000 });
  try {
    await work(services);
  } finally {
    await close();
  }
}
