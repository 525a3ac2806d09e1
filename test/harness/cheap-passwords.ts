// Takes the place of platform/passwords in the process that runs commands (command-process.ts): hashes cost as little as those
// of the services in tests. A hash says what it costs, so a service verifies either kind.

import { argon2Passwords as atFullCost, type PasswordLimits } from '../../src/platform/passwords/passwords.ts';

export * from '../../src/platform/passwords/passwords.ts';

export const argon2Passwords = (limits: PasswordLimits) => atFullCost({ ...limits, memory: 512 });
