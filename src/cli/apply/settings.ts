// The settings in the file of `latchkey apply`: which of them differ, and changing them.

import type { Services } from '../../operations/services.ts';
import { changeBrandImage } from '../../operations/settings/brand-images.ts';
import { changeSettings, differingSettings } from '../../operations/settings/change-settings.ts';
import type { DescribedSettings } from '../../operations/settings/settings-file.ts';
import { type BrandImage, brandImages } from '../../protocol/brand/brand.ts';
import type { SettingName, Settings } from '../../protocol/settings.ts';
import { commandOrigin, requireDone } from '../command.ts';

/** The settings that the file changes, and what they were. */
export interface SettingSteps {
  readonly described: DescribedSettings;
  readonly names: readonly SettingName[];
  readonly before: Settings;
  readonly images: readonly ImageStep[];
}

interface ImageStep {
  readonly name: BrandImage;
  readonly change: 'added' | 'changed' | 'removed';
}

export async function planSettings(services: Services, described: DescribedSettings): Promise<SettingSteps> {
  const before = await services.settings.readFresh();
  const images = brandImages.flatMap((name): ImageStep[] => {
    const [current, image] = [services.settings.images[name], described.images[name]];
    if (image === undefined || image?.version === current) return [];
    if (image === null) return [{ name, change: 'removed' }];
    return [{ name, change: current === undefined ? 'added' : 'changed' }];
  });
  return { described, names: differingSettings(before, described.change), before, images };
}

export async function applySettings(services: Services, { described, names, images }: SettingSteps): Promise<void> {
  if (names.length > 0) requireDone(await changeSettings(services, described.change, commandOrigin()));
  for (const { name } of images) {
    const bytes = described.images[name]?.bytes ?? null;
    requireDone(await changeBrandImage(services, name, bytes, commandOrigin()));
  }
}

/** As `--json` prints them. */
export function settingChanges({ described, names, before, images }: SettingSteps) {
  return {
    ...Object.fromEntries(names.map((name) => [name, { from: before[name], to: described.change[name] }])),
    ...Object.fromEntries(images.map(({ name, change }) => [name, change])),
  };
}

export function settingLines({ described, names, before, images }: SettingSteps): string[] {
  const shown = (value: string | number | undefined) => (value === '' ? '(empty)' : value);
  return [
    ...names.map((name) => `~ settings  ${name}: ${shown(before[name])} -> ${shown(described.change[name])}`),
    ...images.map(({ name, change }) => `~ settings  ${name}: ${change}`),
  ];
}

/** One sentence for the summary, with a space before it; nothing when nothing changes. */
export function settingSummary({ names, images }: SettingSteps, dryRun: boolean): string {
  const changed = [...names, ...images.map(({ name }) => name)];
  return changed.length === 0 ? '' : ` Settings ${dryRun ? 'to change' : 'changed'}: ${changed.join(', ')}.`;
}
