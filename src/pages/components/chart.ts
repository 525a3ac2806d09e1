// A bar chart with a scale and dates. Its bars are a group of radio buttons: one stop for the Tab key, then the arrow keys
// walk along the bars, and each shows its value, as it does under the pointer or after a tap.

import { type Html, html } from '../layout/html.ts';

export interface Chart {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  /** The list of what is counted. */
  readonly href?: string | undefined;
  /** Beside the title, such as the sum. */
  readonly total: string;
  /** Describes the chart in words. */
  readonly summary: string;
  readonly bars: readonly {
    readonly value: number;
    /** The value with its date, in words. */
    readonly text: Html | string;
  }[];
  /** Below the chart, from the first bar to the last. */
  readonly dates: readonly (Html | string)[];
  readonly language: string;
  readonly kind?: 'normal' | 'failure';
}

export function barChart(chart: Chart): Html {
  const top = topOfScale(Math.max(0, ...chart.bars.map(({ value }) => value)));
  const bars = chart.bars.map(({ value, text }, index) => {
    // Even the smallest value is visible.
    const tall = value === 0 ? 0 : Math.max(2, Math.round((value / top) * 100));
    const late = index >= chart.bars.length / 2 && ' late';
    const id = `${chart.id}-${index}`;
    return html`<label class="bar-value${late}"><input type="radio" name="${chart.id}" aria-labelledby="${id}"><svg viewBox="0 0 1 100" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect y="${100 - tall}" width="1" height="${tall}"/></svg><span class="tip" id="${id}" aria-hidden="true">${text}</span></label>`;
  });
  const scale = [top, top / 2, 0].map((value) => html`<span>${value.toLocaleString(chart.language)}</span>`);
  return html`<figure class="figure${chart.kind === 'failure' && ' failure'}">
<figcaption>${chart.href === undefined ? chart.title : html`<a href="${chart.href}">${chart.title}</a>`} <span>${chart.total}</span></figcaption>
<div class="chart">
<div class="scale" aria-hidden="true">${scale}</div>
<div class="plot" role="radiogroup" aria-label="${chart.summary}">${bars}</div>
<div class="dates" aria-hidden="true">${chart.dates.map((date) => html`<span>${date}</span>`)}</div>
</div>
</figure>`;
}

/** The smallest round number that isn't below the value, and whose half is whole. */
export function topOfScale(value: number): number {
  if (value <= 10) return Math.max(2, Math.ceil(value / 2) * 2);
  const power = 10 ** (Math.floor(Math.log10(value)) - 1);
  const factors = [12, 16, 20, 24, 30, 40, 50, 60, 80, 100];
  return power * (factors.find((factor) => factor * power >= value) ?? 100);
}
