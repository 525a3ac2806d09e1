// A stack trace in a log or a response is always a bug: what is expected is said in a sentence, and how the service is
// built is nobody's business.

const line = /(?:^|\\n) {4}at (?:async |new )?(?:[^ ]+ \()?(?:file:|node:|\/)/gm;

/** How many lines of stack traces there are in a text, also inside of JSON. */
export function stackTracesIn(text: string): number {
  return text.match(line)?.length ?? 0;
}
