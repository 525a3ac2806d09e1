// `latchkey setup-link`: prints the link with which the first administrator is created.

import { linkLifetimes } from '../../operations/mail/links.ts';
import { makeSetUpLink } from '../../operations/users/set-up-link.ts';
import { isoTime } from '../../protocol/iso-time.ts';
import { commandRequester, howLong, requireDone } from '../command.ts';
import { jsonOption } from '../frame/define.ts';
import { print, printJson } from '../terminal/output.ts';
import { defineStoreCommand } from '../with-services.ts';

export const setupLink = defineStoreCommand(
  {
    summary: 'print a link for creating the first administrator',
    details: `The link works once, and only while there is no administrator. Anyone who has the link can use it. "serve" prints one
when it starts with an empty store.`,
    options: jsonOption,
    examples: ['latchkey setup-link'],
  },
  async (services, { values }) => {
    const { url, expiresAt } = requireDone(await makeSetUpLink(services, commandRequester()));
    if (values.json) return printJson({ url, expires_at: isoTime(expiresAt) });
    const life = howLong(linkLifetimes.set_up);
    print(`Open this link to create the first administrator. It works once and expires in ${life}:\n\n  ${url}`);
  },
);
