// What a form shows after it was refused: each problem at its field, or above the form when it's about none of them.

import type { Refused } from '../../operations/admin/outcome.ts';
import type { FieldLabels } from '../../pages/console/field-form.ts';
import type { Messages } from '../../pages/languages/languages.ts';
import type { FieldProblems } from '../../pages/layout/form.ts';
import { type Clause, type Problem, sentenceOf } from '../../protocol/problem.ts';

export interface FormProblems {
  readonly problem: string | undefined;
  readonly problems: FieldProblems;
}

/** `atField` is what a field's problem says where the field's label is above it. */
export function formProblems({ problems }: Refused, atField: (problem: Problem) => Clause = (problem) => problem) {
  const shown: Record<string, string> = {};
  const above: string[] = [];
  for (const problem of problems) {
    const { field } = problem;
    if (field === undefined) above.push(sentenceOf(problem));
    else shown[field] = [shown[field] ?? [], sentenceOf(atField(problem))].flat().join(' ');
  }
  return { problem: above[0], problems: shown } satisfies FormProblems;
}

const links: readonly unknown[] = ['client_uri', 'launch_url', 'policy_uri', 'tos_uri'];

/** The command line and the API call a link by its name; at its field it needs none. */
export function clientProblems(refusal: Refused): FormProblems {
  return formProblems(refusal, (problem) => (links.includes(problem.field) ? { says: problem.says } : problem));
}

/** The command line calls a setting by its name, a page by its label. */
export function settingProblems({ admin }: Messages, refusal: Refused): FormProblems {
  const { second_factor, ...labels }: FieldLabels = admin.settings.fields;
  const nameOf = (name: string) => (name === 'second_factor' ? second_factor?.event : labels[name]?.label) ?? name;
  return formProblems(refusal, (problem) => {
    const { field, subject } = problem;
    return subject === field && field !== undefined ? { ...problem, subject: nameOf(field) } : problem;
  });
}
