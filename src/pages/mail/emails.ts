// Renders each email as plain text and as HTML with the same content. The sentences are in the languages' catalogues.

import type { Brand } from '../../protocol/brand/brand.ts';
import type { EmailFromDevice, EmailMessage, EmailTemplates, EmailWithLink, ShownEnd } from '../../protocol/emails.ts';
import { languages, type Messages } from '../languages/languages.ts';
import { deviceInWords } from '../layout/device.ts';
import { html } from '../layout/html.ts';
import { brandLinks } from '../layout/layout.ts';

interface Content {
  readonly subject: string;
  /** Comes first, so that it can be read without opening the email. */
  readonly code?: string;
  readonly paragraphs: readonly string[];
  /** Below them: paragraphs of a person, in any language. */
  readonly written?: readonly string[];
  /** Below them. */
  readonly list?: readonly string[];
  readonly link?: { readonly label: string; readonly url: string };
  readonly after?: string;
}

/** The accent of the service's own stylesheet. */
const defaultColors = { fill: '#4338ca', onFill: '#ffffff' };

/** `service` is the base URL, so that people see who the email is from. */
export function emailsIn(messages: Messages, service: string, brand: Brand): EmailTemplates {
  const m = messages.emails;
  const compose = (to: string, content: Content) => render(messages, service, brand, to, content);
  /** An email that a person requested, and that can be ignored. */
  const requested = (name: 'finishSignUp' | 'addressHasAccount' | 'resetPassword' | 'noAccount' | 'confirmAddress') => {
    const { subject, text, action } = m[name];
    return ({ to, url }: EmailWithLink) =>
      compose(to, { subject, paragraphs: [text], link: { label: action, url }, after: m.ignore });
  };
  /** About a change of the ways to sign in. */
  const methodsChanged = (to: string, text: string) =>
    compose(to, {
      subject: m.secondFactorChanged.subject,
      paragraphs: [text, m.notYouEither],
      link: { label: m.lookAtSecurity, url: `${service}/account/security` },
    });
  /** About what a person did on a device. */
  const fromDevice = (name: 'wrongCodes' | 'newDevice') => {
    const { subject, text, action } = m[name];
    return ({ to, device, at, address }: EmailFromDevice & { at: number }) =>
      compose(to, {
        subject,
        paragraphs: [text(deviceInWords(messages, device), messages.dates.moment(at), address), m.notYou],
        link: { label: action, url: `${service}/reset-password` },
      });
  };
  /** Where a code was asked for. */
  const askedFrom = ({ device, address }: EmailFromDevice) =>
    messages.emailCodes.email.asked(deviceInWords(messages, device), address);
  return {
    // Without a link: one could be forwarded, and opened by another person.
    emailCode: (email) => {
      const { subjects, texts, warning } = messages.emailCodes.email;
      const { to, code, use } = email;
      return compose(to, { subject: subjects[use], code, paragraphs: [texts[use], askedFrom(email), warning] });
    },
    codeNotForYou: (email) => {
      const { subject, text } = messages.emailCodes.notForYou;
      return compose(email.to, { subject, paragraphs: [text, askedFrom(email)], after: m.ignore });
    },
    noAccountForCode: (email) => {
      const paragraphs = [messages.emailCodes.noAccount, askedFrom(email)];
      return compose(email.to, { subject: m.noAccount.subject, paragraphs, after: m.ignore });
    },
    finishSignUp: requested('finishSignUp'),
    addressHasAccount: requested('addressHasAccount'),
    resetPassword: requested('resetPassword'),
    noAccount: requested('noAccount'),
    confirmAddress: requested('confirmAddress'),
    invitation: ({ to, url, inviter }) => {
      const { subject, text, textFrom, action } = m.invitation;
      const words = inviter === undefined ? text(brand.name) : textFrom(inviter, brand.name);
      return compose(to, { subject, paragraphs: [words], link: { label: action, url }, after: m.ignore });
    },
    accountCreated: ({ to, url, inviter }) => {
      const { subject, text, textFrom, action } = m.accountCreated;
      const words = inviter === undefined ? text(brand.name) : textFrom(inviter, brand.name);
      return compose(to, { subject, paragraphs: [words], link: { label: action, url } });
    },
    profileEdited: ({ to, name }) => {
      const { subject, text } = m.profileEdited;
      return compose(to, { subject, paragraphs: [text(name)] });
    },
    emailEdited: ({ to, email }) => {
      const { subject, text } = m.emailEdited;
      return compose(to, { subject, paragraphs: [text(email)] });
    },
    passwordChanged: ({ to, url }) => {
      const { subject, text, action } = m.passwordChanged;
      return compose(to, { subject, paragraphs: [text, m.notYou], link: { label: action, url } });
    },
    accountClaimed: ({ to, url }) => {
      const { subject, text } = m.accountClaimed;
      return compose(to, { subject, paragraphs: [text, m.notYou], link: { label: m.passwordChanged.action, url } });
    },
    passkeyLink: ({ to, url }) => {
      const { subject, text, action } = messages.passwordless.linkEmail;
      return compose(to, { subject, paragraphs: [text], link: { label: action, url }, after: m.ignore });
    },
    setUpFactor: ({ to, url }) => {
      const { subject, text, action } = m.setUpFactor;
      return compose(to, { subject, paragraphs: [text], link: { label: action, url }, after: m.setUpFactor.notYou });
    },
    passwordRemoved: ({ to, url }) => {
      const { subject, text } = messages.passwordless.removedEmail;
      return compose(to, { subject, paragraphs: [text, m.notYou], link: { label: m.passwordChanged.action, url } });
    },
    passwordBreached: ({ to }) => {
      const { subject, text, action, after } = m.passwordBreached;
      return compose(to, {
        subject,
        paragraphs: [text],
        link: { label: action, url: `${service}/account/security` },
        after,
      });
    },
    addressChangeAsked: ({ to, newAddress }) =>
      compose(to, {
        subject: m.addressChangeAsked.subject,
        paragraphs: [m.addressChangeAsked.text(newAddress), m.notYou],
        link: { label: m.addressChangeAsked.action, url: `${service}/reset-password` },
      }),
    addressChanged: ({ to, newAddress }) =>
      compose(to, { subject: m.addressChanged.subject, paragraphs: [m.addressChanged.text(newAddress)] }),
    factorAdded: ({ to, change, url }) =>
      url === undefined
        ? methodsChanged(to, m.factorAdded.texts[change])
        : compose(to, {
            subject: m.secondFactorChanged.subject,
            paragraphs: [m.factorAdded.texts[change], m.factorAdded.undo],
            link: { label: m.factorAdded.action, url },
            after: m.factorAdded.ignore,
          }),
    secondFactorChanged: ({ to, change }) => methodsChanged(to, m.secondFactorChanged[change]),
    identityLinked: ({ to, label }) => methodsChanged(to, m.identityLinked(label)),
    wrongCodes: fromDevice('wrongCodes'),
    recoveryCodeUsed: (email) => {
      const { to, device, at, address, left } = email;
      const { subject, text } = m.recoveryCodeUsed;
      const { codesLeft, noCodesLeft } = messages.account.security;
      const used = text(deviceInWords(messages, device), messages.dates.moment(at), address);
      return compose(to, {
        subject,
        paragraphs: [used, left === 0 ? noCodesLeft : codesLeft(left), m.notYou],
        link: { label: m.newDevice.action, url: `${service}/reset-password` },
      });
    },
    newDevice: fromDevice('newDevice'),
    apiKeyCreated: (key) => {
      const { subject, text, permissions, expires, neverExpires, notYou, action } = m.apiKeyCreated;
      const end = key.expiresAt === null ? neverExpires : expires(messages.dates.day(key.expiresAt));
      return compose(key.to, {
        subject,
        paragraphs: [text(key.name, key.fromCommandLine), ...key.can.map((each) => permissions[each]), end, notYou],
        link: { label: action, url: `${service}/admin/keys` },
      });
    },
    adminAccessChanged: ({ to, change, roles }) => {
      const { notExpected, roles: names, [change]: words } = m.adminAccessChanged;
      const url = `${service}${change === 'removed' ? '/account' : '/admin'}`;
      const text =
        typeof words.text === 'string' ? words.text : words.text(messages.list(roles.map((role) => names[role])));
      return compose(to, {
        subject: words.subject,
        paragraphs: [text],
        link: { label: words.action, url },
        after: notExpected,
      });
    },
    recoveryLinkMade: ({ to }) => {
      const { subject, text, action } = m.recoveryLinkMade;
      return compose(to, { subject, paragraphs: [text], link: { label: action, url: `${service}/account/activity` } });
    },
    accountInactive: ({ to, at }) => {
      const { subject, text, action } = messages.inactivity.email;
      const link = { label: action, url: `${service}/sign-in` };
      return compose(to, { subject, paragraphs: [text(messages.dates.moment(at))], link });
    },
    accessEnds: ({ to, ending }) => {
      const { subject, text, action, account, membership, application } = messages.ends.email;
      const what: Readonly<Record<ShownEnd['kind'], (end: ShownEnd) => string>> = {
        account: () => account,
        membership: (end) => membership(end.group),
        person: (end) => application(end.application),
        group: (end) => application(end.application),
      };
      return compose(to, {
        subject,
        paragraphs: [text],
        list: ending.map((end) => messages.ends.line(what[end.kind](end), messages.dates.moment(end.at))),
        link: { label: action, url: `${service}/account` },
      });
    },
    accessEndsList: ({ to, ending, more }) => {
      const { subject, text, action, account, membership, application, groupApplication, ...m } = messages.ends.list;
      const what: Readonly<Record<ShownEnd['kind'], (end: ShownEnd) => string>> = {
        account: (end) => account(end.person),
        membership: (end) => membership(end.person, end.group),
        person: (end) => application(end.person, end.application),
        group: (end) => groupApplication(end.group, end.application),
      };
      const lines = ending.map((end) => messages.ends.line(what[end.kind](end), messages.dates.moment(end.at)));
      return compose(to, {
        subject,
        paragraphs: [text],
        list: more === 0 ? lines : [...lines, m.more(more)],
        link: { label: action, url: `${service}/admin/people?ending=yes` },
      });
    },
    accessRequested: ({ to, waiting, more }) => {
      const { subject, text, action } = messages.accessRequests.emails.waiting;
      const { application: line, more: rest } = messages.ends.list;
      const lines = waiting.map(({ person, application }) => line(person, application));
      return compose(to, {
        subject,
        paragraphs: [text],
        list: more === 0 ? lines : [...lines, rest(more)],
        link: { label: action, url: `${service}/admin/access-requests` },
      });
    },
    accessRequestAllowed: ({ to, application, url, expiresAt }) => {
      const { subject, text, action } = messages.accessRequests.emails.allowed;
      const end = expiresAt === null ? [] : [messages.ends.own(messages.dates.moment(expiresAt))];
      return compose(to, {
        subject: subject(application),
        paragraphs: [text(application), ...end],
        ...(url !== undefined && { link: { label: action(application), url } }),
      });
    },
    accessRequestDeclined: ({ to, application, reason }) => {
      const { subject, text, reason: given } = messages.accessRequests.emails.declined;
      const written = reason === '' ? [] : reason.split(/\n+/);
      return compose(to, { subject, paragraphs: [text(application), ...(reason === '' ? [] : [given])], written });
    },
    reviewDue: ({ to, review, id, at, left }) => {
      const { subject, text, action, ...m } = messages.reviews.due;
      const paragraphs = [text(review, messages.dates.moment(at)), m.left(left)];
      return compose(to, {
        subject: subject(review),
        paragraphs,
        link: { label: action, url: `${service}/admin/reviews/${id}` },
      });
    },
    directoryRefused: ({ to, refused }: { to: string; refused: readonly { source: string; count: number }[] }) => {
      const { subject, text, after, action } = messages.directories.refused;
      const list = refused.map(({ source, count }) => messages.ends.line(source, String(count)));
      const link = { label: action, url: `${service}/admin/events?kind=scim_refused` };
      return compose(to, { subject, paragraphs: [text], list, link, after });
    },
    accountDeleted: ({ to }) => compose(to, { subject: m.accountDeleted.subject, paragraphs: [m.accountDeleted.text] }),
    accountApproved: ({ to }) => {
      const { subject, text, action } = messages.approval.emails.approved;
      const link = { label: action, url: `${service}/sign-in` };
      return compose(to, { subject, paragraphs: [text(brand.name)], link });
    },
    accountDeclined: ({ to, message }) => {
      const { subject, text } = messages.approval.emails.declined;
      return compose(to, { subject, paragraphs: [text(brand.name), ...message.split(/\n+/)] });
    },
    peopleWaiting: ({ to, count }) => {
      const { subject, text, action } = messages.approval.emails.waiting;
      const link = { label: action, url: `${service}/admin/people/waiting` };
      return compose(to, { subject, paragraphs: [text(count)], link });
    },
  };
}

const prefersDark = '(prefers-color-scheme: dark)';
/** For programs that know it. The button keeps its colors, which are readable on their own. */
const darkStyle = `@media ${prefersDark}{body{color:#f4f4f5!important;background:#151518!important}.quiet{color:#a6a6b0!important}}`;

function render(messages: Messages, service: string, brand: Brand, to: string, content: Content): EmailMessage {
  const { greeting } = messages.emails;
  const { fill, onFill } = brand.colors ?? defaultColors;
  const signature = `${brand.name}, ${service}`;
  const link = content.link === undefined ? [] : [content.link.url];
  const after = content.after === undefined ? [] : [content.after];
  const links = brandLinks(brand, messages);
  // Labels and addresses on lines of their own: what stands between them on one line differs between languages.
  const linkLines = links.map(({ label, url }) => `${label}\n${url.replace(/^mailto:/i, '')}`);
  const code = content.code === undefined ? [] : [content.code];
  const { list = [], written = [] } = content;
  const listed = list.length === 0 ? [] : [list.map((item) => `- ${item}`).join('\n')];
  const said = [greeting, ...content.paragraphs, ...written];
  const paragraphs = [...code, ...said, ...listed, ...link, ...after, signature, ...linkLines];
  const text = paragraphs.join('\n\n');
  const paragraph = (words: string) => html`<p style="margin:0 0 16px">${words}</p>`;
  const shownCode = code.map(
    (each) =>
      html`<p dir="ltr" style="margin:0 0 16px;font:bold 28px/1.5 monospace;letter-spacing:2px;white-space:nowrap">${each}</p>`,
  );
  const button =
    content.link &&
    html`<p style="margin:0 0 16px"><a href="${content.link.url}" style="display:inline-block;padding:12px 20px;background:${fill};color:${onFill};border-radius:8px;text-decoration:none">${content.link.label}</a></p>
<p class="quiet" style="margin:0 0 16px;color:#5b6166;word-break:break-all"><span dir="ltr">${content.link.url}</span></p>`;
  const logo =
    brand.logo &&
    html`<p style="margin:0 0 24px"><picture>${brand.logo.dark !== brand.logo.light && html`<source srcset="${service}${brand.logo.dark}" media="${prefersDark}">`}<img src="${service}${brand.logo.light}" alt="${brand.name}" height="32" style="height:32px;width:auto;max-width:192px;font-weight:bold"></picture></p>`;
  const footer =
    links.length > 0 &&
    html`<p style="margin:8px 0 0;font-size:14px">${links.map(({ label, url }) => html`<a class="quiet" href="${url}" style="color:#5b6166;margin-inline-end:16px">${label}</a> `)}</p>`;
  const page = html`<!doctype html>
<html lang="${messages.language}" dir="${languages[messages.language].direction}"><head><meta name="color-scheme" content="light dark"><style>${darkStyle}</style></head><body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#1d2022;background:#ffffff">
${logo}
${shownCode}
${[greeting, ...content.paragraphs].map(paragraph)}
${written.map((words) => html`<p dir="auto" style="margin:0 0 16px">${words}</p>`)}
${list.length > 0 && html`<ul style="margin:0 0 16px;padding-inline-start:24px">${list.map((item) => html`<li>${item}</li>`)}</ul>`}
${button}
${after.map(paragraph)}
<p class="quiet" style="margin:0;color:#5b6166">${signature}</p>
${footer}
</body></html>
`;
  return { to, subject: messages.title(content.subject, brand.name), text: `${text}\n`, html: page.text };
}
