// Everything that the API does.

import { activityOperations } from './api-activity.ts';
import { applicationOperations } from './api-applications.ts';
import { ownOperations } from './api-me.ts';
import type { ApiOperation } from './api-operation.ts';
import { peopleOperations } from './api-people.ts';

export const apiOperations: readonly ApiOperation[] = [
  ...applicationOperations,
  ...peopleOperations,
  ...activityOperations,
  ...ownOperations,
];
