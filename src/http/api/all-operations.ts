// Every operation of the API.

import { apiKeys } from '../../operations/api-keys/subject.ts';
import { attributes } from '../../operations/attributes/subject.ts';
import { scimTokens } from '../../operations/scim/subject.ts';
import { signUpLinks } from '../../operations/users/sign-up-link-subject.ts';
import { accessRequestOperations } from './access-requests/access-request-operations.ts';
import { revokedApiKey } from './api-keys/revoked-api-key.ts';
import { accessOperations } from './clients/access-operations.ts';
import { clientOperations } from './clients/client-operations.ts';
import { ownerOperations } from './clients/owner-operations.ts';
import { accessPeopleOperations } from './clients/people-operations.ts';
import type { ApiOperation } from './define-operation.ts';
import { downloadOperations } from './downloads.ts';
import { eventOperations } from './events/event-operations.ts';
import { groupOperations } from './groups/group-operations.ts';
import { meOperations } from './me.ts';
import { reviewOperations } from './reviews/review-operations.ts';
import { settingOperations } from './settings/setting-operations.ts';
import { subjectOperations } from './subject-operations.ts';
import { upstreamOperations } from './upstreams/upstream-operations.ts';
import { importOperations } from './users/import-operations.ts';
import { invitationOperations } from './users/invitation-operations.ts';
import { userOperations } from './users/user-operations.ts';
import { webhookOperations } from './webhooks/webhook-operations.ts';

export const apiOperations: readonly ApiOperation[] = [
  ...clientOperations,
  ...accessOperations,
  ...accessPeopleOperations,
  ...accessRequestOperations,
  ...ownerOperations,
  ...groupOperations,
  ...subjectOperations(attributes),
  ...userOperations,
  ...invitationOperations,
  ...subjectOperations(signUpLinks),
  ...importOperations,
  ...downloadOperations,
  ...eventOperations,
  ...reviewOperations,
  ...settingOperations,
  ...upstreamOperations,
  ...webhookOperations,
  ...subjectOperations(apiKeys, { besides: { revoke: revokedApiKey } }),
  ...subjectOperations(scimTokens),
  ...meOperations,
];
