// Which users' downloads are under way in this process. Few at a time, and one for each user, so that they take a bounded
// amount of memory.

/** How many downloads a process prepares at a time; each takes the memory of a page of events. */
const downloadsAtOnce = 5;

/** The users whose download is under way in this process. */
export class Downloads {
  readonly #users = new Set<string>();

  /** True when the user's download may begin. Then `end` must be called. */
  begin(userId: string): boolean {
    if (this.#users.has(userId) || this.#users.size >= downloadsAtOnce) return false;
    this.#users.add(userId);
    return true;
  }

  end(userId: string): void {
    this.#users.delete(userId);
  }
}
