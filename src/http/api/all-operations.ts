// Every operation of the API.

import { accessOperations } from './access.ts';
import { clientOperations } from './clients.ts';
import type { ApiOperation } from './define-operation.ts';
import { downloadOperations } from './downloads.ts';
import { eventOperations } from './events.ts';
import { importOperations } from './import.ts';
import { meOperations } from './me.ts';
import { newUserOperations } from './new-users.ts';
import { settingOperations } from './settings.ts';
import { upstreamOperations } from './upstreams/upstreams.ts';
import { userOperations } from './users.ts';
import { deliveryOperations } from './webhooks/deliveries.ts';
import { webhookOperations } from './webhooks/webhooks.ts';

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
  ...deliveryOperations,
  ...meOperations,
];
