/** Computes a value on first use. Creating Intl formats takes longer than a command should take to start. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
