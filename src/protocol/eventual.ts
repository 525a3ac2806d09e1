// A value that is there at once from the embedded store, and in a moment from a database server. One implementation serves
// both, and none waits a turn for what it has already.

export type Eventual<Value> = Value | Promise<Value>;

/** Goes on with the value: in the same turn if it's there. */
export function whenThere<Value, Result>(
  value: Eventual<Value>,
  next: (value: Value) => Eventual<Result>,
): Eventual<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
