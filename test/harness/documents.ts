// The documents of the project, and of a release.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The links and images of a document that lead to no file, from the folder that the document is in. */
export function brokenLinks(root: string, document: string): string[] {
  const text = readFileSync(join(root, document), 'utf8');
  const links = [...text.matchAll(/\]\(([^)#]+)[^)]*\)|src="([^"]+)"/g)].map(
    ([, link, source]) => link ?? source ?? '',
  );
  return links.filter((link) => !link.includes('://') && !existsSync(join(root, dirname(document), link)));
}

export interface Fence {
  /** Where it opens, from 1. */
  readonly line: number;
  /** What follows the opening backticks: a language, and for a program the file or client that it's for. */
  readonly info: string;
  readonly body: string;
  /** False if the document ends first. */
  readonly isClosed: boolean;
}

/** The code blocks of a document, as CommonMark reads them. In a list, they're indented. */
export function fencesIn(text: string): Fence[] {
  const fences: Fence[] = [];
  const lines = text.split('\n');
  for (let index = 0; index < lines.length; index++) {
    const [, indent = '', ticks, info = ''] = /^( *)(`{3,})([^`]*)$/.exec(lines[index] ?? '') ?? [];
    if (ticks === undefined) continue;
    const rest = lines.slice(index + 1);
    const end = rest.findIndex((line) => new RegExp(`^ *${ticks}\`*$`).test(line));
    const body = rest
      .slice(0, end < 0 ? undefined : end)
      .map((line) => line.replace(new RegExp(`^ {0,${indent.length}}`), ''));
    fences.push({ line: index + 1, info: info.trim(), body: body.join('\n'), isClosed: end >= 0 });
    index += body.length + 1;
  }
  return fences;
}
