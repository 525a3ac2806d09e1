// `latchkey user unlink`.

import { revokeIdentities } from '../../operations/users/identities.ts';
import { userJson } from '../../operations/users/user-json.ts';
import { commandRequester, requireDone } from '../command.ts';
import { jsonOption } from '../frame/define.ts';
import { print, printJson } from '../terminal/output.ts';
import { defineStoreCommand } from '../with-services.ts';

export const unlinkCommand = defineStoreCommand(
  {
    summary: "unlink a person's identities at an identity provider, and sign the person out everywhere",
    details:
      "Use it if someone's account there is compromised. A person without another way to sign in can get a password by email.",
    arguments: { person: { label: '<email|id>', completes: 'person' } },
    options: {
      upstream: { value: 'NAME', required: true, completes: 'upstream', about: 'the identity provider' },
      subject: { value: 'SUB', about: 'only the identity with this subject' },
      ...jsonOption,
    },
    examples: ['latchkey user unlink ada@example.com --upstream google'],
  },
  async (services, { values, args: { person } }) => {
    const { user, unlinked } = requireDone(await revokeIdentities(services, person, values, commandRequester()));
    if (values.json) return printJson(userJson(user));
    const what = unlinked === 1 ? 'an identity' : `${unlinked} identities`;
    print(`Unlinked ${what} from ${user.email}, and signed them out everywhere.`);
  },
);
