// Renders the documentation as HTML, and takes it apart into sections for the search. We wrote it, so it isn't
// sanitized; links are rewritten to where pages are served.

import highlighter from 'highlight.js/lib/core';
import apache from 'highlight.js/lib/languages/apache';
import bash from 'highlight.js/lib/languages/bash';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import nginx from 'highlight.js/lib/languages/nginx';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import html from 'highlight.js/lib/languages/xml';
import { Marked, type Token, type Tokens } from 'marked';
import { Html } from '../layout/html.ts';
import type { docsMessages } from '../messages/docs.ts';

/** Those that occur in the documentation. */
const languages = { apache, bash, go, ini, javascript, json, nginx, python, ruby, html };
for (const [name, language] of Object.entries(languages)) highlighter.registerLanguage(name, language);

/** The code as HTML, escaped either way; undefined if its language isn't known. */
export function highlighted(code: string, language: string): string | undefined {
  if (highlighter.getLanguage(language) === undefined) return undefined;
  return highlighter.highlight(code, { language, ignoreIllegals: true }).value;
}

export interface Heading {
  readonly depth: number;
  readonly text: string;
  readonly anchor: string;
}

export interface Document {
  readonly title: string;
  readonly body: Html;
  /** The headings below the title that the table of contents lists. */
  readonly headings: readonly Heading[];
}

/** What stands below one heading, as plain text. */
export interface Section {
  readonly heading: string;
  /** Empty for what comes before the second heading. */
  readonly anchor: string;
  readonly text: string;
}

export interface MarkdownOptions {
  /** Where a link of this document leads when it's served; undefined when its target isn't served. */
  readonly linkTo: (href: string) => string | undefined;
  readonly messages: Pick<typeof docsMessages, 'copy' | 'copied' | 'table' | 'code' | 'linkTo'>;
}

/** The table of contents goes this deep. */
const deepestListed = 3;

export function renderDocument(text: string, options: MarkdownOptions): Document {
  const { messages } = options;
  let title = '';
  let blocks = 0;
  const headings: Heading[] = [];
  const anchors = uniqueAnchors();
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth, text: source }: Tokens.Heading) {
        const words = this.parser.parseInline(tokens);
        const plain = plainText(tokens);
        const anchor = anchors(source);
        if (depth === 1) {
          if (title === '') title = plain;
          return `<h1 id="${anchor}">${words}</h1>\n`;
        }
        if (depth <= deepestListed) headings.push({ depth, text: plain, anchor });
        const link = `<a class="anchor" href="#${anchor}" aria-label="${escaped(messages.linkTo(plain))}">#</a>`;
        return `<h${depth} id="${anchor}">${words} ${link}</h${depth}>\n`;
      },
      code({ text: code, lang = '' }: Tokens.Code) {
        const id = `code-${++blocks}`;
        const file = /\bfile=(\S+)/.exec(lang)?.[1];
        const caption = file === undefined ? '' : `<figcaption><code>${escaped(file)}</code></figcaption>`;
        const button = `<button type="button" class="quiet-button" data-copy="${id}" data-copied="${escaped(messages.copied)}" hidden>${escaped(messages.copy)}</button>`;
        const shown = highlighted(code, lang.split(' ')[0] ?? '') ?? escaped(code);
        return `<figure class="code">${caption}<pre id="${id}" tabindex="0" role="region" aria-label="${escaped(file ?? messages.code)} ${blocks}">${shown}</pre>${button}</figure>\n`;
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
        const label = `${escaped(messages.table)} ${++blocks}`;
        return `<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table><thead>${row('th', token.header)}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const body = marked.parse(text, { async: false });
  return { title, body: new Html(body), headings };
}

export function sectionsOf(text: string): readonly Section[] {
  const anchors = uniqueAnchors();
  // Prose first, because it makes the better excerpt.
  const sections: { heading: string; anchor: string; prose: string[]; code: string[] }[] = [];
  for (const token of new Marked({ gfm: true }).lexer(text)) {
    if (token.type === 'heading') {
      const { depth, text: source, tokens } = token as Tokens.Heading;
      const anchor = anchors(source);
      if (depth <= deepestListed) {
        sections.push({ heading: plainText(tokens), anchor: depth === 1 ? '' : anchor, prose: [], code: [] });
        continue;
      }
    }
    sections.at(-1)?.[token.type === 'code' ? 'code' : 'prose'].push(plainText([token]));
  }
  return sections.map(({ heading, anchor, prose, code }) => ({
    heading,
    anchor,
    text: [...prose, ...code].join(' ').replace(/\s+/g, ' ').trim(),
  }));
}

/** The words of tokens without markup; cells of a table and items of a list are set apart by a space. */
function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table;
        return [header, ...rows].map((cells) => cells.map((cell) => plainText(cell.tokens)).join(' ')).join(' ');
      }
      if (token.type === 'list') return (token as Tokens.List).items.map((item) => plainText(item.tokens)).join(' ');
      if (token.type === 'html') return '';
      if ('tokens' in token && token.tokens !== undefined) return plainText(token.tokens);
      return 'text' in token ? unescaped(String(token.text)) : ' ';
    })
    .join('');
}

/** Anchors are those of GitHub, so that a link works in both places. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

/** A heading that occurs again gets a number, as on GitHub. */
function uniqueAnchors(): (heading: string) => string {
  const seen = new Map<string, number>();
  return (heading) => {
    const anchor = anchorOf(heading);
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
