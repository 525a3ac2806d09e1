// The console's pages about people: the list, one person, and every change to them. Inviting is in invitation-routes.ts.

import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  isOwnedBySource,
  personRefusal,
  sessionsRefusal,
  takeoverRefusal,
} from '../../../operations/admin/authority.ts';
import { type Refused, refusalSentence } from '../../../operations/admin/outcome.ts';
import { sharedNamesOf } from '../../../operations/admin/shared-names.ts';
import { listAttributes } from '../../../operations/attributes/attributes.ts';
import { downloadUsers } from '../../../operations/downloads/list-download.ts';
import { listUpstreams } from '../../../operations/upstreams/upstreams.ts';
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
import { changeRoles } from '../../../operations/users/set-roles.ts';
import { signUpLinks } from '../../../operations/users/sign-up-link-subject.ts';
import { userAccess } from '../../../operations/users/user-access.ts';
import { userValues } from '../../../operations/users/user-json.ts';
import { makeRecoveryLink, removeSecondFactors, sendReset } from '../../../operations/users/user-recovery.ts';
import {
  createUserWithLink,
  creatorCanSignIn,
  findUser,
  listDirectories,
  listUsers,
  newUserRefusal,
  userDetails,
} from '../../../operations/users/users.ts';
import { shareLinkPage } from '../../../pages/console/console-layout.ts';
import { roleField } from '../../../pages/console/users/roles.ts';
import { signUpLinkViews } from '../../../pages/console/users/sign-up-links.ts';
import { userPage } from '../../../pages/console/users/user.ts';
import { editUserPage, newUserPage } from '../../../pages/console/users/user-forms.ts';
import { usersPage } from '../../../pages/console/users/user-list.ts';
import { userQuestions } from '../../../pages/console/users/user-questions.ts';
import { type AccountFrame, allows } from '../../../pages/layout/app-shell.ts';
import { personSegment } from '../../../pages/layout/person-path.ts';
import { standingOf } from '../../../protocol/account/standing.ts';
import { lesserRoles, may, type Role } from '../../../protocol/admin/rights.ts';
import { isoTime } from '../../../protocol/iso-time.ts';
import { changesNeedProof, creatingNeedsProof } from '../../../protocol/resources/resource.ts';
import { userFields } from '../../../protocol/resources/user.ts';
import type { FormFields } from '../../account/account-pages.ts';
import { type SentAttributes, sentAttributes, shownAttributes } from '../../attribute-forms.ts';
import type { HttpContext } from '../../context.ts';
import { peopleDownload } from '../../downloads/lists.ts';
import { type ConsoleForm, type ConsoleRequest, consolePages } from '../console-pages.ts';
import { downloadRoutes } from '../download-routes.ts';
import { endIn, givenInForm, sentInForm, shownInForm } from '../field-forms.ts';
import { formProblems } from '../form-problems.ts';
import { filterChoices, listedIn, listRequestIn, peopleFiltersIn } from '../list-requests.ts';
import { subjectRoutes } from '../subject-routes.ts';
import { consoleInvitationRoutes } from './invitation-routes.ts';
import { appsOf } from './shown-apps.ts';
import { consoleWaitingRoutes } from './waiting-routes.ts';

const list = '/admin/people';
const person = `${list}/:id`;

export function consoleUserRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = consolePages(app, context, 'people');
  const changing = pages.needing('people.change');
  const changingRoles = pages.needing('roles.change');

  consoleInvitationRoutes(app, context);
  consoleWaitingRoutes(app, context);
  const isClosed = async () => (await services.settings.readFresh()).sign_up === 'closed';
  subjectRoutes(app, context, signUpLinks, signUpLinkViews(signUpLinks.console, isClosed));

  pages.get(list, async (page) => {
    const [request, filters] = [listRequestIn(page), peopleFiltersIn(page)];
    const { items, ...listed } = listedIn(await listUsers(services, { ...request, ...filters, total: true }));
    const now = services.clock.now();
    const body = usersPage(page.frame, {
      ...listed,
      search: request.search,
      // People whose access ends are sorted by when it ends.
      sort: request.sort || (filters.expires_within === undefined ? '-created' : ''),
      filters,
      choices: filterChoices(filters, await listDirectories(services)),
      users: items.map((user) => ({ ...userValues(user), standing: standingOf(user, now) })),
      now,
      notice: page.notice,
    });
    return page.send(listed.status, body);
  });

  const download = async () => peopleDownload(await listAttributes(services));
  downloadRoutes(app, context, 'people', download, (page, request) =>
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

  pages.get(person, (page) => sendUser(page, 200));

  const roleButtons = {
    'make-administrator': { run: makeAdministrator, done: `${person}?done=made-administrator`, powerful: true },
    'remove-administrator': { run: removeAdministrator, done: `${person}?done=administrator-removed`, powerful: true },
  } as const;
  changingRoles.buttons(person, sendUser, ({ id }) => ({ id }), roleButtons);

  const asked = async ({ id, requester }: ConsoleRequest) => {
    const found = await findUser(services, { id });
    if (found.kind === 'refused') return undefined;
    return personRefusal(requester, found.user) ?? found;
  };
  for (const [name, ask] of Object.entries(userQuestions)) {
    const routes = Object.hasOwn(roleButtons, name) ? changingRoles : pages;
    routes.question(`${person}/${name}`, 'people', async (page) => {
      const found = await asked(page);
      if (found === undefined || found.kind === 'refused') return found;
      const { user } = found;
      const owner = isOwnedBySource(user) ? user.managedBy : null;
      const question = ask(page.frame.messages.admin, { ...user, owner });
      return { ...question, fields: name === 'recovery-link' ? { once: page.submissionToken } : {} };
    });
  }

  pages.question(`${person}/unlink`, 'people', async (page) => {
    const found = await asked(page);
    if (found === undefined || found.kind === 'refused') return found;
    const [upstream, subject] = [page.query.get('upstream') ?? '', page.query.get('subject') ?? ''];
    const linked = (await listIdentities(services, found.user)).find(
      (each) => each.upstream?.name === upstream && each.identity.subject === subject,
    );
    if (linked?.upstream === undefined) return undefined;
    const m = page.frame.messages.admin.upstreams;
    const title = m.unlinkTitle(linked.upstream.label, found.user.name);
    return { title, text: m.unlinkText, button: m.unlink, fields: { upstream, subject } };
  });

  pages.buttons(person, sendUser, ({ id }) => ({ id }), {
    disable: { run: disableUser, done: `${person}?done=disabled`, powerful: true },
    enable: { run: enableUser, done: `${person}?done=enabled` },
    'send-reset': { run: sendReset, done: `${person}?done=reset-sent` },
    'end-sessions': { run: endSessions, done: `${person}?done=sessions-ended` },
    'verify-email': { run: verifyEmail, done: `${person}?done=email-verified`, powerful: true },
    'remove-second-factors': { run: removeSecondFactors, done: `${person}?done=factors-removed`, powerful: true },
    unlink: {
      run: (_services, user, requester, { field }) =>
        revokeIdentities(services, user, { upstream: field('upstream'), subject: field('subject') }, requester),
      done: `${person}?done=identity-unlinked`,
      powerful: true,
    },
    delete: { run: deleteUser, done: `${list}?done=person-deleted`, powerful: true },
  });

  // Being an administrator has buttons of its own, and stays as it is.
  changingRoles.powerful(`${person}/roles`, async (form) => {
    const ticked = lesserRoles.filter((role) => form.field(roleField(role)) === 'yes');
    const next = (held: readonly Role[]) => [...held.filter((role) => role === 'administrator'), ...ticked];
    const outcome = await changeRoles(services, { id: form.id }, next, form.requester);
    if (outcome.kind === 'done') return form.goTo(`${person}?done=roles-saved`);
    return sendUser(form, 400, { problem: refusalSentence(outcome), ticked });
  });

  // An end that comes at once is the same as disabling a person.
  pages.powerful(`${person}/end`, async (form) => {
    const end = endIn(form, 'expires_at');
    const outcome = await editUser(services, { id: form.id }, { expiresAt: end || null }, form.requester);
    if (outcome.kind === 'done') return form.goTo(`${person}?done=saved`);
    return sendUser(form, form.statusOf(outcome), { problem: refusalSentence(outcome), end });
  });

  // Not among what needs proof, unlike the definition of an attribute.
  pages.post(`${person}/attributes`, async (form) => {
    const given = sentAttributes(await listAttributes(services), form);
    const outcome = await editUser(services, { id: form.id }, { attributes: given }, form.requester);
    if (outcome.kind === 'done') return form.goTo(`${person}?done=attributes-saved`);
    return sendUser(form, form.statusOf(outcome), {
      problem: refusalSentence(outcome),
      attributes: { given, problems: {} },
    });
  });

  pages.powerful(`${person}/recovery-link`, async (form) => {
    const outcome = await makeRecoveryLink(services, { id: form.id }, form.requester);
    if (outcome.kind === 'refused') {
      return sendUser(form, form.statusOf(outcome), { problem: refusalSentence(outcome) });
    }
    const { url, expiresAt: until } = outcome;
    return form.send(200, shareLinkPage(form.frame, { url, until, back: form.own(person) }));
  });

  async function sendEdit(
    page: ConsoleRequest,
    status: number,
    attempt?: { readonly form: ConsoleForm; readonly refusal: Refused },
  ): Promise<FastifyReply> {
    const found = await findUser(services, { id: page.id });
    if (found.kind === 'refused') return page.visit.sendErrorPage(404, 'notFound');
    const refusal = personRefusal(page.requester, found.user);
    if (refusal !== undefined) return page.refuse(refusal);
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

  async function sendUser(
    page: ConsoleRequest,
    status: number,
    attempt: {
      readonly problem?: string;
      readonly attributes?: SentAttributes;
      readonly end?: string;
      readonly ticked?: readonly Role[];
    } = {},
  ): Promise<FastifyReply> {
    const found = await userDetails(services, { id: page.id });
    if (found.kind === 'refused') return page.visit.sendErrorPage(404, 'notFound');
    const { user, sessions, apps, signIn, lastSignInAt } = found;
    const now = services.clock.now();
    const [identities, upstreams, attributes, access, sharedNames] = await Promise.all([
      listIdentities(services, user),
      listUpstreams(services),
      listAttributes(services),
      userAccess(services, user),
      sharedNamesOf(services, user),
    ]);
    const isFixed = personRefusal(page.requester, user) !== undefined;
    const isOutOfReach = (await takeoverRefusal(services, page.requester, user)) !== undefined;
    const frame = isFixed ? page.readOnly(page.own(person)) : isOutOfReach ? withoutTakeover(page) : page.frame;
    const body = userPage(frame, {
      ...userValues(user),
      isYou: user.id === page.signedIn.user.id,
      ticked: attempt.ticked,
      canChangeRoles: may(page.requester.authority, 'roles.change'),
      isOwned: isOwnedBySource(user),
      standing: standingOf(user, now),
      end: attempt.end ?? isoTime(user.expiresAt) ?? '',
      authenticator: signIn.authenticator !== undefined,
      passkeys: signIn.passkeys.length,
      pausedFactors: signIn.suspended.filter(({ kind }) => kind !== 'recovery_codes').length,
      groups: access.groups,
      apps: appsOf(apps, access.opened),
      devices: sessionsRefusal(page.requester, user) === undefined ? { sessions, trusted: access.trusted } : undefined,
      attributes: shownAttributes(attributes, user.attributes, attempt.attributes),
      identities:
        identities.length + upstreams.length === 0
          ? undefined
          : identities.map(({ identity, upstream }) => ({ ...identity, upstream })),
      canSendEmail: services.emailQueue.works,
      lastSignInAt,
      sharedNames,
      now,
      notice: page.notice,
      problem: attempt.problem,
    });
    return page.send(status, body);
  }
}

/** Of someone whom the reader can't make sign in otherwise. */
function withoutTakeover({ frame, own }: ConsoleRequest): AccountFrame {
  const takeovers = ['recovery-link', 'remove-second-factors', 'verify-email'].map((name) => own(`${person}/${name}`));
  return { ...frame, allows: (method, path) => !takeovers.includes(path) && allows(frame, method, path) };
}
