// What administrators see, on a service with a month of made-up traffic.

import { createAttribute } from '../../../src/operations/attributes/attributes.ts';
import { changeAllowed } from '../../../src/operations/clients/access-list.ts';
import { changeMembers, createGroup } from '../../../src/operations/groups/groups.ts';
import { workOnReviews } from '../../../src/operations/reviews/review-work.ts';
import { createReview } from '../../../src/operations/reviews/reviews.ts';
import { changeSettings } from '../../../src/operations/settings/change-settings.ts';
import { editUser } from '../../../src/operations/users/edit-user.ts';
import { makeSetUpLink } from '../../../src/operations/users/set-up-link.ts';
import { createSignUpLink, revokeSignUpLink } from '../../../src/operations/users/sign-up-links.ts';
import { HOUR } from '../../../src/protocol/durations.ts';
import { newId } from '../../../src/protocol/identifiers.ts';
import { ask, askableClient } from '../access-requests.ts';
import { noteBreach } from '../account.ts';
import { newWaiting } from '../approval.ts';
import { authorizePath, newVerifier } from '../relying-party.ts';
import { newDirectory } from '../scim.ts';
import { requester, type TestService } from '../service.ts';
import { startConsole } from './console-scene.ts';
import { acmeBrand } from './other-pages.ts';
import { providerPages } from './provider-pages.ts';
import { site } from './site.ts';
import { webhookPages } from './webhook-pages.ts';

const names = ['Ada Lovelace', 'Grace Hopper', 'Alan Turing', 'Katherine Johnson', 'Radia Perlman', 'Mary Jackson'];

export const consolePages = site({
  name: 'the console',
  translated: false,
  start: startConsole,
  after: {
    'console-overview': [
      'console-applications',
      'console-new-application',
      'console-groups-none',
      'console-reviews-none',
      'console-search',
      'console-people',
      'console-new-person',
      'console-people-ending',
      'console-waiting',
      'console-access-requests',
      'console-invitations',
      'console-sign-up-links',
      'console-person',
      'console-edit-person',
      'console-recovery-link',
      'console-events',
      'console-key',
      'console-scim-token',
      'console-managed-group',
      'console-attributes',
      'console-providers-none',
      'console-provider-kinds',
      'console-new-provider',
      'console-providers',
      'console-provider-tried-received',
      'console-webhooks-none',
      'console-application-webhook',
      'console-settings',
      'console-branding',
    ],
    'console-application': ['console-application-program'],
    'console-reviews-none': ['console-review'],
    'console-review': ['console-reviews', 'console-review-close'],
    'console-review-close': ['console-review-closed'],
    'console-group': [
      'console-groups',
      'console-access',
      'console-access-people',
      'console-claim-source',
      'console-group-ending',
    ],
    'console-waiting': ['console-overview-waiting'],
    'console-invitations': ['invitation'],
    'console-events': ['console-failures'],
    'console-attributes': ['console-attribute', 'console-attribute-delete', 'console-person-attributes'],
    'console-providers': [
      'console-provider',
      'console-provider-tried',
      'console-provider-delete',
      'console-provider-disabled',
      'console-person-identities',
      'console-events-providers',
    ],
  },
  pages: {
    async 'console-overview-empty'({ page, fill, press, heading, service }) {
      const link = await makeSetUpLink(service.running.services, requester);
      if (link.kind === 'refused') throw new Error(link.problems[0].says);
      await page.goto(link.url);
      await fill({ email: 'admin@example.com', name: 'Margaret Hamilton', password: 'a rather long phrase' });
      await press('Create account');
      await heading('Overview');
    },
    async 'console-overview'({ visit, press, service, album }) {
      for (const name of names) {
        await service.newUser({ name, email: `${name.split(' ')[0]?.toLowerCase()}@example.com` });
      }
      await service.newClient({ name: 'Field notes', isPublic: true, redirectUris: ['com.example.notes:/callback'] });
      await addTraffic(service, album.id);
      await visit('/admin');
      await press('Hide checklist');
      await visit('/admin');
    },
    'console-applications': ({ visit }) => visit('/admin/applications'),
    'console-new-application': ({ visit }) => visit('/admin/applications/new'),
    async 'console-secret'({ fill, press, heading }) {
      await fill({ name: 'Recipe box', redirect_uris: 'https://recipes.example/oidc/callback' });
      await press('Create application');
      await heading('Copy your client secret');
    },
    async 'console-application'({ follow, heading }) {
      await follow('Continue to application');
      await heading('Recipe box');
    },
    async 'console-application-refused'({ page, service }) {
      const [id = ''] = new URL(page.url()).pathname.split('/').slice(-1);
      const query = new URLSearchParams({ client_id: id, redirect_uri: 'https://recipes.example/callback' });
      await fetch(`${service.url}/oauth-authorize?${query}`);
      await page.reload();
    },
    async 'console-application-program'({ page, press }) {
      await page.getByLabel('Framework or application').selectOption('openid-client');
      await press('Show');
    },
    'console-application-settings': ({ page, visit }) => visit(`${new URL(page.url()).pathname}/settings`),
    async 'console-application-secrets'({ page, visit, press, heading, follow }) {
      await visit(new URL(page.url()).pathname.replace('/settings', '/secrets'));
      await press('Rotate secret');
      await heading('Copy your client secret');
      await follow('Continue to application');
      await visit(`${new URL(page.url()).pathname}/secrets`);
    },
    'console-application-danger': ({ page, visit }) =>
      visit(new URL(page.url()).pathname.replace('/secrets', '/danger')),
    async 'console-revoke'({ page, visit, heading }) {
      await visit(new URL(page.url()).pathname.replace('/danger', '/revoke'));
      await heading('Revoke Recipe box?');
    },
    async 'console-application-revoked'({ press, success }) {
      await press('Revoke application');
      await success();
    },
    'console-reviews-none': ({ visit }) => visit('/admin/reviews'),
    async 'console-review'({ page, visit, success, heading, service }) {
      const { services } = service.running;
      const night = await service.newClient({ name: 'Night desk', access: 'listed' });
      const day = await service.newClient({ name: 'Day desk', access: 'listed' });
      const staff = ['Annie Easley', 'Christine Darden', 'Melba Mouton', 'Miriam Mann'];
      const users = await Promise.all(staff.map((name) => service.newUser({ name })));
      const people = users.map(({ id }) => id);
      for (const { id } of [night, day]) await changeAllowed(services, id, 'allow', { people, groups: [] }, requester);
      const team = await createGroup(services, { name: 'Night team' }, requester);
      if (team.kind !== 'done') throw new Error('no group');
      const add = [{ id: people[0] ?? '' }];
      await changeMembers(services, { id: team.group.id }, { add, expiresAt: null }, requester);
      await changeAllowed(services, night.id, 'allow', { people: [], groups: ['Night team'] }, requester);
      const given = { name: 'Access in spring', due_at: '20d', applications: [night.id, day.id] };
      const made = await createReview(services, given, requester);
      if (made.kind !== 'done') throw new Error('no review');
      while ((await services.storage.findAccessReview(made.review.id))?.status !== 'open') {
        await workOnReviews(services, 'pages');
      }
      await visit(`/admin/reviews/${made.review.id}`);
      await heading('Access in spring');
      for (const box of ['item0', 'item1']) await page.locator(`input[name="${box}"]`).check();
      await page.getByRole('button', { name: 'Remove selected' }).click();
      await success();
    },
    'console-reviews': ({ visit }) => visit('/admin/reviews'),
    async 'console-review-close'({ page, visit, follow, heading }) {
      await visit('/admin/reviews');
      await follow('Access in spring');
      await visit(`${new URL(page.url()).pathname}/close`);
      await heading('Close “Access in spring”?');
    },
    async 'console-review-closed'({ press, success }) {
      await press('Close review');
      await success();
    },
    'console-groups-none': ({ visit }) => visit('/admin/groups'),
    async 'console-group'({ page, visit, fill, press, heading, success }) {
      await fill({ name: 'Design team' });
      await press('Create group');
      await heading('Design team');
      const group = new URL(page.url()).pathname;
      await visit(`${group}?find=gr`);
      await page.getByLabel('Grace Hopper').first().check();
      await press('Add 1 person');
      await success();
      await visit(`${group}?find=a`);
    },
    'console-groups': ({ visit }) => visit('/admin/groups'),
    'console-search': ({ visit }) => visit('/admin/search?q=ra'),
    async 'console-access'({ page, visit, press, success, service }) {
      const vault = await service.newClient({ name: 'Vault', access: 'listed' });
      await visit(`/admin/applications/${vault.id}/access?find=ra`);
      await page.getByLabel('Radia Perlman').first().check();
      await press('Allow 1 person');
      await success();
      await press('Allow group');
      await success();
      await visit(`/admin/applications/${vault.id}/access?find=a`);
    },
    async 'console-access-people'({ visit, service }) {
      const { services } = service.running;
      const grafana = await service.newClient({ name: 'Grafana', access: 'listed' });
      const listed = { people: ['ada@example.com', 'alan@example.com'], groups: ['Design team'] };
      await changeAllowed(services, grafana.id, 'allow', { ...listed, expiresAt: '20d' }, requester);
      await changeAllowed(services, grafana.id, 'allow', { people: ['mary@example.com'], groups: [] }, requester);
      await visit(`/admin/applications/${grafana.id}/access?check=grace@example.com`);
    },
    'console-access-list': ({ follow }) => follow('On the list'),
    async 'console-access-filtered'({ page, visit }) {
      await visit(`${new URL(page.url()).pathname}?unused=90d&check=nobody@example.com`);
      await page.getByText('More filters').click();
    },
    'console-access-open': ({ visit, album }) => visit(`/admin/applications/${album.id}/access`),
    async 'console-access-owners'({ page, visit, press, problem, album }) {
      await visit(`/admin/applications/${album.id}/access`);
      await page.getByText('Change owners').click();
      await page.getByLabel('People', { exact: true }).fill('mary@example.com\nnobody@example.com');
      await press('Save owners and requests');
      await problem();
    },
    async 'console-claim-source'({ visit, album }) {
      await visit(`/admin/applications/${album.id}/claims/new`);
    },
    async 'console-claim'({ page, follow, fill, heading }) {
      await follow('One value by group');
      await heading('Add a claim to Photo album');
      await fill({ claim: 'role', group_0: 'Design team', value_0: 'editor', else: 'viewer', label: 'Your role' });
      await page.getByRole('button', { name: 'Add rows' }).click();
    },
    async 'console-claim-failed'({ fill, press, problem }) {
      await fill({ group_1: 'Nobody', value_1: 'admin' });
      await press('Save claim');
      await problem();
    },
    async 'console-claims'({ fill, press, success }) {
      await fill({ group_1: '', value_1: '' });
      await press('Save claim');
      await success();
    },
    async 'console-claims-preview'({ visit, follow, heading, album }) {
      await visit(`/admin/applications/${album.id}/preview?search=gr`);
      await follow('Grace Hopper');
      await heading('Preview for Grace Hopper');
    },
    'console-people': ({ visit }) => visit('/admin/people'),
    'console-new-person': ({ visit }) => visit('/admin/people/new'),
    async 'console-people-ending'({ visit, service }) {
      await endAccess(service, 'alan@example.com', '5d');
      await endAccess(service, 'mary@example.com', '29d');
      await visit('/admin/people?ending=yes');
    },
    async 'console-person-ending'({ openPerson, follow }) {
      await openPerson('Alan Turing');
      await follow('Access');
    },
    async 'console-group-ending'({ page, visit, follow, heading, fill, press, success }) {
      await visit('/admin/groups');
      await follow('Design team');
      await heading('Design team');
      await page.getByText('Add people').click();
      await fill({ find: 'mary' });
      await press('Find');
      await page.getByLabel('Access ends').selectOption('In 30 days');
      await page.getByLabel('Mary Jackson').first().check();
      await press('Add 1 person');
      await success();
    },
    async 'console-group-undo'({ page, success }) {
      await page.getByRole('button', { name: 'Remove Mary Jackson' }).click();
      await success();
      await page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
    },
    async 'console-waiting'({ visit, service }) {
      for (const [hours, name] of ['Evelyn Boyd Granville', 'Mary Jackson', 'Katherine Johnson'].entries()) {
        const pendingSince = service.clock.now() - hours * 60 * 60 * 1000;
        const email = `${name.split(' ')[0]?.toLowerCase()}@example.org`;
        await newWaiting(service, { name, email, pendingSince, disabledAt: pendingSince });
      }
      await visit('/admin/people/waiting');
    },
    async 'console-waiting-nobody-chosen'({ press, problem }) {
      await press('Approve');
      await problem();
    },
    async 'console-decline'({ page, press }) {
      await page.getByLabel('Select all').check();
      await press('Decline');
      await page.getByRole('dialog', { name: 'Decline 3 people?' }).waitFor();
    },
    'console-overview-waiting': ({ visit }) => visit('/admin'),
    async 'console-person-waiting'({ follow, heading }) {
      await follow('View Katherine Johnson');
      await heading('Katherine Johnson');
    },
    async 'console-access-requests'({ visit, service }) {
      const atlas = await askableClient(service, { name: 'Atlas' });
      const notes = {
        'Mary Allen': 'For the maps of the new office',
        'Ann Lee': '',
        'Joan Clarke': 'I’m on the travel desk from May on.',
      };
      for (const [name, note] of Object.entries(notes)) {
        await ask(service, { user: await service.newUser({ name }), client: atlas, note });
        service.clock.advance(1);
      }
      await visit('/admin/access-requests');
    },
    async 'console-access-request-allow'({ page }) {
      await page.getByRole('link', { name: 'Allow Mary Allen, Atlas' }).click();
      await page.getByRole('dialog').waitFor();
    },
    async 'console-access-request-decline'({ page, visit }) {
      await visit('/admin/access-requests');
      await page.getByRole('link', { name: 'Decline Mary Allen, Atlas' }).click();
      await page.getByRole('dialog').waitFor();
    },
    async 'console-invitations'({ page, visit, fill, press, success }) {
      await visit('/admin/people/invitations');
      await fill({ email: 'guest@example.com', name: 'Dorothy Vaughan' });
      await page.getByLabel('Access ends').selectOption('In 90 days');
      await press('Send invitation');
      await success();
    },
    async 'console-sign-up-links'({ visit, service }) {
      const { services } = service.running;
      const workshop = { uses: 20, days: 14, note: 'Spring workshop in Vienna', groups: [] };
      await createSignUpLink(services, workshop, requester);
      const revoked = await createSignUpLink(services, { note: 'Sent to the wrong list' }, requester);
      if (revoked.kind === 'done') await revokeSignUpLink(services, revoked.link.id, requester);
      await visit('/admin/people/sign-up-links');
    },
    async 'console-new-sign-up-link'({ fill, press, heading }) {
      await fill({ uses: '20', note: 'Spring workshop' });
      await press('Create sign-up link');
      await heading('Share this sign-up link');
    },
    async 'console-person'({ openPerson, service }) {
      await noteBreach(service, 'admin@example.com');
      await openPerson('Margaret Hamilton');
    },
    async 'console-person-access'({ page, follow }) {
      await follow('Access');
      await page.getByLabel('Access ends').last().selectOption('Date and time…');
    },
    'console-person-security': ({ follow }) => follow('Security'),
    'console-person-activity': ({ follow }) => follow('Activity'),
    'console-person-danger': ({ follow }) => follow('Danger zone'),
    async 'console-disable'({ page, follow }) {
      await follow('Disable');
      await page.getByRole('dialog').waitFor();
    },
    async 'console-last-administrator'({ confirm, problem }) {
      await confirm('Disable');
      await problem();
    },
    async 'console-edit-person'({ openPerson, follow, heading }) {
      await openPerson('Margaret Hamilton');
      await follow('Edit');
      await heading('Edit Margaret Hamilton');
    },
    async 'console-recovery-link'({ openPerson, follow, confirm, heading }) {
      await openPerson('Ada Lovelace');
      await follow('Security');
      await follow('Create recovery link');
      await confirm('Create recovery link');
      await heading('Share this link');
    },
    async 'console-events'({ visit, album }) {
      await visit(authorizePath(album, newVerifier(), { redirect_uri: 'https://photos.example/calback' }));
      await visit('/admin/events');
    },
    'console-failures': ({ visit }) => visit('/admin/events?application=Photo+album&failures=yes'),
    async 'console-key'({ page, visit, fill, heading }) {
      await visit('/admin/keys');
      await fill({ name: 'Nightly report' });
      await page.click('form[action="/admin/keys"] button');
      await heading('Copy your API key');
    },
    'console-keys': ({ visit }) => visit('/admin/keys'),
    async 'console-scim-token'({ page, visit, fill, heading }) {
      await visit('/admin/scim-tokens');
      await fill({ source: 'entra', name: 'Entra ID', days: '365' });
      await page.click('form[action="/admin/scim-tokens"] button');
      await heading('Copy your SCIM token');
    },
    'console-scim-tokens': ({ visit }) => visit('/admin/scim-tokens'),
    async 'console-scim-token-revoke'({ page, visit, heading }) {
      // Pressed, the link opens a dialog with the same question.
      await visit((await page.getByRole('link', { name: 'Revoke Entra ID' }).getAttribute('href')) ?? '');
      await heading('Revoke Entra ID?');
    },
    async 'console-managed-group'({ visit, service }) {
      const { services } = service.running;
      const now = services.clock.now();
      const times = { createdAt: now, updatedAt: now, protectedSince: now };
      const group = { id: newId(services.random), name: 'Engineering', managedBy: 'entra', ...times };
      const event = services.journal.event({ kind: 'group_created', detail: { group: group.name } }, requester);
      await services.storage.createGroup(group, event);
      const dorothy = await (await newDirectory(service)).create('dorothy@example.com', {
        displayName: 'Dorothy Vaughan',
      });
      await changeMembers(services, group.id, { add: [{ id: dorothy }] }, requester);
      await visit(`/admin/groups/${group.id}`);
    },
    'console-managed-person': ({ openPerson }) => openPerson('Dorothy Vaughan'),
    async 'console-managed-person-edit'({ page, visit, heading }) {
      await visit(`${new URL(page.url()).pathname}/edit`);
      await heading('Edit Dorothy Vaughan');
    },
    async 'console-attributes'({ visit, service }) {
      const { services } = service.running;
      const department = { name: 'department', label: 'Department', kind: 'text', allowedValues: ['Sales', 'Support'] };
      await createAttribute(services, department, requester);
      await createAttribute(
        services,
        { name: 'skills', label: 'Skills', kind: 'list', editableBy: 'person' },
        requester,
      );
      await visit('/admin/settings/attributes');
    },
    'console-attribute': ({ visit }) => visit('/admin/settings/attributes/department'),
    'console-attribute-delete': ({ visit }) => visit('/admin/settings/attributes/department/delete'),
    async 'console-person-attributes'({ openPerson }) {
      await openPerson('Ada Lovelace');
    },
    ...providerPages,
    ...webhookPages,
    'console-settings': ({ visit }) => visit('/admin/settings'),
    async 'console-settings-failed'({ page, visit, press, problem }) {
      await visit('/admin/settings/sessions');
      await page.getByLabel('Sign out after (hours)').fill('0');
      await press('Save settings');
      await problem();
    },
    'console-settings-directory': ({ visit }) => visit('/admin/settings/directory'),
    async 'console-settings-rules'({ page, visit, press }) {
      await visit('/admin/settings');
      await page.getByLabel('Required for everyone', { exact: true }).check();
      await press('Save settings');
      await page.getByRole('dialog', { name: 'Require two-step verification for everyone?' }).waitFor();
    },
    async 'console-settings-inactive'({ page, visit, press }) {
      await visit('/admin/settings/accounts');
      await page.getByLabel('Disable accounts after (days)').fill('90');
      await press('Save settings');
      await page.getByRole('dialog', { name: "Disable accounts that aren't used for 90 days?" }).waitFor();
    },
    async 'console-branding'({ visit, service }) {
      await changeSettings(service.running.services, acmeBrand, requester);
      await visit('/admin/settings/branding');
    },
    async invitation({ page, service }) {
      await page.context().clearCookies();
      const emails = await service.running.services.emailQueue.list(50);
      const invitation = emails.find(({ email }) => email.to === 'guest@example.com');
      await page.goto(/https?:\/\/\S+\?link=\S+/.exec(invitation?.email.text ?? '')?.[0] ?? '');
    },
  },
});

async function endAccess({ running: { services } }: TestService, email: string, ends: string): Promise<void> {
  const outcome = await editUser(services, { email }, { expiresAt: ends }, requester);
  if (outcome.kind === 'refused') throw new Error(outcome.problems[0].says);
}

async function addTraffic({ clock, running }: TestService, clientId: string): Promise<void> {
  const now = Math.floor(clock.now() / HOUR) * HOUR;
  for (let hours = 0; hours < 24 * 30; hours++) {
    const busy = Math.round(20 + 18 * Math.sin(hours / 3.8) + (hours % 7));
    const at = { hour: now - hours * HOUR, clientId };
    await running.services.storage.addTotals([
      { ...at, kind: 'sign_in', total: busy },
      { ...at, kind: 'exchange', total: busy },
      { ...at, kind: 'refresh', total: busy * 9 },
      ...(hours % 5 === 0 ? [{ ...at, kind: 'failure', total: hours % 3 } as const] : []),
    ]);
  }
}
