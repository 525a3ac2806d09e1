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
