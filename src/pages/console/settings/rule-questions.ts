// The question before settings are saved that concern many people: what they'd mean, and for how many.

import type { Total } from '../../../protocol/admin/totals.ts';
import type { AccountFrame } from '../../account/account-layout.ts';
import type { Messages } from '../../languages/languages.ts';
import { html } from '../../layout/html.ts';
import { confirmPage } from '../console-layout.ts';

interface Affected {
  readonly who: 'administrators' | 'everyone';
  readonly people: Total;
  readonly among: number;
  readonly you: boolean;
}

/** As operations/settings/new-rules.ts finds them. */
export type ShownRule =
  | ({ readonly kind: 'second_factor' } & Affected)
  | ({
      readonly kind: 'passwords';
      readonly isEnd: boolean;
      readonly until: number | undefined;
      readonly isOver: boolean;
    } & Affected)
  | {
      readonly kind: 'inactive';
      readonly days: number;
      readonly notice: number;
      readonly people: Total;
      readonly isWaitingForEmail: boolean;
    };

interface RuleQuestion {
  readonly title: string;
  readonly text: string;
  readonly button: string;
}

/** Undefined without rules. `path` is that of the form, and `fields` is what it sent. */
export function rulesPage(
  frame: AccountFrame,
  rules: readonly ShownRule[],
  { path, fields }: { readonly path: string; readonly fields: Readonly<Record<string, string>> },
): string | undefined {
  const m = frame.messages.admin.settings.rules;
  const questions = rules.map((rule) => questionOf(frame.messages, rule));
  const [first, ...others] = questions;
  if (first === undefined) return undefined;
  const said = ({ title, text }: RuleQuestion) => `${title} ${text}`;
  const asked =
    others.length === 0
      ? first
      : {
          title: m.several,
          text: said(first),
          about: html`${others.map((each) => html`<p>${said(each)}</p>`)}`,
          button: m.confirm,
        };
  return confirmPage(frame, { ...asked, section: 'settings', action: path, back: path, fields });
}

function questionOf({ admin, dates }: Messages, rule: ShownRule): RuleQuestion {
  const { rules, inactive } = admin.settings;
  switch (rule.kind) {
    case 'second_factor': {
      const m = rules.secondFactor;
      const sentences = [m.lacking(rule), rule.you && m.you];
      return { title: m.title[rule.who], text: inOneText(sentences), button: m.confirm };
    }
    case 'passwords': {
      const m = rules.passwords;
      const day = rule.until === undefined ? undefined : dates.day(rule.until);
      const title = !rule.isEnd || day === undefined ? m.title[rule.who] : rule.isOver ? m.overTitle : m.endTitle(day);
      const end = rule.isOver ? m.over : day !== undefined && m.until(day);
      const lacking = rule.people.count > 0 && [!rule.isOver && m.asked, end, rule.you && m.you];
      const text = inOneText([m.lacking(rule), ...(lacking || [])]);
      return { title, text, button: rule.isEnd ? m.confirmEnd : m.confirm };
    }
    case 'inactive': {
      const notice = rule.isWaitingForEmail ? inactive.noEmail : inactive.notice(rule.notice);
      const text = inOneText([inactive.affected(rule.people), notice]);
      return { title: inactive.title(rule.days), text, button: inactive.confirm };
    }
  }
}

function inOneText(sentences: readonly (string | false)[]): string {
  return sentences.filter((sentence) => sentence !== false).join(' ');
}
