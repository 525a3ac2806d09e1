// What SCIM answers instead of a resource (RFC 7644, section 3.12).

import { urns } from './urns.ts';

export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness';

/** Returned, and told from what was read by `instanceof`. */
export class ScimError {
  readonly status: number;
  readonly scimType: ScimType | undefined;
  readonly detail: string;

  constructor(status: number, scimType: ScimType | undefined, detail: string) {
    this.status = status;
    this.scimType = scimType;
    this.detail = detail;
  }
}

/** The status is a text in the body. */
export function errorBody({ status, scimType, detail }: ScimError) {
  return { schemas: [urns.error], status: String(status), ...(scimType && { scimType }), detail };
}

export const invalidFilter = (detail: string) => new ScimError(400, 'invalidFilter', detail);
export const invalidPath = (detail: string) => new ScimError(400, 'invalidPath', detail);
export const invalidSyntax = (detail: string) => new ScimError(400, 'invalidSyntax', detail);
export const invalidValue = (detail: string) => new ScimError(400, 'invalidValue', detail);
export const tooLarge = (detail: string) => new ScimError(413, undefined, detail);
export const notFound = (detail = "There's no such resource.") => new ScimError(404, undefined, detail);
