// The roles of people in the console: as badges, and as boxes to tick.

import type { LesserRole, Role } from '../../../protocol/admin/rights.ts';
import { type AccountFrame, postForm } from '../../account/account-layout.ts';
import { button } from '../../components/controls.ts';
import { badge, card } from '../../components/display.ts';
import { checkbox } from '../../layout/form.ts';
import { type Html, html } from '../../layout/html.ts';
import { askedAction } from '../console-layout.ts';

/** What the box is called in a form. */
export function roleField(role: LesserRole): string {
  return `role_${role}`;
}

export function roleBadges(frame: AccountFrame, held: readonly Role[]): Html {
  const { names } = frame.messages.admin.roles;
  return html`${held.map((role) => badge(names[role], 'accent', role === 'administrator' ? 'shield-check' : undefined))}`;
}

/** Being an administrator isn't among them. */
export function roleBoxes(frame: AccountFrame, ticked: readonly Role[]): Html {
  const { abilities } = frame.messages.admin.roles;
  const boxes = (Object.entries(abilities) as [LesserRole, string][]).map(([role, label]) =>
    checkbox({ name: roleField(role), label, checked: ticked.includes(role) }),
  );
  return html`${boxes}`;
}

export function rolesCard(
  frame: AccountFrame,
  path: string,
  { roles: held, ticked = held }: { readonly roles: readonly Role[]; readonly ticked?: readonly Role[] | undefined },
): Html {
  const m = frame.messages.admin.roles;
  const content = card({
    title: m.title,
    lead: held.includes('administrator') ? m.leadOfAdministrator : m.lead,
    body: html`<ul class="things">${adminAccess(frame, path, held)}</ul>${roleBoxes(frame, ticked)}`,
    actions: button({ label: m.save }),
  });
  return postForm(frame, `${path}/roles`, content);
}

/** Asked before it's given or removed, unlike the other roles. */
function adminAccess(frame: AccountFrame, path: string, held: readonly Role[]): Html {
  const m = frame.messages.admin.people;
  return held.includes('administrator')
    ? askedAction(frame, m.removeAdministratorHint, {
        label: m.removeAdministrator,
        href: `${path}/remove-administrator`,
      })
    : askedAction(frame, m.makeAdministratorHint, {
        label: m.makeAdministrator,
        href: `${path}/make-administrator`,
        danger: false,
      });
}
