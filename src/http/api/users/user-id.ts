// How the path of an operation names a person.

import { Type } from 'typebox';
import { idInSegment } from '../../../pages/layout/person-path.ts';

export const PersonId = Type.String({
  pattern: '^~?[A-Za-z0-9._|:@-]{1,255}$',
  description: 'A-Z a-z 0-9 . _ | : @ -, at most 255, percent-encoded. The ID `invitations` is written `~invitations`.',
});

/** What operations take; an email address is no ID. */
export const personIn = ({ id }: { readonly id: string }) => ({ id: idInSegment(id) });
