// What owners of applications see in the console, who have no role.

import { changeAllowed } from '../../../src/operations/clients/access-list.ts';
import { setOwners } from '../../../src/operations/clients/owners.ts';
import { workOnReviews } from '../../../src/operations/reviews/review-work.ts';
import { createReview } from '../../../src/operations/reviews/reviews.ts';
import { ask, askableClient } from '../access-requests.ts';
import { obtainTokens } from '../relying-party.ts';
import { requester, startTestService } from '../service.ts';
import { site, visitor } from './site.ts';

export const ownerPages = site({
  name: 'the console of an owner',
  translated: false,
  async start(page, language) {
    const service = await startTestService();
    const { services } = service.running;
    const owner = await service.newUser({ name: 'Mary Jackson', email: 'mary@example.com' });
    const atlas = await askableClient(service, { name: 'Atlas' });
    const wiki = await service.newClient({ name: 'Wiki' });
    for (const { id } of [atlas, wiki]) await setOwners(services, id, { people: [owner.id] }, requester);
    for (const name of ['Ada Lovelace', 'Grace Hopper']) {
      const user = await service.newUser({ name });
      await changeAllowed(services, atlas.id, 'allow', { people: [user.id], groups: [] }, requester);
      await obtainTokens(service, atlas, user);
    }
    await ask(service, {
      user: await service.newUser({ name: 'Alan Turing' }),
      client: atlas,
      note: 'For the maps of the new office',
    });
    return { ...visitor(page, service.url, language), service, owner, atlas, stop: () => service.stop() };
  },
  pages: {
    async 'owned-applications'({ visit, signIn, heading, owner }) {
      await visit('/admin');
      await signIn(owner);
      await heading('Your applications');
    },
    'owned-access': ({ visit, atlas }) => visit(`/admin/applications/${atlas.id}/access`),
    async 'owned-access-refused'({ page, fill, press, problem }) {
      await page.getByText('Add people to the list').click();
      await fill({ person: 'nobody@example.com' });
      await press('Give access');
      await problem();
    },
    'owned-events': ({ visit, atlas }) => visit(`/admin/applications/${atlas.id}/activity`),
    'owned-connect': ({ visit, atlas }) => visit(`/admin/applications/${atlas.id}`),
    'owned-requests': ({ visit }) => visit('/admin/access-requests'),
    'owned-reviews-none': ({ visit }) => visit('/admin/reviews'),
    async 'owned-review'({ visit, heading, atlas, service }) {
      const { services } = service.running;
      const given = { name: 'Access in spring', due_at: '20d', applications: [atlas.id] };
      const made = await createReview(services, given, requester);
      if (made.kind !== 'done') throw new Error('no review');
      while ((await services.storage.findAccessReview(made.review.id))?.status !== 'open') {
        await workOnReviews(services, 'pages');
      }
      await visit(`/admin/reviews/${made.review.id}`);
      await heading('Access in spring');
    },
  },
});
