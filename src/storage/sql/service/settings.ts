// What administrators have set.

import { settings } from '../../schema.ts';
import type { SettingRecords } from '../../setting-records.ts';
import type { Database } from '../database.ts';
import { insertEvent } from '../events.ts';
import { columns, replaceIn, select } from '../query.ts';

const all = select([columns(settings, 'name', 'value')], 'FROM settings se ORDER BY se.name');
const replace = replaceIn(settings);

export function sqlSettings(database: Database): SettingRecords {
  return {
    async listSettings() {
      const rows = await database.read(all, []);
      return rows.map((row) => ({ name: row.se_name, value: row.se_value }));
    },

    async storeSettings(changed, now, event) {
      // In one order everywhere, so that two changes at the same moment do not deadlock.
      const ordered = changed.toSorted((a, b) => (a.name < b.name ? -1 : 1));
      await database.write([
        ...ordered.map(({ name, value }) => replace({ name, value, updated_at: now })),
        insertEvent(event),
      ]);
    },
  };
}
