// What several pages of the console show.

import type { FormField } from '../../../src/pages/console/field-form.ts';
import type { FilterChoice } from '../../../src/pages/console/users/user-filter.ts';
import { frame } from './marked.ts';

export const { admin: m } = frame.messages;
export const notice = m.notices.saved;
export const problem = m.events.invalidTime;
export const problems = { name: problem, scope: problem, accent: problem };
export const fieldOf = (name: string, kind: FormField['kind'], value: string, options?: string[]): FormField => ({
  name,
  control: name,
  kind,
  value,
  optional: false,
  ...(options && { options: options.map((each) => ({ value: each })) }),
});
export const place = { next: '59', previous: '58', start: 50, count: 50 };
export const total = { count: 201, more: true };
export const group = {
  id: '109',
  name: '110',
  email: '111',
  protectedSince: 0,
  managedBy: null,
  members: total,
  clients: total,
};
export const picker = { search: '112', found: [group] };
export const choices: FilterChoice[] = [
  { name: 'role', values: ['auditor', 'any'] },
  { name: 'status', values: ['active', 'disabled', 'pending'] },
  { name: 'second_factor', values: ['none'] },
  { name: 'signed_in', values: ['never', '30d'] },
  { name: 'expires_within', values: undefined },
  { name: 'managed_by', values: ['202'] },
];
export const listed = { search: '', sort: 'name', filters: {}, choices, place, now: 0, notice, problem };
export const listedUser = { id: '92', name: '93', email: '94', createdAt: 0, waiting: false, managedBy: '95' };
export const waitingPerson = { id: '92', name: '93', email: '94', pendingSince: 0 };
