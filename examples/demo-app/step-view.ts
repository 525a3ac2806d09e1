// One step in the inspector: number, title, explanation, checks, and what was sent and received.

import type { Check } from './checks.ts';
import { escapeText } from './html.ts';
import { anchorOf, hasFailed, type Part, type Step } from './recording.ts';

export function stepView(step: Step, startedAt: Date, openAll: boolean): string {
  const seconds = ((step.at.getTime() - startedAt.getTime()) / 1000).toFixed(1);
  const failed = hasFailed(step);
  const number = step.detail
    ? '<span class="number" aria-hidden="true">·</span>'
    : `<span class="number">${step.number}</span>`;
  // Whoever comes to see what went wrong doesn't have to open it first.
  const isOpen = (part: Part) => openAll || failed || step.open.includes(part.label);
  return `<li id="${anchorOf(step)}" class="step${failed ? ' failed' : ''}">
    <h3>${number} ${escapeText(step.title)}</h3>
    <p class="time quiet">after ${seconds} s</p>
    <p>${escapeText(step.why)}</p>
    ${step.parts.map((part) => partView(part, isOpen(part))).join('\n')}
    ${step.checks.length === 0 ? '' : `<ul class="checks">${step.checks.map(checkView).join('\n')}</ul>`}
    ${step.conclusion === undefined ? '' : `<p class="conclusion">${escapeText(step.conclusion)}</p>`}
  </li>`;
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
