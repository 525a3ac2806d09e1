// The overview of a service that a company uses: 300 people, most of whom have signed in, and nothing to look at. It's in the README.

import { DAY, HOUR } from '../../../src/protocol/durations.ts';
import { anEvent, aUser } from '../../storage/records.ts';
import { startTestService, type TestService } from '../service.ts';
import { site, visitor } from './site.ts';

const people = 300;
/** How many of a hundred sign-ins each gets. */
const applications = { Wiki: 34, Grafana: 22, Tickets: 19, Nextcloud: 16, 'Photo album': 9 };

export const busyPages = site({
  name: 'the console of a company',
  translated: false,
  async start(page, language) {
    const service = await startTestService({
      LATCHKEY_SMTP_URL: 'smtp://localhost:9',
      LATCHKEY_MAIL_FROM: 'id@example.com',
    });
    const administrator = await service.newUser({ name: 'Margaret Hamilton', email: 'admin@example.com', admin: true });
    await addPeople(service);
    let index = 0;
    for (const [name, share] of Object.entries(applications)) {
      const { id } = await service.newClient({ name });
      await addTraffic(service, id, share / 100, index++);
    }
    return { ...visitor(page, service.url, language), service, administrator, stop: () => service.stop() };
  },
  pages: {
    async 'console-busy'({ visit, signIn, heading, press, service, administrator }) {
      await visit('/admin');
      await signIn(administrator);
      await heading('Overview');
      await press('Hide checklist');
      // As behind a proxy with a certificate.
      Object.assign(service.running.services, { issuer: 'https://id.example.com' });
      await visit('/admin');
      await heading('Overview');
    },
  },
});

/** Most signed in during the last days, two in three with a second factor; a few never did. */
async function addPeople({ clock, running, execute }: TestService): Promise<void> {
  const now = clock.now();
  const made = Array.from({ length: people - 1 }, (_, index) => {
    const seen = now - (index % 19) * DAY - ((index * 7) % 24) * HOUR;
    return aUser({ name: index % 23 === 0 ? 'New' : index % 3 === 0 ? 'Plain' : 'Safe', createdAt: seen - DAY });
  });
  await Promise.all(made.map((user) => running.services.storage.createUser(user, anEvent())));
  await execute(`UPDATE users SET last_sign_in_at = created_at + ${DAY}, last_active_at = created_at + ${DAY}
    WHERE name IN ('Plain', 'Safe')`);
  await execute(`UPDATE users SET has_factor = 1 WHERE name = 'Safe'`);
}

/** Most of it on weekdays, between 6 and 18 hours UTC. */
async function addTraffic({ clock, running }: TestService, clientId: string, share: number, index: number) {
  const now = Math.floor(clock.now() / HOUR) * HOUR;
  for (let hours = 0; hours < 24 * 30; hours++) {
    const hour = now - hours * HOUR;
    const time = new Date(hour);
    const weekend = time.getUTCDay() % 6 === 0 ? 0.15 : 1;
    const shape = Math.max(0.04, Math.sin(((time.getUTCHours() - 5) / 14) * Math.PI));
    const busy = Math.round(share * weekend * shape * (48 + ((hours * 13 + index * 5) % 11)));
    const at = { hour, clientId };
    await running.services.storage.addTotals([
      { ...at, kind: 'sign_in', total: busy },
      { ...at, kind: 'exchange', total: busy },
      { ...at, kind: 'refresh', total: busy * 6 },
      ...((hours + index) % 9 === 0 && busy > 2 ? [{ ...at, kind: 'failure', total: 1 } as const] : []),
    ]);
  }
}
