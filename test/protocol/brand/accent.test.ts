// Whatever accent is chosen, everything that is drawn in it can be read.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import {
  accentColors,
  accentStylesheet,
  accentStylesheetPath,
  limitingSurface,
  ownAccent,
  stylesheetAt,
  type Theme,
} from '../../../src/protocol/brand/accent.ts';
import { contrast, luminance, toHex, toOklch } from '../../../src/protocol/brand/color.ts';
import { isReleaseLane } from '../../harness/lane.ts';

const themes: readonly Theme[] = ['light', 'dark'];

function assertReadable(accent: string): void {
  for (const theme of themes) {
    const { fill, fillHover, onFill, ink, tint } = accentColors(accent, theme);
    const least = (ratio: number, ...pair: [string, string]) =>
      assert.ok(contrast(...pair) >= ratio, `${accent} ${theme}: ${pair.join(' on ')} is ${contrast(...pair)}`);
    const surface = limitingSurface[theme];
    least(4.5, onFill, fill);
    least(4.5, onFill, fillHover);
    least(4.5, ink, surface);
    least(4.5, ink, tint);
    least(3, fill, surface);
    least(3, fillHover, surface);
    assert.notEqual(fillHover, fill, `${accent} ${theme}: the hover shows`);
    const [tinted, limit] = [luminance(tint), luminance(surface)];
    assert.ok(theme === 'light' ? tinted >= limit : tinted <= limit, `${accent} ${theme}: the tint is a surface`);
  }
}

describe('the contrast of two colors', () => {
  for (const [a, b, ratio] of [
    ['#ffffff', '#000000', 21],
    ['#000000', '#ffffff', 21],
    ['#777777', '#ffffff', 4.48],
    ['#0000ff', '#ffffff', 8.59],
    ['#0f5f4e', '#0f5f4e', 1],
  ] as const) {
    test(`${a} on ${b}`, () => assert.equal(Math.round(contrast(a, b) * 100) / 100, ratio));
  }
});

test('a color survives conversion to OKLCH and back', () => {
  for (let value = 0; value < 0x1000000; value += 4099) {
    const hex = `#${value.toString(16).padStart(6, '0')}`;
    assert.equal(toHex(toOklch(hex)), hex);
  }
});

describe("an accent is used unchanged where it's readable, and adjusted where it isn't", () => {
  for (const [accent, theme, expected] of [
    ['#2457c5', 'light', { fill: '#2457c5', onFill: '#ffffff', ink: '#2457c5' }],
    ['#2457C5', 'light', { fill: '#2457c5' }],
    ['#000000', 'light', { fill: '#000000', onFill: '#ffffff', ink: '#000000' }],
    ['#ffffff', 'dark', { fill: '#ffffff', onFill: '#000000', ink: '#ffffff' }],
    ['#ffd400', 'dark', { fill: '#ffd400', onFill: '#000000', ink: '#ffd400' }],
  ] as const) {
    test(`${accent} in ${theme}`, () => {
      const colors = accentColors(accent, theme);
      assert.deepEqual({ ...colors, ...expected }, colors);
    });
  }

  test('yellow on white and navy on black keep their hue', () => {
    const far = (accent: string, theme: Theme) => {
      const { ink } = accentColors(accent, theme);
      assert.notEqual(ink, accent);
      return Math.abs(toOklch(ink).hue - toOklch(accent).hue);
    };
    assert.ok(far('#ffd400', 'light') < 0.1);
    assert.ok(far('#0a1a55', 'dark') < 0.1);
  });
});

test('everything is readable with hundreds of accents, before a release thousands, including grays and extremes', () => {
  const step = isReleaseLane ? 3001 : 30_011;
  for (let value = 0; value < 0x1000000; value += step) assertReadable(`#${value.toString(16).padStart(6, '0')}`);
  for (let grey = 0; grey < 256; grey += isReleaseLane ? 1 : 5)
    assertReadable(`#${grey.toString(16).padStart(2, '0').repeat(3)}`);
  for (const corner of ['ff0000', '00ff00', '0000ff', 'ffff00', 'ff00ff', '00ffff']) assertReadable(`#${corner}`);
});

describe('the tokens of the stylesheets', () => {
  const css = readFileSync(new URL('../../../src/pages/assets/tokens.css', import.meta.url), 'utf8');
  const token = (name: string) => {
    const value = new RegExp(`--${name}:\\s*light-dark\\((#[0-9a-f]{6}),\\s*(#[0-9a-f]{6})\\)`).exec(css);
    assert.ok(value, name);
    return { light: value[1] ?? '', dark: value[2] ?? '' };
  };

  test('--accent is the default color', () => assert.equal(token('accent').light, ownAccent));

  for (const name of ['ground', 'sheet', 'raised', 'hover', 'field']) {
    test(`--${name} has at least the contrast of the reference surface`, () => {
      const { light, dark } = token(name);
      assert.ok(luminance(light) >= luminance(limitingSurface.light), light);
      assert.ok(luminance(dark) <= luminance(limitingSurface.dark), dark);
    });
  }

  test('--focus has 3:1 against every surface and the tint of any accent', () => {
    for (const theme of themes) assert.ok(contrast(token('focus')[theme], limitingSurface[theme]) >= 3, theme);
  });

  for (const name of ['ink', 'quiet']) {
    test(`--${name} is readable on the tint of any accent`, () => {
      for (let value = 0; value < 0x1000000; value += 40_009) {
        const accent = `#${value.toString(16).padStart(6, '0')}`;
        for (const theme of themes) {
          assert.ok(contrast(token(name)[theme], accentColors(accent, theme).tint) >= 4.5, `${accent} ${theme}`);
        }
      }
    });
  }
});

/** How different two colors look, as their distance in OKLab: black and white are 1 apart, and 0.02 can just be seen. */
function difference(one: string, other: string): number {
  const [a, b] = [toOklch(one), toOklch(other)];
  const across = a.chroma ** 2 + b.chroma ** 2 - 2 * a.chroma * b.chroma * Math.cos(a.hue - b.hue);
  return Math.sqrt((a.lightness - b.lightness) ** 2 + Math.max(0, across));
}

describe('what is dangerous, and a failure in a chart, never looks like the accent', () => {
  const tokens = readFileSync(new URL('../../../src/pages/assets/tokens.css', import.meta.url), 'utf8');
  const colorsIn = (css: string, name: string) =>
    new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(css)?.slice(1);
  const colorOf = (css: string, theme: Theme, name: string) => {
    const [light = '', dark = ''] = colorsIn(css, name) ?? colorsIn(tokens, name) ?? [];
    return theme === 'light' ? light : dark;
  };

  test('whatever the accent', () => {
    for (let hue = 0; hue < 360; hue += isReleaseLane ? 5 : 15) {
      for (const lightness of [0.3, 0.45, 0.6, 0.75, 0.9]) {
        for (const chroma of [0, 0.03, 0.06, 0.12, 0.2]) {
          const accent = toHex({ lightness, chroma, hue: (hue * Math.PI) / 180 });
          const css = accentStylesheet(accent);
          for (const theme of themes) {
            const [fill, danger] = [colorOf(css, theme, 'accent'), colorOf(css, theme, 'danger')];
            const apart = difference(fill, danger);
            assert.ok(apart >= 0.06, `${accent} ${theme}: ${fill} and ${danger} are ${apart} apart`);
          }
        }
      }
    }
  });

  for (const [accent, danger] of [
    ['#b42318', '#86198f'],
    ['#c2410c', '#86198f'],
    ['#be185d', '#86198f'],
    ['#a21caf', '#b42318'],
    ['#166534', '#b42318'],
    ['#4338ca', '#b42318'],
    ['#333333', '#b42318'],
  ] as const) {
    test(`${accent}: ${danger}`, () => assert.equal(colorOf(accentStylesheet(accent), 'light', 'danger'), danger));
  }

  test('both are readable', () => {
    for (const accent of ['#b42318', '#4338ca']) {
      for (const theme of themes) {
        const color = (name: string) => colorOf(accentStylesheet(accent), theme, name);
        const pairs = [
          [color('danger'), limitingSurface[theme]],
          [color('danger'), color('danger-tint')],
          [color('on-danger'), color('danger')],
          [color('on-danger'), color('danger-hover')],
        ] as const;
        for (const [a, b] of pairs) assert.ok(contrast(a, b) >= 4.5, `${accent} ${theme}: ${a} on ${b}`);
      }
    }
  });
});

test('the stylesheet only has custom properties, at a path with its color and a hash', () => {
  const css = accentStylesheet('#2457c5');
  assert.match(css, /^:root \{\n( {2}--[a-z-]+: light-dark\(#[0-9a-f]{6}, #[0-9a-f]{6}\);\n)+\}\n$/);
  const path = accentStylesheetPath('#2457C5');
  assert.match(path, /^\/brand\.2457c5\.[\w-]{12}\.css$/);
  assert.equal(stylesheetAt(path), css);
  for (const other of ['/brand.2457c5.css', path.replace('2457c5', '2457c6'), '/brand.red.abcdefabcdef.css', '']) {
    assert.equal(stylesheetAt(other), undefined);
  }
});
