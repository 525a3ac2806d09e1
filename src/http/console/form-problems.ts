// What a form shows after it was refused: each problem at its field, or above the form when it's about none of them.

import { type Refused, refusalSentence } from '../../operations/admin/outcome.ts';
import type { FieldLabels } from '../../pages/console/field-form.ts';
import type { Messages } from '../../pages/languages/languages.ts';
import type { FieldProblems } from '../../pages/layout/form.ts';

export interface FormProblems {
  readonly problem: string | undefined;
  readonly problems: FieldProblems;
}

export function formProblems(refusal: Refused, inWords = refusalSentence): FormProblems {
  const { fields } = refusal;
  if (fields === undefined) return { problem: inWords(refusal), problems: {} };
  const shown = Object.entries(fields).map(([name, problems]) => {
    const sentences = problems.map((problem) => inWords({ problem }));
    return [name, sentences.join(' ')];
  });
  return { problem: undefined, problems: Object.fromEntries(shown) };
}

/** The command line and the API call a link by its name; at its field it needs none. */
export function clientProblems(refusal: Refused): FormProblems {
  return formProblems(refusal, ({ problem }) =>
    refusalSentence({ problem: problem.replace(/^the (client_uri|launch_url|policy_uri|tos_uri) /, '') }),
  );
}

/** The command line calls a setting by its name, a page by its label. */
function settingProblem({ admin }: Messages, refusal: Pick<Refused, 'problem'>): string {
  const { second_factor, ...labels }: FieldLabels = admin.settings.fields;
  const nameOf = (name: string) => (name === 'second_factor' ? second_factor?.event : labels[name]?.label) ?? name;
  return refusalSentence(refusal).replace(/^\w+/, nameOf);
}

export function settingProblems(messages: Messages, refusal: Refused): FormProblems {
  return formProblems(refusal, (one) => settingProblem(messages, one));
}
