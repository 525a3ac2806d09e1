// `latchkey setup-link`: prints the link with which the first administrator is created.

import { makeSetUpLink } from '../operations/admin/set-up-link.ts';
import { linkLifetimes } from '../operations/mail/links.ts';
import { isoTime } from '../protocol/iso-time.ts';
import { type Command, commandOrigin, howLong, print, printJson, readArguments, requireDone } from './command.ts';
import { withServices } from './with-services.ts';

export const setupLink: Command = {
  usage: `Usage: latchkey setup-link [--json]

Prints a link for creating the first administrator. It works once, and only while there is no administrator. Anyone who
has the link can use it. "serve" prints one when it starts with an empty store.`,

  async run(args, environment) {
    const { values } = readArguments(args, { json: { type: 'boolean' } }, []);
    await withServices(environment, async (services) => {
      const { url, expiresAt } = requireDone(await makeSetUpLink(services, commandOrigin()));
      if (values.json) return printJson({ url, expires_at: isoTime(expiresAt) });
      const life = howLong(linkLifetimes.set_up);
      print(`Open this link to create the first administrator. It works once and expires in ${life}:\n\n  ${url}`);
    });
  },
};
