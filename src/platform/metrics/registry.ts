// What the service counts about itself. Every series is registered before the first request, from closed sets of label
// values, so nothing that a request contains can add one. Values are numbers in typed arrays: counting costs a few
// nanoseconds (docs/decisions/71-metrics-of-our-own.md).

/** How the values of several processes become one. */
type Combination = 'sum' | 'max';

/** What a family is, without its values. It can be sent to another process. */
export interface FamilyDescription {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly combination: Combination;
  /** The labels of each series as they are written, `a="b",c="d"`, or empty. */
  readonly series: readonly string[];
  /** The upper bounds of a histogram's buckets; empty for anything else. */
  readonly bounds: readonly number[];
}

/** A value for each series; for a histogram, of each series its buckets, the one without a bound, and the sum. */
export interface Snapshot {
  readonly families: readonly FamilyDescription[];
  readonly values: readonly Float64Array[];
}

type LabelSets = Readonly<Record<string, readonly string[]>>;

type LabelsOf<Sets extends LabelSets> = { readonly [Name in keyof Sets]: Sets[Name][number] };

/** Not a valid index of a typed array, so writes to it are discarded. */
const nowhere = Number.NaN;

/** The numbers of one series, or one after the other those of a histogram's. */
class Family<Labels> {
  readonly values: Float64Array;
  readonly #places: ReadonlyMap<string, number>;
  readonly #names: readonly string[];

  constructor(names: readonly string[], keys: readonly string[], slots: number) {
    this.#names = names;
    this.#places = new Map(keys.map((key, index) => [key, index * slots]));
    this.values = new Float64Array(keys.length * slots);
  }

  /**
   * Where the numbers of a series start. The compiler allows known labels only. If others get past it, they're discarded: a
   * metric must never make a request fail.
   */
  placeOf(labels: Labels): number {
    const names = this.#names;
    if (names.length === 0) return 0;
    return this.#places.get(keyOf(names, labels as Readonly<Record<string, string>>)) ?? nowhere;
  }
}

export class Counter<Labels = Readonly<Record<never, string>>> extends Family<Labels> {
  add(labels: Labels, count = 1): void {
    this.addAt(this.placeOf(labels), count);
  }

  /** For callers that have looked up the index before. */
  addAt(place: number, count = 1): void {
    this.values[place] = (this.values[place] ?? 0) + count;
  }

  /** For values that are counted elsewhere and read at a scrape. */
  set(labels: Labels, count: number): void {
    this.values[this.placeOf(labels)] = count;
  }
}

export class Gauge<Labels = Readonly<Record<never, string>>> extends Family<Labels> {
  set(labels: Labels, value: number): void {
    this.values[this.placeOf(labels)] = value;
  }
}

export class Histogram<Labels = Readonly<Record<never, string>>> extends Family<Labels> {
  readonly #bounds: readonly number[];

  constructor(names: readonly string[], keys: readonly string[], bounds: readonly number[]) {
    super(names, keys, bounds.length + 2);
    this.#bounds = bounds;
  }

  observe(labels: Labels, value: number): void {
    this.observeAt(this.placeOf(labels), value);
  }

  observeAt(place: number, value: number): void {
    const bounds = this.#bounds;
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket++;
    const { values } = this;
    values[place + bucket] = (values[place + bucket] ?? 0) + 1;
    const sum = place + bounds.length + 1;
    values[sum] = (values[sum] ?? 0) + value;
  }
}

export class MetricRegistry {
  readonly #families: FamilyDescription[] = [];
  readonly #values: Float64Array[] = [];
  readonly #collectors: (() => void)[] = [];

  counter<const Sets extends LabelSets = Record<never, never>>(name: string, help: string, sets?: Sets) {
    return this.counterOf(name, help, productOf(sets));
  }

  /** With the labels of each series, for families in which not every combination exists. */
  counterOf<Labels extends object>(name: string, help: string, series: readonly Labels[]): Counter<Labels> {
    const description = { name, help, type: 'counter', combination: 'sum', bounds: [] } as const;
    return this.#add(description, series, (names, keys) => new Counter<Labels>(names, keys, 1));
  }

  gauge<const Sets extends LabelSets = Record<never, never>>(
    name: string,
    help: string,
    sets?: Sets,
    combination: Combination = 'sum',
  ): Gauge<LabelsOf<Sets>> {
    const description = { name, help, type: 'gauge', combination, bounds: [] } as const;
    return this.#add(description, productOf(sets), (names, keys) => new Gauge<LabelsOf<Sets>>(names, keys, 1));
  }

  /** A gauge of which the greatest value of all processes counts. */
  maximum<const Sets extends LabelSets = Record<never, never>>(name: string, help: string, sets?: Sets) {
    return this.gauge(name, help, sets, 'max');
  }

  histogram<const Sets extends LabelSets = Record<never, never>>(
    name: string,
    help: string,
    bounds: readonly number[],
    sets?: Sets,
  ): Histogram<LabelsOf<Sets>> {
    const description = { name, help, type: 'histogram', combination: 'sum', bounds } as const;
    return this.#add(description, productOf(sets), (names, keys) => new Histogram<LabelsOf<Sets>>(names, keys, bounds));
  }

  /** For values that are looked up at a scrape. */
  onCollect(collect: () => void): void {
    this.#collectors.push(collect);
  }

  snapshot(): Snapshot {
    for (const collect of this.#collectors) collect();
    return { families: [...this.#families], values: this.#values.map((values) => values.slice()) };
  }

  #add<Added extends { readonly values: Float64Array }>(
    description: Omit<FamilyDescription, 'series'>,
    series: readonly object[],
    make: (names: readonly string[], keys: readonly string[]) => Added,
  ): Added {
    if (this.#families.some(({ name }) => name === description.name)) throw new Error(`${description.name} exists`);
    const names = Object.keys(series[0] ?? {});
    const keys = series.map((labels) => keyOf(names, labels as Readonly<Record<string, string>>));
    const family = make(names, keys);
    this.#families.push({ ...description, series: series.map(written) });
    this.#values.push(family.values);
    return family;
  }
}

function productOf<Sets extends LabelSets>(sets: Sets | undefined): LabelsOf<Sets>[] {
  let product: Record<string, string>[] = [{}];
  for (const [name, values] of Object.entries(sets ?? {})) {
    product = product.flatMap((labels) => values.map((value) => ({ ...labels, [name]: value })));
  }
  return product as LabelsOf<Sets>[];
}

function keyOf(names: readonly string[], labels: Readonly<Record<string, string>>): string {
  let key = '';
  for (const name of names) key += `${labels[name] ?? ''}\n`;
  return key;
}

function written(labels: object): string {
  return Object.entries(labels as Readonly<Record<string, string>>)
    .map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, (each) => (each === '\n' ? '\\n' : `\\${each}`))}"`)
    .join(',');
}
