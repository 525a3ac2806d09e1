// The file that says which passwords are known from breaches: a header and pages with the first 8 bytes of each SHA-1 hash, in
// ascending order (docs/decisions/88-breached-passwords.md). This is its layout; filter-writer.ts and filter-file.ts write
// and read it.

export const hashSize = 20;
export const prefixSize = 8;
export const pageSize = 4096;
/** The size of a page without its checksum. */
export const contentSize = pageSize - 4;
export const prefixesPerPage = Math.floor(contentSize / prefixSize);

const version = 2;
const name = 'latchkey breached passwords';

/** The file can't be used. The message is a sentence for the operator, without the name of the file at its beginning. */
export class FilterUnusable extends Error {
  override name = 'FilterUnusable';
}

export interface FilterHeader {
  readonly hashes: number;
  /** How often a listed password was seen at least. */
  readonly minCount: number;
  /** A checksum over the checksums of all other pages, in hexadecimal. */
  readonly digest: string;
}

/** The pages with prefixes. They follow the header, so they're counted from 1. */
export function pagesOf({ hashes }: FilterHeader): number {
  return Math.ceil(hashes / prefixesPerPage);
}

/** The false positive rate. */
export function falsePositivesOf({ hashes }: FilterHeader): number {
  return hashes / 2 ** (8 * prefixSize);
}

/** Includes the page number, so that a page in the wrong place is detected. An import statement would load zlib with each start. */
function checksumOf(page: Buffer, number: number): number {
  return process.getBuiltinModule('node:zlib').crc32(page.subarray(0, contentSize), number);
}

export function seal(page: Buffer, number: number): void {
  page.writeUInt32LE(checksumOf(page, number), contentSize);
}

export function checkPage(page: Buffer, number: number): void {
  if (page.length === pageSize && page.readUInt32LE(contentSize) === checksumOf(page, number)) return;
  throw new FilterUnusable(`was altered or damaged, at byte ${number * pageSize}: copy it or build it again`);
}

/** Text, so that `head -n 2` shows what a file is. */
export function formatHeader({ hashes, minCount, digest }: FilterHeader): Buffer {
  const page = Buffer.alloc(pageSize, '\n');
  page.write(`${name} ${version}\n${JSON.stringify({ hashes, min_count: minCount, digest })}\n`);
  seal(page, 0);
  return page;
}

/** Throws unless the file is a filter, of any version. */
export function checkKind(firstPage: Buffer): void {
  if (firstPage.toString('latin1').startsWith(`${name} `)) return;
  throw new FilterUnusable('is not a file that "latchkey passwords build-filter" has written');
}

export function parseHeader(page: Buffer, file: string): FilterHeader {
  checkKind(page);
  const [firstLine, secondLine = ''] = page.toString('latin1').split('\n', 2);
  if (firstLine !== `${name} ${version}`) {
    const command = `latchkey passwords build-filter pwnedpasswords.txt ${file}`;
    throw new FilterUnusable(`was written by another version of Latchkey. Build it again: "${command}"`);
  }
  if (page.length < pageSize) throw new FilterUnusable('is cut short: copy it or build it again');
  checkPage(page, 0);
  const facts = JSON.parse(secondLine) as Record<string, unknown>;
  return { hashes: Number(facts.hashes), minCount: Number(facts.min_count), digest: String(facts.digest) };
}
