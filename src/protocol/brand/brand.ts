// The brand on pages and in emails: name, colors, images and links. It's derived from the settings and the versions of
// uploaded images.

import { includes } from '../reading/includes.ts';
import { brandFields, type Settings } from '../resources/settings.ts';
import { type AccentColors, accentColors, accentStylesheetPath } from './accent.ts';
import { initialOf, monogramPath } from './monogram.ts';

export const brandImages = ['logo', 'logo_dark', 'favicon'] as const;
/** `logo` is also the dark one, and the other way round, if only one of them was uploaded. */
export type BrandImage = (typeof brandImages)[number];

/** The version of each image; undefined without one. */
export type BrandImages = Readonly<Record<BrandImage, string | undefined>>;

export interface Brand {
  readonly name: string;
  /** Shown beside the name if there's no logo; undefined while the service has the product's own name and mark. */
  readonly monogram: string | undefined;
  /** Paths. */
  readonly logo: { readonly light: string; readonly dark: string } | undefined;
  readonly favicon: string | undefined;
  /** The path of the stylesheet with the accent's colors. */
  readonly stylesheet: string | undefined;
  /** For emails, which are light. */
  readonly colors: AccentColors | undefined;
  readonly links: { readonly [Link in 'support' | 'terms' | 'privacy']: string | undefined };
  readonly signInMessage: string | undefined;
}

export function isBrandImage(name: string): name is BrandImage {
  return includes(brandImages, name);
}

/** From what is stored among the settings. */
export function readBrandImages(stored: ReadonlyMap<string, string>): BrandImages {
  const versionOf = (image: BrandImage) => /^"([\w-]{16})"$/.exec(stored.get(image) ?? '')?.[1];
  return { logo: versionOf('logo'), logo_dark: versionOf('logo_dark'), favicon: versionOf('favicon') };
}

export function brandImagePath(image: BrandImage, version: string): string {
  return `/brand/${image}/${version}`;
}

export function brandOf(settings: Settings, images: BrandImages): Brand {
  const pathOf = (image: BrandImage) => {
    const version = images[image];
    return version === undefined ? undefined : brandImagePath(image, version);
  };
  const light = pathOf('logo') ?? pathOf('logo_dark');
  const dark = pathOf('logo_dark') ?? pathOf('logo');
  const accent = settings.accent || undefined;
  const renamed = settings.service_name !== brandFields.service_name.initial;
  return {
    name: settings.service_name,
    monogram: renamed ? initialOf(settings.service_name) : undefined,
    logo: light !== undefined && dark !== undefined ? { light, dark } : undefined,
    favicon: pathOf('favicon') ?? (renamed ? monogramPath(settings.service_name, accent) : undefined),
    stylesheet: accent && accentStylesheetPath(accent),
    colors: accent === undefined ? undefined : accentColors(accent, 'light'),
    links: {
      support: settings.support_url || undefined,
      terms: settings.terms_url || undefined,
      privacy: settings.privacy_url || undefined,
    },
    signInMessage: settings.sign_in_message || undefined,
  };
}
