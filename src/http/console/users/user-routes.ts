// The console's pages about people: the list, one person, and every change to them. Inviting is in invitation-routes.ts.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { isOwnedBySource } from '../../../operations/admin/authority.ts';
import { type Refused, refusalSentence } from '../../../operations/admin/outcome.ts';
import { listAttributes } from '../../../operations/attributes/attributes.ts';
import { downloadUsers } from '../../../operations/downloads/list-download.ts';
import {
  deleteUser,
  disableUser,
  enableUser,
  endSessions,
  makeAdministrator,
  removeAdministrator,
  verifyEmail,
} from '../../../operations/users/disable-user.ts';
import { editUser } from '../../../operations/users/edit-user.ts';
import { listIdentities, revokeIdentities } from '../../../operations/users/identities.ts';
import { countListed } from '../../../operations/users/people-count.ts';
import { changeRoles } from '../../../operations/users/set-roles.ts';
import { signUpLinks } from '../../../operations/users/sign-up-link-subject.ts';
import { userValues } from '../../../operations/users/user-json.ts';
import { makeRecoveryLink, removeSecondFactors, sendReset } from '../../../operations/users/user-recovery.ts';
import {
  createUserWithLink,
  creatorCanSignIn,
  findChangeable,
  findUser,
  listDirectories,
  listUsers,
  newUserRefusal,
} from '../../../operations/users/users.ts';
import { shareLinkPage } from '../../../pages/console/console-layout.ts';
import { roleField } from '../../../pages/console/users/roles.ts';
import { signUpLinkViews } from '../../../pages/console/users/sign-up-links.ts';
import { editUserPage, newUserPage } from '../../../pages/console/users/user-forms.ts';
import { usersPage } from '../../../pages/console/users/user-list.ts';
import { userQuestions } from '../../../pages/console/users/user-questions.ts';
import { personSegment } from '../../../pages/layout/person-path.ts';
import { standingOf } from '../../../protocol/account/standing.ts';
import { lesserRoles, type Role } from '../../../protocol/admin/rights.ts';
import { changesNeedProof, creatingNeedsProof } from '../../../protocol/resources/resource.ts';
import { userFields } from '../../../protocol/resources/user.ts';
import type { FormFields } from '../../account/account-pages.ts';
import { sentAttributes } from '../../attribute-forms.ts';
import type { HttpContext } from '../../context.ts';
import { peopleDownload } from '../../downloads/lists.ts';
import { type ConsoleForm, type ConsoleRequest, consolePages } from '../console-pages.ts';
import { downloadRoutes } from '../download-routes.ts';
import { givenInForm, sentInForm, shownInForm } from '../field-forms.ts';
import { formProblems } from '../form-problems.ts';
import { filterChoices, isGone, listedIn, listRequestIn, peopleFiltersIn } from '../list-requests.ts';
import { subjectRoutes } from '../subject-routes.ts';
import { consoleInvitationRoutes } from './invitation-routes.ts';
import { personAccessRoutes } from './person-access-routes.ts';
import { person, personTabs } from './person-tabs.ts';
import { consoleWaitingRoutes } from './waiting-routes.ts';

const list = '/admin/people';
const security = `${person}/security`;
const danger = `${person}/danger`;
/** The tabs with the links to questions, apart from those about signing in. */
const backTo: Readonly<Record<string, string>> = { 'verify-email': person, disable: danger, delete: danger };

export function consoleUserRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context, 'people');
  const changing = pages.needing('people.change');
  const changingRoles = pages.needing('roles.change');

  consoleInvitationRoutes(app, context);
  consoleWaitingRoutes(app, context);
  personAccessRoutes(app, context);
  const isClosed = async () => (await services.settings.readFresh()).sign_up === 'closed';
  subjectRoutes(app, context, signUpLinks, signUpLinkViews(signUpLinks.console, isClosed));

  pages.get(list, async (page) => {
    const [request, filters] = [listRequestIn(page), peopleFiltersIn(page)];
    const total = request.search.trim() === '' ? await countListed(services, filters) : undefined;
    const outcome = await listUsers(services, { ...request, ...filters, total: total === undefined });
    const { items, ...listed } = listedIn(outcome.kind === 'done' && total ? { ...outcome, total } : outcome);
    if (isGone(listed.place)) return page.sendMoved();
    const now = services.clock.now();
    const body = usersPage(page.frame, {
      ...listed,
      search: request.search,
      // These filters have an order of their own.
      sort: request.sort || (filters.expires_within === undefined && filters.inactive === undefined ? '-created' : ''),
      filters,
      choices: filterChoices(filters, await listDirectories(services)),
      users: items.map((user) => ({ ...userValues(user), standing: standingOf(user, now) })),
      now,
      notice: page.notice,
    });
    return page.send(listed.status, body);
  });

  const download = async () => peopleDownload(await listAttributes(services));
  downloadRoutes(app, context, { section: 'people', path: list }, download, (page, request) =>
    downloadUsers(services, { ...listRequestIn(page), ...peopleFiltersIn(page) }, request),
  );

  changing.get(`${list}/new`, ({ frame, send, submissionToken }) => {
    const fields = shownInForm(userFields, 'create');
    return send(200, newUserPage(frame, { fields, withPassword: false, submissionToken, problems: {} }));
  });

  const passwordIn = ({ field }: FormFields) => (field('password_choice') === 'set' ? field('password') : undefined);
  const create = async (form: ConsoleForm) => {
    const password = passwordIn(form);
    const withPassword = password !== undefined;
    const input = { ...givenInForm(userFields, 'create', form), password };
    const isUnsure = !withPassword && form.field('password') !== '';
    const refuse = (refusal: Refused | undefined) => {
      const { problem, problems } = refusal ? formProblems(refusal) : { problem: undefined, problems: {} };
      const { frame, submissionToken } = form;
      const unsure = isUnsure && { password: frame.messages.admin.people.notChosen };
      const fields = sentInForm(shownInForm(userFields, 'create'), form);
      const page = { fields, withPassword, submissionToken, problem, problems: { ...problems, ...unsure } };
      return form.send(400, newUserPage(frame, page));
    };
    const refusal = await newUserRefusal(services, input);
    if (refusal !== undefined || isUnsure) return refuse(refusal);
    const outcome = await createUserWithLink(services, input, form.requester);
    if (outcome.kind === 'refused') return refuse(outcome);
    const { user, link } = outcome;
    const path = `${list}/${personSegment(user.id)}`;
    if (link?.url !== undefined) {
      return form.send(200, shareLinkPage(form.frame, { url: link.url, until: link.expiresAt, back: path }));
    }
    return form.goTo(`${path}?done=${link === undefined ? 'person-created' : 'link-sent'}`);
  };
  pages.powerful(list, create, {
    when: (form) =>
      creatingNeedsProof(userFields, givenInForm(userFields, 'create', form)) ||
      creatorCanSignIn(services, passwordIn(form)),
  });

  changing.get(`${person}/edit`, (page) => sendEdit(page, 200));

  pages.powerful(
    `${person}/edit`,
    async (form) => {
      const change = givenInForm(userFields, 'change', form);
      const outcome = await editUser(services, { id: form.id }, change, form.requester);
      if (outcome.kind === 'refused' && outcome.reason === 'forbidden') return form.refuse(outcome);
      if (outcome.kind === 'refused') return sendEdit(form, 400, { form, refusal: outcome });
      const { changed, notified } = outcome;
      return form.goTo(`${person}?done=${notified ? 'person-saved' : changed ? 'saved' : 'person-unchanged'}`);
    },
    {
      when: async (form) => {
        const found = await findUser(services, { id: form.id });
        const given = givenInForm(userFields, 'change', form);
        return found.kind === 'done' && changesNeedProof(userFields, found.user, given, services.clock.now());
      },
    },
  );

  const tabs = personTabs(services);
  pages.get(person, (page) => tabs.profile(page, 200));
  pages.get(`${person}/security`, (page) => tabs.security(page, 200));
  pages.get(`${person}/activity`, tabs.activity);
  changing.get(`${person}/danger`, async (page) => {
    const found = await findChangeable(services, { id: page.id }, page.requester);
    return found.kind === 'refused' ? page.refuse(found) : tabs.danger(page, 200);
  });

  const target = ({ id }: ConsoleForm) => ({ id });
  const roleButtons = {
    'make-administrator': { run: makeAdministrator, done: `${security}?done=made-administrator`, powerful: true },
    'remove-administrator': {
      run: removeAdministrator,
      done: `${security}?done=administrator-removed`,
      powerful: true,
    },
  } as const;
  changingRoles.buttons(person, tabs.security, target, roleButtons);

  for (const [name, ask] of Object.entries(userQuestions)) {
    const routes = Object.hasOwn(roleButtons, name) ? changingRoles : pages;
    routes.question(`${person}/${name}`, 'people', async (page) => {
      const found = await findChangeable(services, { id: page.id }, page.requester);
      if (found.kind === 'refused') return found;
      const { user } = found;
      const owner = isOwnedBySource(user) ? user.managedBy : null;
      const question = ask(page.frame.messages.admin, { ...user, owner });
      const back = page.own(Object.hasOwn(backTo, name) ? (backTo[name] ?? person) : security);
      return { ...question, back, fields: name === 'recovery-link' ? { once: page.submissionToken } : {} };
    });
  }

  pages.question(`${person}/unlink`, 'people', async (page) => {
    const found = await findChangeable(services, { id: page.id }, page.requester);
    if (found.kind === 'refused') return found;
    const [upstream, subject] = [page.query.get('upstream') ?? '', page.query.get('subject') ?? ''];
    const linked = (await listIdentities(services, found.user)).find(
      (each) => each.upstream?.name === upstream && each.identity.subject === subject,
    );
    if (linked?.upstream === undefined) return undefined;
    const m = page.frame.messages.admin.upstreams;
    const title = m.unlinkTitle(linked.upstream.label, found.user.name);
    return { title, text: m.unlinkText, button: m.unlink, back: page.own(security), fields: { upstream, subject } };
  });

  pages.buttons(person, tabs.profile, target, {
    'verify-email': { run: verifyEmail, done: `${person}?done=email-verified`, powerful: true },
  });
  pages.buttons(person, tabs.security, target, {
    'send-reset': { run: sendReset, done: `${security}?done=reset-sent` },
    'end-sessions': { run: endSessions, done: `${security}?done=sessions-ended` },
    'remove-second-factors': { run: removeSecondFactors, done: `${security}?done=factors-removed`, powerful: true },
    unlink: {
      run: (_services, user, requester, { field }) =>
        revokeIdentities(services, user, { upstream: field('upstream'), subject: field('subject') }, requester),
      done: `${security}?done=identity-unlinked`,
      powerful: true,
    },
  });
  pages.buttons(person, tabs.danger, target, {
    disable: { run: disableUser, done: `${danger}?done=disabled`, powerful: true },
    enable: { run: enableUser, done: `${danger}?done=enabled` },
    delete: { run: deleteUser, done: `${list}?done=person-deleted`, powerful: true },
  });

  // Being an administrator has buttons of its own, and stays as it is.
  changingRoles.powerful(`${person}/roles`, async (form) => {
    const ticked = lesserRoles.filter((role) => form.field(roleField(role)) === 'yes');
    const next = (held: readonly Role[]) => [...held.filter((role) => role === 'administrator'), ...ticked];
    const outcome = await changeRoles(services, { id: form.id }, next, form.requester);
    if (outcome.kind === 'done') return form.goTo(`${security}?done=roles-saved`);
    return tabs.security(form, 400, { problem: refusalSentence(outcome), ticked });
  });

  // Not among what needs proof, unlike the definition of an attribute.
  pages.post(`${person}/attributes`, async (form) => {
    const given = sentAttributes(await listAttributes(services), form);
    const outcome = await editUser(services, { id: form.id }, { attributes: given }, form.requester);
    if (outcome.kind === 'done') return form.goTo(`${person}?done=attributes-saved`);
    return tabs.profile(form, form.statusOf(outcome), {
      problem: refusalSentence(outcome),
      attributes: { given, problems: {} },
    });
  });

  pages.powerful(`${person}/recovery-link`, async (form) => {
    const outcome = await makeRecoveryLink(services, { id: form.id }, form.requester);
    if (outcome.kind === 'refused') {
      return tabs.security(form, form.statusOf(outcome), { problem: refusalSentence(outcome) });
    }
    const { url, expiresAt: until } = outcome;
    return form.send(200, shareLinkPage(form.frame, { url, until, back: form.own(security) }));
  });

  async function sendEdit(
    page: ConsoleRequest,
    status: number,
    attempt?: { readonly form: ConsoleForm; readonly refusal: Refused },
  ): Promise<FastifyReply> {
    const found = await findChangeable(services, { id: page.id }, page.requester);
    if (found.kind === 'refused') return page.refuse(found);
    const { id, name } = found.user;
    const shown = shownInForm(userFields, 'change', found.user);
    const owner = isOwnedBySource(found.user) ? found.user.managedBy : null;
    const frame = owner === null ? page.frame : page.readOnly(page.own(person));
    const body = editUserPage(frame, {
      id,
      name,
      owner: owner ?? undefined,
      canSendEmail: services.emailQueue.works,
      fields: attempt === undefined ? shown : sentInForm(shown, attempt.form),
      ...(attempt === undefined ? { problems: {} } : formProblems(attempt.refusal)),
    });
    return page.send(status, body);
  }
}
