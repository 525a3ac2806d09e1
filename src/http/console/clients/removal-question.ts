// The question before an entry is removed from an application's access list, if that leaves the list without people.

import { lockedOutWithout } from '../../../operations/clients/access-list.ts';
import type { Services } from '../../../operations/services.ts';
import { keptText } from '../../../pages/console/clients/access-list.ts';
import { type ConfirmPage, confirmPage } from '../../../pages/console/console-layout.ts';
import type { ListEntry } from '../../../storage/storage.ts';
import type { ConsoleForm } from '../console-pages.ts';

type Where = Pick<ConfirmPage, 'section' | 'action' | 'back'> & { readonly fields: Readonly<Record<string, string>> };

/** Undefined if other people keep access, or the question was answered. */
export async function removalQuestion(
  services: Services,
  { field, frame }: ConsoleForm,
  clientId: string,
  entry: ListEntry,
  { fields, ...where }: Where,
): Promise<string | undefined> {
  if (field('sure') === 'yes') return undefined;
  const locked = await lockedOutWithout(services, clientId, entry);
  if (locked === undefined) return undefined;
  const { client, preview, last } = locked;
  const m = frame.messages.admin.access;
  return confirmPage(frame, {
    ...where,
    title: m.nobodyTitle(client.name),
    text: last === 'entry' ? m.emptyText : `${keptText(frame.messages, preview)} ${m.removeText}`,
    button: m.removeAccess,
    fields: { ...fields, sure: 'yes' },
  });
}
