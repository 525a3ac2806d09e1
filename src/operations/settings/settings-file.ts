// The settings in a file for `latchkey apply`, with the images of the brand, which are named by the paths of their files.

import { type BrandImage, brandImages } from '../../protocol/brand/brand.ts';
import { includes } from '../../protocol/reading/includes.ts';
import type { ImageReader, ImageWriter, Logo } from '../../protocol/reading/logo.ts';
import { isJsonObject, type Json } from '../../protocol/reading/strict-json.ts';
import { type SettingName, type SettingsChange, settingNames } from '../../protocol/settings.ts';
import type { Services } from '../services.ts';
import { readBrandImage } from './brand-images.ts';
import { readJsonSettings } from './change-settings.ts';

export interface DescribedSettings {
  readonly change: SettingsChange;
  /** Null removes an image; one that isn't there stays as it is. */
  readonly images: { readonly [Image in BrandImage]?: Logo | null };
}

/** Adds to `problems`. When there are any, the result is incomplete and must not be used. */
export function readDescribedSettings(
  value: Json | undefined,
  imageAt: ImageReader,
  problems: string[],
): DescribedSettings {
  if (value === undefined) return { change: {}, images: {} };
  if (!isJsonObject(value)) {
    problems.push('"settings" must be an object');
    return { change: {}, images: {} };
  }
  const isImage = ([name]: [string, Json]) => includes(brandImages, name);
  const entries = Object.entries(value);
  const readings = entries
    .filter((entry) => !isImage(entry))
    .map(([name, member]) => readJsonSettings({ [name]: member }));
  problems.push(...readings.flatMap((each) => (each.kind === 'refused' ? [`settings: ${each.problem}`] : [])));
  const images: Partial<Record<BrandImage, Logo | null>> = {};
  for (const name of brandImages) {
    const given = value[name];
    if (given === undefined) continue;
    const image = given === null ? null : readDescribedImage(name, given, imageAt);
    if (typeof image === 'string') problems.push(`settings: ${image}`);
    else images[name] = image;
  }
  const changes = readings.map((each) => (each.kind === 'read' ? each.change : {}));
  return { change: Object.assign({}, ...changes), images };
}

function readDescribedImage(name: BrandImage, given: Json, imageAt: ImageReader): Logo | string {
  const bytes = typeof given === 'string' ? imageAt(given) : `"${name}" must be the path of an image, or null`;
  return typeof bytes === 'string' ? bytes : readBrandImage(name, bytes);
}

export async function exportSettings(services: Pick<Services, 'storage' | 'settings'>, writeImage: ImageWriter) {
  const settings = await services.settings.readFresh();
  const exported: Partial<Record<SettingName | BrandImage, string | number | null>> = {};
  for (const name of settingNames) exported[name] = settings[name];
  for (const name of brandImages) {
    const version = services.settings.images[name];
    const image = version === undefined ? undefined : await services.storage.findBrandImage(name, version);
    exported[name] = image === undefined ? null : writeImage(`brand/${name}`, image);
  }
  return exported;
}
