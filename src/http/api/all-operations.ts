// Every operation of the API.

import { apiKeyOperations } from './api-keys/api-key-operations.ts';
import { attributeOperations } from './attributes/attribute-operations.ts';
import { accessOperations } from './clients/access-operations.ts';
import { clientOperations } from './clients/client-operations.ts';
import type { ApiOperation } from './define-operation.ts';
import { downloadOperations } from './downloads.ts';
import { eventOperations } from './events/event-operations.ts';
import { groupOperations } from './groups/group-operations.ts';
import { meOperations } from './me.ts';
import { scimTokenOperations } from './scim/scim-token-operations.ts';
import { settingOperations } from './settings/setting-operations.ts';
import { upstreamOperations } from './upstreams/upstream-operations.ts';
import { importOperations } from './users/import-operations.ts';
import { invitationOperations } from './users/invitation-operations.ts';
import { signUpLinkOperations } from './users/sign-up-link-operations.ts';
import { userOperations } from './users/user-operations.ts';
import { webhookOperations } from './webhooks/webhook-operations.ts';

export const apiOperations: readonly ApiOperation[] = [
  ...clientOperations,
  ...accessOperations,
  ...groupOperations,
  ...attributeOperations,
  ...userOperations,
  ...invitationOperations,
  ...signUpLinkOperations,
  ...importOperations,
  ...downloadOperations,
  ...eventOperations,
  ...settingOperations,
  ...upstreamOperations,
  ...webhookOperations,
  ...apiKeyOperations,
  ...scimTokenOperations,
  ...meOperations,
];
