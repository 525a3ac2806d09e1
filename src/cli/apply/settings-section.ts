// The settings in the file of `latchkey apply`, with the images of the brand.

import type { Services } from '../../operations/services.ts';
import { changeBrandImage } from '../../operations/settings/brand-images.ts';
import { changeSettings, differingSettings } from '../../operations/settings/change-settings.ts';
import { type DescribedSettings, exportSettings } from '../../operations/settings/settings-file.ts';
import { type BrandImage, brandImages } from '../../protocol/brand/brand.ts';
import { commandRequester, requireDone } from '../command.ts';
import { changeLine, type DiffLine, line, memberLine } from './diff.ts';
import type { Section } from './section.ts';

interface ImageStep {
  readonly name: BrandImage;
  readonly change: 'added' | 'changed' | 'removed';
}

export const settingsSection: Section = {
  name: 'settings',

  async plan({ services, described: { settings: described } }) {
    const before = await services.settings.readFresh();
    const names = differingSettings(before, described.change);
    const images = imageSteps(services, described);
    const given = Object.keys(described.change).length + Object.keys(described.images).length;
    const changes = names.map((name) => ({ name, from: before[name], to: described.change[name] }));
    const changed = changes.length + images.length;
    const lines = [...changes.map((each) => changeLine(each.name, each)), ...images.map(imageLine)];
    return {
      diff: lines.length === 0 ? [] : [line('~', 'settings'), ...lines],
      counts: { create: 0, change: changed, delete: 0, unchanged: given - changed },
      kept: [],

      async apply(report) {
        if (names.length > 0) {
          requireDone(await changeSettings(services, described.change, commandRequester()));
          report.changed(names.length);
        }
        for (const { name } of images) {
          const bytes = described.images[name]?.bytes ?? null;
          requireDone(await changeBrandImage(services, name, bytes, commandRequester()));
          report.changed(1);
        }
      },

      json: () => ({
        changes: {
          ...Object.fromEntries(changes.map(({ name, from, to }) => [name, { from, to }])),
          ...Object.fromEntries(images.map(({ name, change }) => [name, change])),
        },
      }),
    };
  },

  export: exportSettings,
};

function imageSteps(services: Services, { images }: DescribedSettings): ImageStep[] {
  return brandImages.flatMap((name): ImageStep[] => {
    const [current, image] = [services.settings.images[name], images[name]];
    if (image === undefined || image?.version === current) return [];
    if (image === null) return [{ name, change: 'removed' }];
    return [{ name, change: current === undefined ? 'added' : 'changed' }];
  });
}

function imageLine({ name, change }: ImageStep): DiffLine {
  return memberLine(imageSigns[change], name, change);
}

export const imageSigns = { added: '+', changed: '~', removed: '-' } as const;
