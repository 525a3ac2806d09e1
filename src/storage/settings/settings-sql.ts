// Administrators' settings, and brand images.

import { insertEvent } from '../events/events-sql.ts';
import { brandImages, settings } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { columns, columnsExcept, replaceIn, select } from '../sql/query.ts';
import { fromLogo, toLogo } from '../sql/rows.ts';
import type { SettingRecords } from './setting-records.ts';

const all = select([columns(settings, 'name', 'value')], 'FROM settings se ORDER BY se.name');
const replace = replaceIn(settings);
const imageOf = select(
  [columnsExcept(brandImages, 'name')],
  'FROM brand_images i WHERE i.name = $1 AND i.version = $2',
);
const replaceImage = replaceIn(brandImages);

export function sqlSettings(database: Database): SettingRecords {
  return {
    async listSettings() {
      const rows = await database.read(all, []);
      return rows.map((row) => ({ name: row.se_name, value: row.se_value }));
    },

    async storeSettings(changed, now, event) {
      // In a fixed order, so that two concurrent changes don't deadlock.
      const ordered = changed.toSorted((a, b) => (a.name < b.name ? -1 : 1));
      await database.write([
        ...ordered.map(({ name, value }) => replace({ name, value, updated_at: now })),
        ...insertEvent(event),
      ]);
    },

    async storeBrandImage(name, image, now, event) {
      await database.write([
        replace({ name, value: JSON.stringify(image?.version ?? ''), updated_at: now }),
        image === undefined
          ? { sql: 'DELETE FROM brand_images WHERE name = $1', params: [name] }
          : replaceImage({ name, ...fromLogo(image) }),
        ...insertEvent(event),
      ]);
    },

    async findBrandImage(name, version) {
      const [row] = await database.read(imageOf, [name, version]);
      return row && toLogo(row);
    },
  };
}
