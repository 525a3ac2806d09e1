// The console's routes of SCIM tokens.

import type { FastifyInstance } from 'fastify';
import { scimBase } from '../../../operations/scim/scim-people.ts';
import { scimTokens } from '../../../operations/scim/subject.ts';
import { listUpstreams } from '../../../operations/upstreams/upstreams.ts';
import { scimTokenViews } from '../../../pages/console/scim/scim-tokens.ts';
import { newScimTokenFields } from '../../../protocol/resources/scim-token.ts';
import type { HttpContext } from '../../context.ts';
import { shownInForm } from '../field-forms.ts';
import { subjectRoutes } from '../subject-routes.ts';

export function consoleScimTokenRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services, docs } = context;
  const addresses = { baseUrl: scimBase(services.issuer), docs: docs === 'on' };
  subjectRoutes(app, context, scimTokens, scimTokenViews(scimTokens.console, addresses), {
    async fields() {
      const upstreams = await listUpstreams(services);
      const choices = { upstream: upstreams.map(({ name, label }) => ({ value: name, label })) };
      const all = shownInForm(newScimTokenFields, 'create', {}, choices);
      const fields = [...all.filter(({ kind }) => kind !== 'flag'), ...all.filter(({ kind }) => kind === 'flag')];
      // Without an identity provider there is no claim to choose.
      return upstreams.length > 0 ? fields : fields.filter(({ name }) => name !== 'subject_claim');
    },
  });
}
