// The sections of the file for `latchkey apply`.

import { fieldChanges, givenChanges } from '../../operations/apply/plan-section.ts';
import { attributeSection } from '../../operations/attributes/attribute-section.ts';
import { clientSection } from '../../operations/clients/client-section.ts';
import { groupSection } from '../../operations/groups/group-section.ts';
import { changeSettings, currentSettings } from '../../operations/settings/change-settings.ts';
import { settingsInFile } from '../../operations/settings/settings-in-file.ts';
import { upstreamSection } from '../../operations/upstreams/upstream-section.ts';
import { webhookSection } from '../../operations/webhooks/webhook-section.ts';
import { settingFields } from '../../protocol/resources/settings.ts';
import { commandRequester, requireDone } from '../command.ts';
import { changeLines, changesJson, line } from './diff.ts';
import { listSection, type Section } from './section-plan.ts';

const settings: Section = {
  ...settingsInFile,

  async plan({ services, file }) {
    const { given } = file.get('settings')?.[0] ?? { given: {} };
    const changes = fieldChanges(settingFields, await currentSettings(services), { given });
    const change = changes.length;
    return {
      diff: change === 0 ? [] : [line('~', 'settings'), ...changes.flatMap((each) => changeLines(each))],
      counts: { create: 0, change, delete: 0, unchanged: Object.keys(given).length - change },
      kept: [],
      async apply(report) {
        const wanted = givenChanges(settingFields, { given }, changes);
        requireDone(await changeSettings(services, wanted, commandRequester()));
        report.changed(change);
      },
      json: () => ({ changes: changesJson(changes) }),
    };
  },
};

/**
 * In the order in which they are applied and written: upstreams and groups are there before the settings and applications
 * that name them, attributes before applications, and applications before their webhooks.
 */
export const sections: readonly Section[] = [
  listSection(upstreamSection),
  listSection(groupSection),
  settings,
  listSection(attributeSection),
  listSection(clientSection),
  listSection(webhookSection),
];
