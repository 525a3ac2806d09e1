// Everything that the API does.

import { activityOperations } from './activity.ts';
import { clientOperations } from './clients.ts';
import { ownOperations } from './me.ts';
import type { ApiOperation } from './operation.ts';
import { userOperations } from './users.ts';

export const apiOperations: readonly ApiOperation[] = [
  ...clientOperations,
  ...userOperations,
  ...activityOperations,
  ...ownOperations,
];
