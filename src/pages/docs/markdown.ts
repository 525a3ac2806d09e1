// Renders the documentation as HTML. We wrote it, so it isn't sanitized; links are rewritten to where pages are served.

import { Marked, type Tokens } from 'marked';
import { Html } from '../layout/html.ts';

export interface Document {
  readonly title: string;
  readonly body: Html;
}

export interface MarkdownOptions {
  /** Where a link of this document leads when it's served; undefined when its target isn't served. */
  readonly linkTo: (href: string) => string | undefined;
  readonly copy: string;
  readonly copied: string;
}

export function renderDocument(text: string, options: MarkdownOptions): Document {
  let title = '';
  let blocks = 0;
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth, text: plain }: Tokens.Heading) {
        if (depth === 1 && title === '') title = plain;
        return `<h${depth} id="${anchorOf(plain)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code({ text: code, lang = '' }: Tokens.Code) {
        const id = `code-${++blocks}`;
        const file = /\bfile=(\S+)/.exec(lang)?.[1];
        const caption = file === undefined ? '' : `<figcaption><code>${escaped(file)}</code></figcaption>`;
        const button = `<button type="button" class="quiet-button" data-copy="${id}" data-copied="${escaped(options.copied)}" hidden>${escaped(options.copy)}</button>`;
        return `<figure class="code">${caption}<pre id="${id}" tabindex="0">${escaped(code)}</pre>${button}</figure>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const words = this.parser.parseInline(tokens);
        const to = options.linkTo(href);
        return to === undefined ? words : `<a href="${escaped(to)}">${words}</a>`;
      },
      image({ href, text: alt }: Tokens.Image) {
        return `<img src="${escaped(options.linkTo(href) ?? href)}" alt="${escaped(alt)}">`;
      },
      table(token: Tokens.Table) {
        const cell = (wanted: 'th' | 'td', { tokens, text: words }: Tokens.TableCell) => {
          // An empty heading would confuse screen readers.
          const tag = words === '' ? 'td' : wanted;
          return `<${tag}${tag === 'th' ? ' scope="col"' : ''}>${this.parser.parseInline(tokens)}</${tag}>`;
        };
        const row = (tag: 'th' | 'td', cells: readonly Tokens.TableCell[]) =>
          `<tr>${cells.map((each) => cell(tag, each)).join('')}</tr>\n`;
        const body = token.rows.map((cells) => row('td', cells)).join('');
        return `<div class="scroll" tabindex="0"><table><thead>${row('th', token.header)}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const body = marked.parse(text, { async: false });
  return { title, body: new Html(body) };
}

/** The same anchors as on GitHub, so that a link works in both places. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
