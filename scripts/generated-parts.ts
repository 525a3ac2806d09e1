// Parts of documents that are generated, each between two comments, the first of which names it.

/** The text with these parts as they should be. */
export function withGeneratedParts(text: string, parts: Record<string, string>): string {
  return Object.entries(parts).reduce(
    (page, [name, part]) =>
      page.replace(
        new RegExp(`(<!-- generated: ${name} -->\\n)[\\s\\S]*?(<!-- end -->)`),
        (_, start: string, end: string) => `${start}\n${part.trimEnd()}\n\n${end}`,
      ),
    text,
  );
}
