// The settings as JSON, with the URLs of the brand's images among them: the same for the API and for the command line.

import { type BrandImage, brandImagePath } from '../../protocol/brand/brand.ts';
import type { Settings } from '../../protocol/settings.ts';
import type { Services } from '../services.ts';

export async function settingsJson(
  services: Pick<Services, 'issuer' | 'settings'>,
): Promise<Settings & Record<BrandImage, string | null>> {
  const { settings, issuer } = services;
  const values = await settings.readFresh();
  const urlOf = (image: BrandImage) => {
    const version = settings.images[image];
    return version === undefined ? null : `${issuer}${brandImagePath(image, version)}`;
  };
  return { ...values, logo: urlOf('logo'), logo_dark: urlOf('logo_dark'), favicon: urlOf('favicon') };
}
