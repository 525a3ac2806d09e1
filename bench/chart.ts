// Draws the results as an SVG bar chart for the documentation, readable in light and dark mode.

export interface Bar {
  readonly label: string;
  readonly value: number;
  readonly ours: boolean;
}

export interface Group {
  readonly title: string;
  readonly bars: readonly Bar[];
}

const width = 720;
const barHeight = 22;
const labelWidth = 190;

export function chart(groups: readonly Group[]): string {
  let y = 10;
  const parts: string[] = [];
  for (const group of groups) {
    const [longest = 0, second = longest] = group.bars.map((bar) => bar.value).toSorted((a, b) => b - a);
    // One that is far longer than all others would make them invisible. It goes to the edge and is cut.
    const most = longest > 2 * second ? 1.2 * second : longest;
    parts.push(`<text x="0" y="${y + 16}" class="title">${group.title}</text>`);
    y += 28;
    for (const bar of group.bars) {
      const length = Math.max(1, Math.min(1, bar.value / most) * (width - labelWidth - 90));
      const kind = bar.ours ? 'ours' : 'other';
      const rect = (from: number, to: number) =>
        `<rect x="${(labelWidth + from).toFixed(1)}" y="${y}" width="${(to - from).toFixed(1)}" height="${barHeight - 5}" rx="3" class="${kind}"/>`;
      parts.push(
        `<text x="0" y="${y + 15}">${bar.label}</text>`,
        bar.value > most ? rect(0, length - 22) + rect(length - 18, length) : rect(0, length),
        `<text x="${(labelWidth + length + 8).toFixed(1)}" y="${y + 14}">${Math.round(bar.value).toLocaleString('en')}</text>`,
      );
      y += barHeight;
    }
    y += 16;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" width="${width}" height="${y}" role="img">
<title>Microseconds of CPU per request; less is better</title>
<style>
text { font: 13px system-ui, sans-serif; fill: #1d2022 }
.title { font-weight: 650 }
.ours { fill: #0f5f4e }
.other { fill: #a3a9ae }
@media (prefers-color-scheme: dark) { text { fill: #e9e9e4 } .ours { fill: #7fd6bd } .other { fill: #6c7479 } }
</style>
${parts.join('\n')}
</svg>
`;
}
