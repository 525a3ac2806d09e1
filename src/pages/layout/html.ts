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
