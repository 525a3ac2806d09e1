// Opens the store for the time of one command. It works beside a running service: both see the same store.

import type { Services } from '../operations/services.ts';
import { type Config, type Environment, readConfig } from '../platform/config.ts';
import { composeServices } from './compose.ts';

export async function withServices(
  environment: Environment,
  work: (services: Services, config: Config) => Promise<void>,
): Promise<void> {
  const config = readConfig(environment);
  const { services, close } = await composeServices(config, { busyTimeout: 10_000 });
  try {
    await work(services, config);
  } finally {
    await close();
  }
}
