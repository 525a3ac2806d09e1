// What is asked before something is done to a person, and the page about what ends their account.

import type { AccountFrame } from '../../account/account-layout.ts';
import type { Messages } from '../../languages/languages.ts';
import type { Html } from '../../layout/html.ts';
import { type AskedQuestion, action, askedAction, dangerousAction, dangerZone } from '../console-layout.ts';
import { type PersonTabPage, personLayout, personPath } from './person-layout.ts';

export interface AskedUser {
  readonly name: string;
  readonly email: string;
  /** The directory that decides about them; null for none. */
  readonly owner: string | null;
}

type Ask = (words: Messages['admin'], user: AskedUser) => AskedQuestion;

/** By the last part of the path of the form. */
export const userQuestions: Readonly<Record<string, Ask>> = {
  'make-administrator': ({ people: m }, { name }) => ({
    title: m.makeAdministratorTitle(name),
    text: m.makeAdministratorText,
    button: m.makeAdministrator,
    danger: false,
  }),
  'remove-administrator': ({ people: m }, { name }) => ({
    title: m.removeAdministratorTitle(name),
    text: m.removeAdministratorText,
    button: m.removeAdministrator,
  }),
  'verify-email': ({ people: m }, { email }) => ({
    title: m.verifyTitle(email),
    text: m.verifyText,
    button: m.verify,
    danger: false,
  }),
  'end-sessions': ({ people: m }, { name }) => ({
    title: m.endSessionsTitle(name),
    text: m.endSessionsText,
    button: m.endSessions,
    danger: false,
  }),
  'recovery-link': ({ people: m }, { name }) => ({
    title: m.recoveryTitle(name),
    text: m.recoveryText,
    button: m.recoveryLink,
    danger: false,
  }),
  'remove-second-factors': ({ people: m }, { name }) => ({
    title: m.removeFactorsTitle(name),
    text: m.removeFactorsText,
    button: m.removeFactors,
  }),
  disable: ({ people: m, managed }, { name, owner }) => ({
    title: m.disableTitle(name),
    text: withOwner(m.disableText, owner, managed.disable),
    button: m.disable,
  }),
  delete: ({ people: m, managed }, { name, owner }) => ({
    title: m.deleteTitle(name),
    text: withOwner(m.deleteText, owner, managed.delete),
    button: m.deleteConfirm,
  }),
};

/** With what the directory can do about it. */
export function withOwner(text: string, owner: string | null, undone: (source: string) => string): string {
  return owner === null ? text : `${text} ${undone(owner)}`;
}

export function userDangerPage(frame: AccountFrame, page: PersonTabPage): string {
  return personLayout(frame, 'danger', page, dangerZone(frame, dangers(frame, page)));
}

function dangers(frame: AccountFrame, { person }: PersonTabPage): Html[] {
  const { people: m, managed } = frame.messages.admin;
  const path = personPath(person.id);
  const owner = person.isOwned ? person.managedBy : null;
  const disabling =
    person.standing === 'disabled'
      ? dangerousAction(withOwner(m.enableHint, owner, managed.enable), action(frame, `${path}/enable`, m.enable))
      : askedAction(frame, withOwner(m.disableHint, owner, managed.disable), {
          label: m.disable,
          href: `${path}/disable`,
        });
  const last = askedAction(frame, withOwner(m.deleteHint, owner, managed.delete), {
    label: m.delete,
    href: `${path}/delete`,
  });
  // If access has ended, a later end restores it; people who wait need approval.
  return person.standing === 'active' || person.standing === 'disabled' ? [disabling, last] : [last];
}
