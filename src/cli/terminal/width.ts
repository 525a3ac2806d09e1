// How many columns of a terminal a text takes, and where to break it.

/** Made on first use: that takes 20 ms, and most texts are ASCII. */
let segmenter: Intl.Segmenter | undefined;
const ascii = /^[\u0020-\u007e]*$/;
const invisible = /^[\p{Nonspacing_Mark}\p{Enclosing_Mark}\p{Default_Ignorable_Code_Point}\p{Control}\p{Format}]$/u;
/** An emoji that's shown as a picture by itself, or because a variation selector says so. */
const picture = /^(?:\p{Emoji_Presentation}|\p{Emoji}\ufe0f|\p{Regional_Indicator}{2})/u;
/** East Asian characters of double width (Unicode's East_Asian_Width W and F), apart from emoji. */
const wide =
  /^[\u1100-\u115f\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u303e\u3041-\u3247\u3250-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18df2}\u{1aff0}-\u{1b2fb}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u;

export function displayWidth(text: string): number {
  if (ascii.test(text)) return text.length;
  let width = 0;
  for (const { segment } of charactersOf(text)) width += widthOf(segment);
  return width;
}

function charactersOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

/** Of what a reader takes for one character. */
function widthOf(character: string): number {
  if (picture.test(character)) return 2;
  let width = 0;
  for (const part of character) width += wide.test(part) ? 2 : invisible.test(part) ? 0 : 1;
  return width;
}

export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** Lines of at most so many columns, broken at spaces. A longer word, such as a URL, stays whole, so that it can be copied. */
export function wrapped(text: string, most: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && displayWidth(line) + 1 + displayWidth(word) > most) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

/** As much of the text as fits, with an ellipsis if something is left out. */
export function shortened(text: string, most: number): string {
  if (displayWidth(text) <= most) return text;
  let kept = '';
  for (const { segment } of charactersOf(text)) {
    if (displayWidth(kept) + widthOf(segment) >= most) break;
    kept += segment;
  }
  return `${kept}…`;
}
