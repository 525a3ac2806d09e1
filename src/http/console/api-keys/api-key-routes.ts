// The console's routes of API keys.

import type { FastifyInstance } from 'fastify';
import { type CreatedByKey, createdPath } from '../../../operations/api-keys/created-by-key.ts';
import { apiKeys } from '../../../operations/api-keys/subject.ts';
import { apiKeyViews, revokedApiKeyPage } from '../../../pages/console/api-keys/api-keys.ts';
import { newApiKeyFields } from '../../../protocol/resources/api-key.ts';
import type { HttpContext } from '../../context.ts';
import { shownInForm } from '../field-forms.ts';
import { subjectRoutes } from '../subject-routes.ts';

/** A form has a permission or says that there are roles instead. */
const insteadOfPermission = 'roles';
const form = shownInForm(newApiKeyFields, 'create').map((field) =>
  field.name === 'permission'
    ? { ...field, options: [...(field.options ?? []), { value: insteadOfPermission }] }
    : field,
);

export function consoleApiKeyRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  // Without the key itself, because shells keep a history of commands.
  const example = `curl -H "Authorization: Bearer $LATCHKEY_API_KEY" ${services.issuer}/api/applications`;
  subjectRoutes(app, context, apiKeys, apiKeyViews(apiKeys.console, example), {
    fields: () => form,
    given({ field, frame }, { permission, ...given }) {
      if (field('permission') !== insteadOfPermission) return { permission, ...given };
      const isEmpty = !Array.isArray(given.roles) || given.roles.length === 0;
      return isEmpty ? { problem: undefined, problems: { roles: frame.messages.admin.keys.noRoles } } : given;
    },
    shows({ frame }, { created: { items, truncated } }: { readonly created: CreatedByKey }) {
      const page = { created: items, truncated, now: services.clock.now(), pathOf: createdPath };
      return items.length === 0 ? undefined : revokedApiKeyPage(frame, page);
    },
  });
}
