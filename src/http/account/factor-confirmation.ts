// Reads what a form gives as proof before second factors are changed: the password, and a code or a passkey.

import type { FactorConfirmation } from '../../operations/sign-in/confirm-second-factor.ts';
import type { HttpContext } from '../context.ts';
import { readMarks } from '../cookies.ts';
import { proofIn } from '../sign-in/passkey-challenge.ts';
import type { AccountForm } from './account-pages.ts';

export function confirmationIn(context: HttpContext, form: AccountForm): FactorConfirmation {
  return {
    currentPassword: form.field('current_password'),
    proof: proofIn(context, form.request, form.fields),
    marks: readMarks(context, form.request),
  };
}
