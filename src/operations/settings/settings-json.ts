// The settings as JSON, with the URLs of the brand's images among them: the same for the API and for the command line.

import { brandImagePath, type brandImages } from '../../protocol/brand/brand.ts';
import type { SettingName } from '../../protocol/resources/settings.ts';
import type { Services } from '../services.ts';

export async function settingsJson({
  settings,
  issuer,
}: Pick<Services, 'issuer' | 'settings'>): Promise<Record<SettingName, string | number | null>> {
  const values = await settings.readFresh();
  const urlOf = (image: (typeof brandImages)[number]) => {
    const version = settings.images[image];
    return version === undefined ? null : `${issuer}${brandImagePath(image, version)}`;
  };
  return { ...values, logo: urlOf('logo'), logo_dark: urlOf('logo_dark'), favicon: urlOf('favicon') };
}
