// `latchkey setup-link`: prints the link with which the first administrator is created.

import { makeSetUpLink } from '../operations/admin/set-up-link.ts';
import { linkLifetimes } from '../operations/mail/links.ts';
import { isoTime } from '../protocol/iso-time.ts';
import { type Command, commandOrigin, howLong, print, printJson, readArguments, requireDone } from './command.ts';
import { withServices } from './with-services.ts';

export const setupLink: Command = {
  usage: `Usage: latchkey setup-link [--json]

Prints an address at which the first administrator is made. It works once, and only while there is no administrator.
"serve" prints one by itself when it starts with nobody in its store. Whoever has the address can use it.`,

  async run(args, environment) {
    const { values } = readArguments(args, { json: { type: 'boolean' } }, []);
    await withServices(environment, async (services) => {
      const { url, expiresAt } = requireDone(await makeSetUpLink(services, commandOrigin()));
      if (values.json) return printJson({ url, expires_at: isoTime(expiresAt) });
      const life = howLong(linkLifetimes.set_up);
      print(`Open this address to make the first administrator; it works once, for ${life}:\n\n  ${url}`);
    });
  },
};
