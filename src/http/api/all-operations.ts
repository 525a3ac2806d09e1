// Every operation of the API.

import { clientOperations } from './clients/client-operations.ts';
import type { ApiOperation } from './define-operation.ts';
import { downloadOperations } from './downloads.ts';
import { eventOperations } from './events/event-operations.ts';
import { accessOperations } from './groups/access-operations.ts';
import { meOperations } from './me.ts';
import { settingOperations } from './settings/setting-operations.ts';
import { upstreamOperations } from './upstreams/upstream-operations.ts';
import { importOperations } from './users/import-operations.ts';
import { newUserOperations } from './users/new-user-operations.ts';
import { userOperations } from './users/user-operations.ts';
import { webhookOperations } from './webhooks/webhook-operations.ts';

export const apiOperations: readonly ApiOperation[] = [
  ...clientOperations,
  ...accessOperations,
  ...userOperations,
  ...newUserOperations,
  ...importOperations,
  ...downloadOperations,
  ...eventOperations,
  ...settingOperations,
  ...upstreamOperations,
  ...webhookOperations,
  ...meOperations,
];
