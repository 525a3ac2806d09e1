// `latchkey user delete`.

import { deleteUser } from '../../operations/users/disable-user.ts';
import { userJson } from '../../operations/users/user-json.ts';
import { type NamedUser, userDetails } from '../../operations/users/users.ts';
import { commandRequester, requireDone } from '../command.ts';
import { jsonOption } from '../frame/define.ts';
import { confirmLoss, yesOption } from '../terminal/confirm.ts';
import { print, printJson } from '../terminal/output.ts';
import { defineStoreCommand } from '../with-services.ts';

export const deleteUserCommand = defineStoreCommand(
  {
    summary: 'delete a person, with everything that is stored about them',
    details: 'To stop someone who may come back, use "latchkey user disable" instead.',
    arguments: { person: { label: '<email|id>', completes: 'person' } },
    options: { ...yesOption, ...jsonOption },
    examples: ['latchkey user delete ada@example.com', 'latchkey user delete ada@example.com --yes'],
  },
  async (services, { values, args: { person } }) => {
    let deleted: NamedUser = person;
    await confirmLoss(values.yes, async () => {
      const { user, sessions, apps } = requireDone(await userDetails(services, person));
      // Whoever the question names, even if the email address has become another's by the answer.
      deleted = { id: user.id };
      return {
        what: `${user.name} <${user.email}>`,
        with: [
          [sessions.length, 'session', 'sessions'],
          [apps.length, 'connected application', 'connected applications'],
        ],
      };
    });
    const { user } = requireDone(await deleteUser(services, deleted, commandRequester()));
    if (values.json) return printJson(userJson(user));
    print(`Deleted ${user.email}.`);
  },
);
