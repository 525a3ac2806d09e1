// The settings in the file of `latchkey apply`, with the images of the brand.

import { fieldChanges, givenChanges } from '../../operations/admin/applied-resource.ts';
import { changeSettings, currentSettings, exportSettings } from '../../operations/settings/change-settings.ts';
import { settingFields } from '../../protocol/resources/settings.ts';
import { commandRequester, requireDone } from '../command.ts';
import { line } from './diff.ts';
import { changeLines, changesJson } from './resource-section.ts';
import type { Section } from './section.ts';

export const settingsSection: Section = {
  name: 'settings',

  async plan({ services, described: { settings: given } }) {
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

  export: exportSettings,
};
