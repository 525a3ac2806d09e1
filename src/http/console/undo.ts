// Undoing the removal of access. What it needs is sealed for the session and the person who removed it: it comes back in the URL of
// the page that says so, whose form sends it to where access is added, with the right and the proof that this takes.

import type { FastifyReply } from 'fastify';
import { type AdminOutcome, type Refused, refusalSentence } from '../../operations/admin/outcome.ts';
import type { FoundEntry, RemovedEntry } from '../../operations/groups/undo.ts';
import type { AccountFrame } from '../../pages/account/account-layout.ts';
import type { Messages } from '../../pages/languages/languages.ts';
import { MINUTE } from '../../protocol/durations.ts';
import type { AccountForm, AccountRequest, Answer } from '../account/account-pages.ts';
import { openForSession, sealForSession } from '../account/sealed-for-session.ts';

/** The field, and the parameter of the URL. */
export const undoField = 'undo';
const lifetime = 10 * MINUTE;

interface Removal extends FoundEntry {
  /** Where it's added again. */
  readonly action: string;
}

/** The URL's parameter, after a removal. Undefined if nothing was there to remove. */
export function sealedUndo(form: AccountForm, action: string, found: FoundEntry | undefined): string | undefined {
  if (found === undefined) return undefined;
  const removal: Removal = { ...found, action };
  return sealForSession(form, 'undo', JSON.stringify(removal), '');
}

/** What the page of this URL says was removed, and offers to undo. */
export function offeredUndo(page: AccountRequest, { undo: m }: Messages['admin']): AccountFrame['undo'] {
  const sealed = page.query.get(undoField) ?? '';
  const removal = page.request.method === 'GET' ? open(page, sealed) : undefined;
  if (removal === undefined) return undefined;
  const { action, entry, who, from } = removal;
  const text = entry.client === undefined ? m.fromGroup(who, from) : m.fromList(who, from);
  return { text, label: m.button, action, fields: { [undoField]: sealed } };
}

/** Answers a form that undoes a removal, which may have been offered elsewhere, to someone else, or too long ago. */
export async function answerUndo<Form extends AccountForm & { statusOf(refused: Refused): number }>(
  form: Form,
  restore: (entry: RemovedEntry) => Promise<AdminOutcome<object>>,
  page: string,
  again: (form: Form, status: number, attempt: { readonly problem: string }) => Answer,
): Promise<FastifyReply> {
  const removal = open(form, form.field(undoField));
  if (removal === undefined || removal.action !== form.request.raw.url) {
    return again(form, 400, { problem: form.frame.messages.admin.undo.over });
  }
  const outcome = await restore(removal.entry);
  if (outcome.kind === 'done') return form.goTo(`${page}?done=removal-undone`);
  return again(form, form.statusOf(outcome), { problem: refusalSentence(outcome) });
}

function open(page: AccountRequest, sealed: string): Removal | undefined {
  const text = openForSession(page, 'undo', sealed, '', lifetime);
  return text === undefined ? undefined : (JSON.parse(text) as Removal);
}
