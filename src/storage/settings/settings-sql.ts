// Administrators' settings, and brand images.

import type { BrandImage } from '../../protocol/brand/brand.ts';
import type { EventRecord } from '../../protocol/event.ts';
import type { Logo } from '../../protocol/reading/logo.ts';
import { brandImages, type RecordOf, settings } from '../schema.ts';
import type { Database } from '../sql/database.ts';
import { columns, columnsExcept, replaceIn, select } from '../sql/query.ts';
import { fromLogo, toLogo } from '../sql/rows.ts';

/** The value as JSON. */
type StoredSetting = RecordOf<typeof settings, 'name' | 'value'>;

const all = select([columns(settings, 'name', 'value')], 'FROM settings se ORDER BY se.name');
const replace = replaceIn(settings);
const imageOf = select(
  [columnsExcept(brandImages, 'name')],
  'FROM brand_images i WHERE i.name = $1 AND i.version = $2',
);
const replaceImage = replaceIn(brandImages);

export function sqlSettings(database: Database) {
  return {
    /** Those that were ever changed. */
    listSettings: () => database.list(all, [], (row) => ({ name: row.se_name, value: row.se_value })),

    /** Atomic; the others stay unchanged. */
    async storeSettings(changed: readonly StoredSetting[], now: number, event: EventRecord) {
      // In a fixed order, so that two concurrent changes don't deadlock.
      const ordered = changed.toSorted((a, b) => (a.name < b.name ? -1 : 1));
      await database.writeWith(event, [...ordered.map(({ name, value }) => replace({ name, value, updated_at: now }))]);
    },

    /** The image, and its version as the setting of the same name; undefined removes both. */
    async storeBrandImage(name: BrandImage, image: Logo | undefined, now: number, event: EventRecord) {
      await database.writeWith(event, [
        replace({ name, value: JSON.stringify(image?.version ?? ''), updated_at: now }),
        image === undefined
          ? { sql: 'DELETE FROM brand_images WHERE name = $1', params: [name] }
          : replaceImage({ name, ...fromLogo(image) }),
      ]);
    },

    findBrandImage: (name: string, version: string) => database.first(imageOf, [name, version], toLogo),
  };
}
