// The security pages: password, authenticator app, passkeys, recovery codes and identities at upstreams.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { signInMethods } from '../../operations/account/review.ts';
import { maySetPassword, passwordSignsIn } from '../../operations/passwords/password-policy.ts';
import { changePassword, removePassword } from '../../operations/passwords/passwords.ts';
import { authenticatorIssuer, sealSecret, unsealSecret } from '../../operations/second-factors/authenticator-secret.ts';
import {
  addAuthenticator,
  addPasskey,
  newAuthenticatorSecret,
  offerPasskey,
  removeAuthenticator,
  removePasskey,
  replaceRecoveryCodes,
  type SecondFactorOutcome,
} from '../../operations/second-factors/second-factors.ts';
import { askForOwnPasskey } from '../../operations/sign-in/prove-identity.ts';
import { listIdentities, unlinkIdentity } from '../../operations/users/identities.ts';
import type { Identities } from '../../pages/account/identities.ts';
import { authenticatorPage, recoveryCodesPage, type SecurityPage, securityPage } from '../../pages/account/security.ts';
import { hasPassword } from '../../protocol/sign-in/password-policy.ts';
import { isProven } from '../../protocol/sign-in/proof.ts';
import { base32, totpUri } from '../../protocol/sign-in/totp.ts';
import { canDoWithoutPassword, hasWayIn, identityLimit, passkeyLimit } from '../../protocol/sign-in/ways-in.ts';
import type { User } from '../../storage/storage.ts';
import type { HttpContext } from '../context.ts';
import { setSessionCookie } from '../cookies.ts';
import { sendChallenge } from '../sign-in/passkey-challenge.ts';
import { challengeTickets } from '../sign-in/sign-in-tickets.ts';
import { sendToUpstream } from '../upstreams/send-to-upstream.ts';
import { type AccountForm, type AccountRequest, type Answer, accountPages } from './account-pages.ts';
import { askForProof, proofDonePath, sendProofDone } from './proof-in-place.ts';
import { decideOnPaused, pausedMethod } from './review-routes.ts';

const securityPath = '/account/security';

export function securityRoutes(app: FastifyInstance, context: HttpContext): void {
  const { services } = context;
  const pages = accountPages(app, context);
  // Forms that stand on the security page: anyone who has to sign in first returns to it.
  const forms = accountPages(app, context, securityPath);
  // The review asks for proof of identity, too.
  const proofs = accountPages(app, context, securityPath, true);

  pages.get(securityPath, (page) => sendSecurity(page, 200));

  forms.powerful('/account/password', async (form) => {
    const input = { newPassword: form.field('new_password'), marks: form.visit.browser.marks };
    const outcome = await changePassword(services, form.signedIn, input, form.requester);
    if (outcome.kind === 'changed') {
      setSessionCookie(context, form.reply, outcome.sessionSecret, form.signedIn.session.kept);
      const done = hasPassword(form.signedIn.user) ? 'password' : 'password-set';
      return form.goTo(`${securityPath}?done=${done}`);
    }
    if (outcome.kind === 'invalid_password') {
      const passwordProblem = form.frame.messages.account.passwordProblems[outcome.problem];
      return sendSecurity(form, 400, { passwordProblem });
    }
    return form.goTo(`${securityPath}?done=not-possible`);
  });

  forms.powerful('/account/password/remove', async (form) => {
    const outcome = await removePassword(services, form.signedIn, form.visit.browser.marks, form.requester);
    if (outcome.kind === 'not_possible') return form.goTo(`${securityPath}?done=not-possible`);
    setSessionCookie(context, form.reply, outcome.sessionSecret, form.signedIn.session.kept);
    return form.goTo(`${securityPath}?done=password-removed`);
  });

  pages.get('/account/authenticator', async (page) => {
    const { hasAuthenticator, suspended } = await signInMethods(services, page.signedIn.user);
    const paused = suspended.some(({ kind }) => kind === 'authenticator');
    if (hasAuthenticator || paused) return page.visit.redirect(302, securityPath);
    return sendAuthenticator(page, 200, newAuthenticatorSecret(services));
  });

  pages.powerful('/account/authenticator', async (form) => {
    const { signedIn, frame } = form;
    const sealedSecret = form.field('secret');
    const input = { sealedSecret, code: form.field('code') };
    const outcome = await addAuthenticator(services, signedIn, input, form.requester);
    const secret = unsealSecret(services, signedIn.user.id, sealedSecret);
    if (secret === undefined || outcome.kind !== 'wrong_code') return sendOutcome(form, outcome, 'authenticator-added');
    // The form comes back with the same key, because the app has it already.
    return sendAuthenticator(form, 400, secret, frame.messages.account.authenticator.wrongCode);
  });

  forms.powerful('/account/authenticator/remove', async (form) => {
    const outcome = await removeAuthenticator(services, form.signedIn, form.requester);
    return sendOutcome(form, outcome, 'authenticator');
  });

  forms.powerful(`${securityPath}/paused`, async (form) => {
    const done = await decideOnPaused(services, form);
    return form.goTo(`${securityPath}?done=${done}`);
  });

  forms.powerful('/account/recovery-codes', async (form) => {
    const outcome = await replaceRecoveryCodes(services, form.signedIn, form.requester);
    return sendOutcome(form, outcome, 'not-possible');
  });

  // Proof for its own sake, for a person who calls the API with their session.
  pages.get('/account/proof', (page) => askForProof(page));
  pages.powerful('/account/proof', ({ goTo }) => goTo(`${securityPath}?done=proof`));

  // Where people come back to once they have proved at an upstream who they are.
  proofs.get(proofDonePath, (page) => sendProofDone(page));

  // Called by the script on the page that asks for proof.
  proofs.post('/account/proof/options', async ({ visit, signedIn }) =>
    sendChallenge(visit, 'proof', await askForOwnPasskey(services, signedIn.user)),
  );

  // Called by the script on the page, which shows the problem next to the form. Without proof it sends the form as it is,
  // to be asked for it.
  forms.post('/account/passkeys/options', async (form) => {
    const { visit } = form;
    if (!isProven(form.signedIn.session, services.clock.now())) return visit.sendJson(403, { proof: 'missing' });
    const offer = await offerPasskey(services, form.signedIn, form.field('name'), form.requester);
    if (offer.kind === 'offered') return sendChallenge(visit, 'registration', offer);
    const { invalidName, security } = form.frame.messages.account;
    const problem = offer.kind === 'invalid_name' ? invalidName : security.tooManyPasskeys;
    return visit.sendJson(400, { problem });
  });

  forms.powerful('/account/passkeys', async (form) => {
    // The form was sent for the proof alone: the script goes on from here.
    const started = form.field('answer') !== '' || form.field('challenge') !== '';
    if (!started) return sendSecurity(form, 200, { newPasskey: form.field('name') });
    const challenge = form.visit.readTicket(challengeTickets.registration, form.fields);
    if (challenge === undefined) return sendAgain(form, 400, form.frame.messages.account.security.passkeyFailed);
    const input = { answer: form.field('answer'), challenge, name: form.field('name') };
    const outcome = await addPasskey(services, form.signedIn, input, form.requester);
    return sendOutcome(form, outcome, 'passkey-added');
  });

  forms.powerful('/account/passkeys/remove', async (form) => {
    const outcome = await removePasskey(services, form.signedIn, form.field('remove'), form.requester);
    return sendOutcome(form, outcome, 'passkey');
  });

  forms.powerful('/account/identities/link', async (form) => {
    const { visit, goTo, signedIn, field } = form;
    const { canLink } = await identitiesOf(signedIn.user, false);
    if (!canLink) return sendSecurity(form, 409, { problem: form.frame.messages.account.identities.tooMany });
    const destination = { kind: 'page', path: `${securityPath}?done=identity-linked` } as const;
    const start = { purpose: 'link', name: field('upstream'), destination, signedIn } as const;
    return (await sendToUpstream(visit, start)) ? visit.reply : goTo(`${securityPath}?done=not-possible`);
  });

  forms.powerful('/account/identities/unlink', async (form) => {
    const key = { issuer: form.field('issuer'), subject: form.field('subject') };
    const outcome = await unlinkIdentity(services, form.signedIn.user, key, form.requester);
    const m = form.frame.messages.account;
    switch (outcome.kind) {
      case 'unlinked':
        return form.goTo(`${securityPath}?done=identity-unlinked`);
      case 'not_linked':
        return form.goTo(`${securityPath}?done=not-possible`);
      case 'last_way_in':
        return sendSecurity(form, 409, { problem: m.identities.lastWay });
      case 'throttled':
        return sendThrottled(form, outcome);
    }
  });

  function sendOutcome(form: AccountForm, outcome: SecondFactorOutcome, done: string): Answer {
    const m = form.frame.messages.account;
    switch (outcome.kind) {
      case 'changed':
        return outcome.recoveryCodes === undefined
          ? form.goTo(`${securityPath}?done=${done}`)
          : form.send(200, recoveryCodesPage(form.frame, outcome.recoveryCodes));
      case 'not_possible':
        return form.goTo(`${securityPath}?done=not-possible`);
      case 'wrong_code':
        return sendAgain(form, 400, m.authenticator.wrongCode);
      case 'invalid_name':
        return sendAgain(form, 400, m.invalidName);
      case 'too_many_passkeys':
        return sendAgain(form, 409, m.security.tooManyPasskeys);
      case 'last_way_in':
        return sendAgain(form, 409, m.security.lastWay);
      case 'throttled':
        return sendThrottled(form, outcome);
    }
  }

  function sendThrottled(form: AccountForm, outcome: { readonly retryAfterSeconds: number }): Promise<FastifyReply> {
    const { status, problem } = form.visit.throttled(outcome, form.frame.messages.account.throttled);
    return sendAgain(form, status, problem);
  }

  /** With the name of the passkey, if it's the form for one. */
  function sendAgain(form: AccountForm, status: number, problem: string): Promise<FastifyReply> {
    return sendSecurity(form, status, { problem, newPasskey: form.fields.get('name') });
  }

  async function sendSecurity(
    page: AccountRequest,
    status: number,
    attempt: Partial<SecurityPage> = {},
  ): Promise<FastifyReply> {
    const { user } = page.signedIn;
    const { hasAuthenticator, recoveryCodes, passkeys, suspended } = await signInMethods(services, user);
    const signsIn = await passwordSignsIn(services, user);
    const identities = await identitiesOf(user, signsIn);
    const open = identities.linked.filter(({ disabled }) => !disabled);
    const paused = suspended.map(pausedMethod);
    const all = passkeys.length + paused.filter(({ kind }) => kind === 'passkey').length;
    const body = securityPage(page.frame, {
      hasPassword: hasPassword(user),
      canSetPassword: await maySetPassword(services, user),
      canRemovePassword: hasPassword(user) && canDoWithoutPassword({ passkeys: passkeys.length, recoveryCodes }),
      identities,
      authenticator: hasAuthenticator,
      recoveryCodes,
      passkeys,
      canRemovePasskey: hasWayIn({ password: signsIn, passkeys: passkeys.length - 1, identities: open.length }),
      canAddPasskey: all < passkeyLimit,
      paused,
      breached: user.breachedSince !== null,
      notice: page.notice,
      problem: undefined,
      now: services.clock.now(),
      ...attempt,
    });
    return page.send(status, body);
  }

  async function identitiesOf(user: User, password: boolean): Promise<Identities> {
    const [linked, open] = await Promise.all([listIdentities(services, user, password), services.openUpstreams.read()]);
    return {
      linked: linked.map(({ identity, upstream, canUnlink }) => ({
        ...identity,
        label: upstream?.label ?? identity.issuer,
        disabled: upstream === undefined || upstream.disabledAt !== null,
        canUnlink,
      })),
      linkable: open.filter(({ issuer }) => !linked.some(({ identity }) => identity.issuer === issuer)),
      canLink: linked.length < identityLimit,
    };
  }

  function sendAuthenticator(page: AccountRequest, status: number, secret: Uint8Array, problem?: string): FastifyReply {
    const { user } = page.signedIn;
    // Without the language picker after a wrong code: the page would come back with another key than the app has.
    const frame = problem === undefined ? page.frame : { ...page.frame, returnTo: undefined };
    const body = authenticatorPage(frame, {
      uri: totpUri({ issuer: authenticatorIssuer(services), account: user.email, secret }),
      key: base32(secret),
      sealedSecret: sealSecret(services, user.id, secret),
      problem,
    });
    return page.send(status, body);
  }
}
