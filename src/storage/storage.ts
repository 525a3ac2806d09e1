// The storage contract: named operations, each described where it's implemented; the records are in records.ts. Every
// operation is atomic: it happens as a whole or not at all, and once it is answered it survives a crash and every later call
// from any process sees it. A change never relies on what was read before: it states its condition and answers whether it
// took place.
//
// Where an operation takes an event, both are written together, or neither is. An operation that answers false has
// changed nothing. One that fails has changed nothing either, unless the error is an OutcomeUnknown; consumeCode finds out
// by itself what happened, as long as the store can be reached again.

import type { sqlStorage } from './sql/sql-storage.ts';

export type { WebhookAttempt, WebhookDelivery } from '../protocol/webhooks/delivery.ts';
export type { AccessibleClient } from './clients/access-of-person-sql.ts';
export type { AccessReason } from './clients/access-reasons.ts';
export type { ListedRequest, RequestDecision, RequestFilters } from './clients/access-requests-sql.ts';
export type * from './clients/client-secret.ts';
export type { OwnerChange, OwnersChange } from './clients/owners-sql.ts';
export type { AccessQuery, PersonWithAccess } from './clients/people-with-access-sql.ts';
export { OutcomeUnknown, StorageConflict, StorageUnavailable, StoreUnusable, UnusableText } from './driver.ts';
export type { EndingAccess, EndMark } from './groups/ending-sql.ts';
export type { ImportedGroup, NamedByKey } from './groups/import-groups-sql.ts';
export type { OpenedClient } from './groups/opened-clients-sql.ts';
export type * from './listed-records.ts';
export type * from './paging.ts';
export type * from './records.ts';
export type {
  OwnReviewItem,
  ReviewItemsFilter,
  ShownReviewItem,
} from './reviews/review-items-sql.ts';
export type { Review, ReviewApplication, ReviewItem } from './reviews/reviews-sql.ts';
export type { MemberChanges, ScimGroupFilter } from './scim/scim-groups-sql.ts';
export type { ScimToken } from './scim/scim-tokens-sql.ts';
export type { ScimUserFilter, ScimView } from './scim/scim-users-sql.ts';
export { type SealedKind, sealedKinds } from './settings/service-keys-sql.ts';
export type { UsedCode } from './sql/email-codes.ts';
export type { SweepLimits } from './sql/housekeeping.ts';
export type { NewEmail } from './sql/mail.ts';
export type { DigestKeys } from './users/deleted-ids-sql.ts';
export type { ImportedUser, ImportKeys, ImportOrigin, TakenKeys } from './users/imports-sql.ts';
export { identityKey } from './users/imports-sql.ts';
export type { InactivePlace, InactiveUser, InactivityRule } from './users/inactivity-sql.ts';
export type { PendingInvitation, UserIdentity } from './users/invitations-sql.ts';
export { countedAtMost } from './users/passwordless-sql.ts';
export type { LogoutData } from './webhooks/logout-messages.ts';
export type * from './webhooks/webhook-records.ts';

export type Storage = ReturnType<typeof sqlStorage>;

type Found<Name extends keyof Storage> = NonNullable<Awaited<ReturnType<Storage[Name]>>>;
export type ClientAndGrant = Found<'findClientAndGrant'>;
export type ClientAndRefreshable = Found<'findClientAndRefreshable'>;
export type RememberedApproval = Found<'findRememberedApproval'>;
export type TokenHolder = Found<'findTokenHolder'>;
