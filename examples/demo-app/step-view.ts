// One step in the inspector: number, title, explanation, checks, and what was sent and received.

import type { Check } from './checks.ts';
import { escapeText } from './html.ts';
import type { Part, Step } from './recording.ts';

export function stepView(step: Step, startedAt: Date, openAll: boolean): string {
  const seconds = ((step.at.getTime() - startedAt.getTime()) / 1000).toFixed(1);
  return `<li id="step-${step.number}" class="step${hasFailed(step) ? ' failed' : ''}">
    <h3><span class="number">${step.number}</span> ${escapeText(step.title)}</h3>
    <p class="time quiet">after ${seconds} s</p>
    <p>${escapeText(step.why)}</p>
    ${step.parts.map((part) => partView(part, openAll || step.open.includes(part.label))).join('\n')}
    ${step.checks.length === 0 ? '' : `<ul class="checks">${step.checks.map(checkView).join('\n')}</ul>`}
    ${step.conclusion === undefined ? '' : `<p class="conclusion">${escapeText(step.conclusion)}</p>`}
  </li>`;
}

function hasFailed(step: Step): boolean {
  return step.checks.some((check) => !check.ok) || step.parts.some((part) => part.refused);
}

function partView({ label, summary, sections, refused }: Part, open: boolean): string {
  const inWords = label === 'Header' || label === 'Payload';
  const summed = `<span class="${inWords ? 'quiet' : refused ? 'code refused' : 'code'}">${escapeText(summary)}</span>`;
  const line = `<span class="label">${label}</span> ${summed}`;
  const shown = sections.filter((section) => section.text !== '');
  if (shown.length === 0) return `<p class="part">${line}</p>`;
  const texts = shown.map(({ label, text }) => `<p class="quiet">${label}</p><pre>${escapeText(text)}</pre>`);
  return `<details class="part"${open ? ' open' : ''}><summary>${line}</summary>${texts.join('\n')}</details>`;
}

function checkView({ name, rule, ok, detail }: Check): string {
  const mark = `<span class="mark" role="img" aria-label="${ok ? 'passed' : 'failed'}">${ok ? '✓' : '✗'}</span>`;
  return `<li class="${ok ? 'passed' : 'not-passed'}">${mark}
    <span><code>${escapeText(name)}</code> ${escapeText(rule)}: <span class="detail">${escapeText(detail)}</span></span></li>`;
}
