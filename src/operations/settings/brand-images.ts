// The images of the brand: an administrator uploads and removes them, and anybody can see them.

import { type BrandImage, isBrandImage } from '../../protocol/brand/brand.ts';
import { digestOf } from '../../protocol/digest.ts';
import type { Requester } from '../../protocol/event.ts';
import { logoLimit, notAnImage, readPicture, recogniseImage } from '../../protocol/reading/image.ts';
import type { Logo } from '../../storage/storage.ts';
import { type AdminOutcome, refused } from '../admin/outcome.ts';
import type { Services } from '../services.ts';

/** The image without metadata, or what is wrong with it. */
export function readBrandImage(name: BrandImage, bytes: Uint8Array): Logo | string {
  const picture = readPicture(bytes);
  if (picture.kind === 'picture') {
    const version = digestOf(Buffer.from(picture.bytes).toString('latin1')).slice(0, 16);
    return { version, contentType: picture.contentType, bytes: picture.bytes };
  }
  switch (picture.problem) {
    case 'too_large':
      return `the ${name} is larger than ${logoLimit / 1024} KiB`;
    case 'too_many_pixels':
      return `the ${name} has too many pixels`;
    case 'not_a_picture':
      return `the ${name} ${recogniseImage(bytes) === undefined ? notAnImage(bytes) : 'is damaged'}`;
  }
}

/** Null removes the image. One that is the same already isn't stored again, and makes no event. */
export async function changeBrandImage(
  services: Pick<Services, 'storage' | 'settings' | 'clock' | 'journal'>,
  name: BrandImage,
  bytes: Uint8Array | null,
  requester: Requester,
): Promise<AdminOutcome<{ changed: boolean }>> {
  const { storage, settings, clock, journal } = services;
  const image = bytes === null ? undefined : readBrandImage(name, bytes);
  if (typeof image === 'string') return refused(image);
  await settings.readFresh();
  if (settings.images[name] === image?.version) return { kind: 'done', changed: false };
  const event = journal.event({ kind: 'settings_changed', detail: { changed: [name] } }, requester);
  await storage.storeBrandImage(name, image, clock.now(), event);
  await settings.readFresh();
  return { kind: 'done', changed: true };
}

/**
 * Finds images by name and version. The ones in use are kept in memory, so that many responses to slow connections share
 * one copy of the bytes; a version's bytes never change.
 */
export class BrandImageFinder {
  readonly #services: Pick<Services, 'storage' | 'settings'>;
  readonly #known = new Map<BrandImage, Logo>();

  constructor(services: Pick<Services, 'storage' | 'settings'>) {
    this.#services = services;
  }

  /** Undefined when there is none, or another one. */
  async find(name: string, version: string): Promise<Logo | undefined> {
    if (!isBrandImage(name)) return undefined;
    const known = this.#known.get(name);
    // Removed or replaced images are gone as soon as this instance knows.
    if (known?.version === version && this.#services.settings.images[name] === version) return known;
    // Another instance may be ahead of this one and have sent people here for an image that it doesn't know of yet.
    const found = await this.#services.storage.findBrandImage(name, version);
    if (found !== undefined) this.#known.set(name, found);
    return found;
  }
}
