// Everything that the API does.

import { activityOperations } from './activity.ts';
import { applicationOperations } from './clients.ts';
import { ownOperations } from './me.ts';
import type { ApiOperation } from './operation.ts';
import { peopleOperations } from './users.ts';

export const apiOperations: readonly ApiOperation[] = [
  ...applicationOperations,
  ...peopleOperations,
  ...activityOperations,
  ...ownOperations,
];
