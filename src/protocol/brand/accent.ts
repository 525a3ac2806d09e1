// The colors derived from the accent color, for light and dark mode, and the stylesheet that replaces the defaults with them.
// The chosen color is used unchanged if it has enough contrast; otherwise it's made darker or lighter until it does
// (docs/decisions/64-accent-contrast.md).

import { digestOf } from '../digest.ts';
import { contrast, isHexColor, type Oklch, toHex, toOklch } from './color.ts';

export interface AccentColors {
  /** The background of the primary button, and marks that aren't text. */
  readonly fill: string;
  readonly fillHover: string;
  /** Text on the fill. */
  readonly onFill: string;
  /** Text in the accent color, such as links. */
  readonly ink: string;
  /** A background with a hint of the color. */
  readonly tint: string;
}

export type Theme = 'light' | 'dark';

/** The default accent, from the stylesheets in light mode. */
export const ownAccent = '#4338ca';

/** WCAG 2.2, 1.4.3 and 1.4.11. */
const textContrast = 4.5;
const markContrast = 3;

/**
 * The surface on which the accent has the least contrast: no background of the light theme is darker than this, and none
 * of the dark theme is lighter. A test compares them with the stylesheets.
 */
export const limitingSurface: Record<Theme, string> = { light: '#ededea', dark: '#24282c' };

const tints: Record<Theme, { lightness: number; chroma: number }> = {
  light: { lightness: 0.965, chroma: 0.018 },
  dark: { lightness: 0.26, chroma: 0.024 },
};
/** Away from the surface. Always ends, because black and white have enough contrast. */
const awayFromSurface: Record<Theme, number> = { light: -0.005, dark: 0.005 };
const hoverSteps = [0.06, 0.05, 0.04, 0.03, 0.02, 0.01];

export function accentColors(accent: string, theme: Theme): AccentColors {
  const surface = limitingSurface[theme];
  const chosen = toOklch(accent);
  const moved = (least: number) => {
    let candidate = accent.toLowerCase();
    for (let { lightness } = chosen; contrast(candidate, surface) < least; ) {
      lightness += awayFromSurface[theme];
      candidate = toHex({ ...chosen, lightness });
    }
    return candidate;
  };
  const fill = moved(markContrast);
  // One of the two always has 4.5: if white has less, black has at least 4.6.
  const onFill = contrast(fill, '#ffffff') >= textContrast ? '#ffffff' : '#000000';
  const { lightness, chroma } = tints[theme];
  return {
    fill,
    fillHover: hoverOf(toOklch(fill), fill, onFill, surface),
    onFill,
    ink: moved(textContrast),
    tint: toHex({ ...chosen, lightness, chroma: Math.min(chroma, chosen.chroma) }),
  };
}

/** Visibly different from the fill: away from the text on it where the surface allows that, otherwise towards it. */
function hoverOf(from: Oklch, fill: string, onFill: string, surface: string): string {
  const away = onFill === '#ffffff' ? -1 : 1;
  const candidates = hoverSteps.flatMap((step) =>
    [away, -away].map((direction) => toHex({ ...from, lightness: from.lightness + direction * step })),
  );
  const isReadable = (color: string) =>
    color !== fill && contrast(color, onFill) >= textContrast && contrast(color, surface) >= markContrast;
  return candidates.find(isReadable) ?? fill;
}

/**
 * The custom properties of the stylesheets, and the color of each. The focus ring keeps its own: a red one would look like an
 * error.
 */
const properties: readonly (readonly [string, keyof AccentColors])[] = [
  ['--accent', 'fill'],
  ['--accent-hover', 'fillHover'],
  ['--on-accent', 'onFill'],
  ['--accent-ink', 'ink'],
  ['--tint', 'tint'],
];

export function accentStylesheet(accent: string): string {
  const light = accentColors(accent, 'light');
  const dark = accentColors(accent, 'dark');
  const replaced = [
    ...properties.map(([property, color]) => [property, light[color], dark[color]]),
    ...(looksLikeDanger(accent) ? otherDanger : []),
  ];
  const lines = replaced.map(([property, ...colors]) => `  ${property}: light-dark(${colors.join(', ')});`);
  return `:root {\n${lines.join('\n')}\n}\n`;
}

/** The hues of --danger in tokens.css and of what replaces it, in degrees of OKLCH. */
const [dangerHue, otherDangerHue] = [27, 325];
/** Below this, a color is nearly gray. */
const leastChroma = 0.04;

/** What is dangerous, and failures in charts, where the accent is a red. */
const otherDanger: readonly (readonly [property: string, light: string, dark: string])[] = [
  ['--danger', '#86198f', '#f0abfc'],
  ['--danger-hover', '#65116c', '#f5d0fe'],
  ['--on-danger', '#ffffff', '#2e0a33'],
  ['--danger-tint', '#fbf0fc', '#2c1630'],
];

/** Whether the button that deletes something would look like the one that saves it. */
function looksLikeDanger(accent: string): boolean {
  const { hue, chroma } = toOklch(accent);
  const away = (from: number) => {
    const degrees = Math.abs((hue * 180) / Math.PI - from) % 360;
    return Math.min(degrees, 360 - degrees);
  };
  return chroma >= leastChroma && away(dangerHue) < 40 && away(dangerHue) < away(otherDangerHue);
}

/**
 * The path has the color and a hash of the stylesheet's content. It can be cached forever, and an instance that hasn't read a
 * new accent yet can still serve it.
 */
export function accentStylesheetPath(accent: string): string {
  const color = accent.slice(1).toLowerCase();
  return `/brand.${color}.${digestOf(accentStylesheet(accent)).slice(0, 12)}.css`;
}

/** The stylesheet at a path; undefined if there is none, or it's from another version of the service. */
export function stylesheetAt(path: string): string | undefined {
  const accent = `#${/^\/brand\.([0-9a-f]{6})\.[\w-]{12}\.css$/.exec(path)?.[1] ?? ''}`;
  return isHexColor(accent) && accentStylesheetPath(accent) === path ? accentStylesheet(accent) : undefined;
}
