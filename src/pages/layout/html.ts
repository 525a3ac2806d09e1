// A template tag that escapes what is interpolated, unless it is Html itself.

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Interpolation = string | number | Html | readonly Html[] | undefined | false;

export function html(parts: TemplateStringsArray, ...values: Interpolation[]): Html {
  return new Html(parts.map((part, index) => part + (index < values.length ? render(values[index]) : '')).join(''));
}

/** Longer ones may have to go on in the next line. */
const longestWhole = 24;

/** An email address or a URL: it goes on in the next line after an @, a dot or a slash, and not after a hyphen. */
export function address(text: string): Html {
  const pieces = text.split(/(?<=[@./])(?![@./])/).map((piece, index) => {
    const shown = /[-?%]/.test(piece) && piece.length <= longestWhole ? html`<span>${piece}</span>` : html`${piece}`;
    return index === 0 ? shown : html`<wbr>${shown}`;
  });
  return html`<bdi class="address">${pieces}</bdi>`;
}

const replacements: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => replacements[character] as string);
}

function render(value: Interpolation): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map((item) => item.text).join('');
  return escapeText(String(value));
}
