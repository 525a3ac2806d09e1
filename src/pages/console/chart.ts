// A bar chart as SVG. The same numbers are in a table next to it, for screen readers and for exact values.

import { type Html, html } from '../layout/html.ts';

const height = 64;
const step = 10;
const gap = 2;

/** `label` describes the chart in words. */
export function barChart(values: readonly number[], label: string): Html {
  const most = Math.max(1, ...values);
  const width = values.length * step;
  const bars = values.map((value, index) => {
    // Even the smallest value is visible.
    const tall = value === 0 ? 0 : Math.max(2, Math.round((value / most) * height));
    return html`<rect x="${index * step}" y="${height - tall}" width="${step - gap}" height="${tall}"/>`;
  });
  return html`<svg class="chart" viewBox="0 0 ${width} ${height + 1}" preserveAspectRatio="none" role="img" aria-label="${label}"><g>${bars}</g><path d="M0 ${height + 0.5}H${width}"/></svg>`;
}
