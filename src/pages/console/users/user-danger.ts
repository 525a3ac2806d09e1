// The page about what ends a person's account.

import type { AccountFrame } from '../../account/account-layout.ts';
import type { Html } from '../../layout/html.ts';
import { action, askedAction, dangerousAction, dangerZone } from '../console-layout.ts';
import { type PersonTabPage, personLayout, personPath } from './person-layout.ts';
import { withOwner } from './user-questions.ts';

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
