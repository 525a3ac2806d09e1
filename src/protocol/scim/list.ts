// Lists: which part is asked for, and the response (RFC 7644, section 3.4.2.4).

import { invalidValue, type ScimError } from './errors.ts';
import { urns } from './urns.ts';

export interface Part {
  /** From 1. */
  readonly startIndex: number;
  readonly count: number;
}

export const mostResults = 200;
const usualResults = 100;

export function readPart(startIndex: string | undefined, count: string | undefined): Part | ScimError {
  const [start, size] = [startIndex ?? '1', count ?? String(usualResults)].map((text) =>
    /^-?\d{1,9}$/.test(text) ? Number(text) : undefined,
  );
  if (start === undefined || size === undefined) return invalidValue('startIndex and count must be whole numbers.');
  return { startIndex: Math.max(1, start), count: Math.min(mostResults, Math.max(0, size)) };
}

export function listResponse(
  resources: readonly object[],
  totalResults: number,
  { startIndex }: Pick<Part, 'startIndex'>,
) {
  return {
    schemas: [urns.list],
    totalResults,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}
