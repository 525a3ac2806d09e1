// What /metrics says, as numbers by series.

export class Scrape {
  readonly text: string;
  readonly values: ReadonlyMap<string, number>;

  constructor(text: string) {
    this.text = text;
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    this.values = new Map(
      lines.map((line) => {
        const end = line.lastIndexOf(' ');
        return [line.slice(0, end), Number(line.slice(end + 1))];
      }),
    );
  }

  /** The value of a series, as it's written. */
  of(series: string): number {
    const value = this.values.get(series);
    if (value === undefined) throw new Error(`there is no series ${series}`);
    return value;
  }

  /** The sum of a family's series whose labels contain the text. */
  sum(family: string, labels = ''): number {
    let sum = 0;
    for (const [series, value] of this.values) {
      const [name, rest = ''] = series.split('{', 2);
      if (name === family && rest.includes(labels)) sum += value;
    }
    return sum;
  }
}

export async function scrape(port: number): Promise<Scrape> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  if (response.status !== 200) throw new Error(`/metrics answered ${response.status}`);
  return new Scrape(await response.text());
}
