// Sends the tabs of a person, each with what it needs. Someone who may not change the person gets them without the forms.

import type { FastifyReply } from 'fastify';
import { isOwnedBySource, type Reach, reachOf } from '../../../operations/admin/authority.ts';
import { sharedNamesOf } from '../../../operations/admin/shared-names.ts';
import { listAttributes } from '../../../operations/attributes/attributes.ts';
import { listExplainedEvents } from '../../../operations/events/events.ts';
import type { Services } from '../../../operations/services.ts';
import { listUpstreams } from '../../../operations/upstreams/upstreams.ts';
import { listIdentities } from '../../../operations/users/identities.ts';
import { trustedDevices } from '../../../operations/users/user-access.ts';
import { userValues } from '../../../operations/users/user-json.ts';
import { findUser, userDetails } from '../../../operations/users/users.ts';
import type { PersonTabPage } from '../../../pages/console/users/person-layout.ts';
import { userActivityPage, userPage } from '../../../pages/console/users/user.ts';
import { userDangerPage } from '../../../pages/console/users/user-questions.ts';
import { userSecurityPage } from '../../../pages/console/users/user-security.ts';
import { type AccountFrame, allows } from '../../../pages/layout/app-shell.ts';
import { standingOf } from '../../../protocol/account/standing.ts';
import { may, type Role } from '../../../protocol/admin/rights.ts';
import type { User } from '../../../storage/storage.ts';
import { type SentAttributes, shownAttributes } from '../../attribute-forms.ts';
import type { ConsoleRequest } from '../console-pages.ts';

export const person = '/admin/people/:id';
/** About a screen of them. */
const recentEvents = 20;

export interface Problem {
  readonly problem?: string | undefined;
}

/** What the person's tabs have in common. */
export function tabOfPerson(services: Services, page: ConsoleRequest, user: User, { problem }: Problem): PersonTabPage {
  const now = services.clock.now();
  return {
    person: {
      ...userValues(user),
      standing: standingOf(user, now),
      isYou: user.id === page.signedIn.user.id,
      isOwned: isOwnedBySource(user),
    },
    now,
    notice: page.notice,
    problem,
  };
}

/** Offers what the reader may do to the person. */
export function frameFor({ frame, own, readOnly }: ConsoleRequest, { changes }: Reach): AccountFrame {
  if (changes !== 'not_sign_in') return changes === 'all' ? frame : readOnly(own(person));
  const takeovers = ['recovery-link', 'remove-second-factors', 'verify-email'].map((name) => own(`${person}/${name}`));
  return { ...frame, allows: (method, path) => !takeovers.includes(path) && allows(frame, method, path) };
}

export function personTabs(services: Services) {
  return {
    async profile(
      page: ConsoleRequest,
      status: number,
      attempt: Problem & { readonly attributes?: SentAttributes } = {},
    ): Promise<FastifyReply> {
      const found = await userDetails(services, { id: page.id });
      if (found.kind === 'refused') return page.refuse(found);
      const { user, lastSignInAt, lastActiveAt } = found;
      const [reach, attributes, sharedNames] = await Promise.all([
        reachOf(services, page.requester, user),
        listAttributes(services),
        sharedNamesOf(services, user),
      ]);
      const { emailVerified, picture } = userValues(user);
      const body = userPage(frameFor(page, reach), {
        ...tabOfPerson(services, page, user, attempt),
        emailVerified,
        picture,
        lastSignInAt,
        lastActiveAt,
        attributes: shownAttributes(attributes, user.attributes, attempt.attributes),
        sharedNames,
      });
      return page.send(status, body);
    },

    async security(
      page: ConsoleRequest,
      status: number,
      attempt: Problem & { readonly ticked?: readonly Role[] } = {},
    ): Promise<FastifyReply> {
      const found = await userDetails(services, { id: page.id });
      if (found.kind === 'refused') return page.refuse(found);
      const { user, sessions, signIn, lastSignInAt } = found;
      const [reach, identities, upstreams, trusted] = await Promise.all([
        reachOf(services, page.requester, user),
        listIdentities(services, user),
        listUpstreams(services),
        trustedDevices(services, user),
      ]);
      const body = userSecurityPage(frameFor(page, reach), {
        ...tabOfPerson(services, page, user, attempt),
        lastSignInAt,
        breachedSince: user.breachedSince,
        authenticator: signIn.authenticator !== undefined,
        passkeys: signIn.passkeys.length,
        pausedFactors: signIn.suspended.filter(({ kind }) => kind !== 'recovery_codes').length,
        devices: reach.seesSessions ? { sessions, trusted } : undefined,
        identities:
          identities.length + upstreams.length === 0
            ? undefined
            : identities.map(({ identity, upstream }) => ({ ...identity, upstream })),
        canChangeRoles: may(page.requester.authority, 'roles.change'),
        ticked: attempt.ticked,
        canSendEmail: services.emailQueue.works,
      });
      return page.send(status, body);
    },

    async activity(page: ConsoleRequest): Promise<FastifyReply> {
      const found = await findUser(services, { id: page.id });
      if (found.kind === 'refused') return page.refuse(found);
      const { user } = found;
      const { authority } = page.requester;
      const listed = await listExplainedEvents(services, { user: { id: user.id }, limit: recentEvents, authority });
      if (listed.kind === 'refused') return page.visit.sendErrorPage(400, 'badRequest');
      const frame = frameFor(page, await reachOf(services, page.requester, user));
      const { items: events, names } = listed;
      return page.send(200, userActivityPage(frame, { ...tabOfPerson(services, page, user, {}), events, names }));
    },

    async danger(page: ConsoleRequest, status: number, attempt: Problem = {}): Promise<FastifyReply> {
      const found = await findUser(services, { id: page.id });
      if (found.kind === 'refused') return page.refuse(found);
      const { user } = found;
      const frame = frameFor(page, await reachOf(services, page.requester, user));
      return page.send(status, userDangerPage(frame, tabOfPerson(services, page, user, attempt)));
    },
  };
}
