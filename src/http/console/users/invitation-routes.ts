// The console's routes of invitations: the roles that one gives, and the link to share where no email can be sent.

import type { FastifyInstance } from 'fastify';
import { invitations } from '../../../operations/users/invitation-subject.ts';
import { invitationViews, sharedLink } from '../../../pages/console/users/invitations.ts';
import { roleField } from '../../../pages/console/users/roles.ts';
import { lesserRoles } from '../../../protocol/admin/rights.ts';
import { newInvitationFields, type SentInvitation } from '../../../protocol/resources/invitation.ts';
import type { HttpContext } from '../../context.ts';
import { shownInForm } from '../field-forms.ts';
import { subjectRoutes } from '../subject-routes.ts';

/** Being an administrator is a box by itself. */
const roles = {
  name: 'roles',
  control: 'role',
  kind: 'boxes',
  value: '',
  optional: true,
  options: lesserRoles.map((value) => ({ value })),
} as const;

export function consoleInvitationRoutes(app: FastifyInstance, context: HttpContext): void {
  const { emailQueue } = context.services;
  subjectRoutes(
    app,
    context,
    invitations,
    invitationViews(() => emailQueue.works),
    {
      createAt: '/admin/people/invite',
      fields: () => [...shownInForm(newInvitationFields, 'create'), roles],
      given: ({ field }, given) => ({
        ...given,
        roles: lesserRoles.filter((role) => field(roleField(role)) === 'yes'),
      }),
      shows: ({ frame }, sent: Partial<SentInvitation>) => sharedLink(frame, sent),
    },
  );
}
