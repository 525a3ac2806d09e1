// A command ends when nobody reads what it prints any more (`latchkey events | head`), unless it's in the middle of changes.

let changing = false;

/** Finishes the work, whether or not anybody reads what it prints meanwhile. */
export async function finishing<Result>(work: () => Promise<Result>): Promise<Result> {
  changing = true;
  try {
    return await work();
  } finally {
    changing = false;
  }
}

export function isChanging(): boolean {
  return changing;
}
