// Problems with settings in the words of the console: the command line calls a setting by its name, a page by its label.

import { type Refused, refusalSentence } from '../../operations/admin/outcome.ts';
import type { Messages } from '../../pages/messages/messages.ts';

export function settingProblem({ admin }: Messages, refusal: Refused): string {
  const m = admin.settings;
  const labels: Readonly<Record<string, string>> = {
    ...admin.events.details,
    session_hours: m.hours,
    kept_session_days: m.keptDays,
    kept_session_idle_days: m.idleDays,
  };
  return refusalSentence(refusal).replace(/^\w+/, (name) => labels[name.toLowerCase()] ?? name);
}
