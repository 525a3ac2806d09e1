// Counts responses by status, and problems by kind with one example each: hostile input finds the same bug many times.

export class Tally {
  readonly #statuses = new Map<string, number>();
  readonly #broken = new Map<string, { count: number; example: string }>();

  responses = 0;

  answered(status: number): void {
    this.responses++;
    const group = status === 503 ? '503' : `${Math.floor(status / 100)}xx`;
    this.#statuses.set(group, (this.#statuses.get(group) ?? 0) + 1);
  }

  broken(problem: string, example: () => string): void {
    const known = this.#broken.get(problem);
    if (known === undefined) this.#broken.set(problem, { count: 1, example: example() });
    else known.count++;
  }

  statuses(): string {
    return [...this.#statuses]
      .sort()
      .map(([group, count]) => `${count} × ${group}`)
      .join(', ');
  }

  lines(): string[] {
    return [...this.#broken].map(([problem, { count, example }]) => `${count} × ${problem}: ${example}`);
  }
}
