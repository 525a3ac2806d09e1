// A page of the documentation, with the chapters beside it.

import { type Html, html } from '../layout/html.ts';
import { type Frame, layout } from '../layout/layout.ts';

export interface DocsPage {
  readonly title: string;
  readonly body: Html;
  readonly sections: readonly { readonly path: string; readonly title: string; readonly here: boolean }[];
}

export function docsPage(frame: Frame, page: DocsPage): string {
  const links = page.sections.map(({ path, title, here }) => {
    const current = here ? html` aria-current="page"` : html``;
    return html`<li><a href="${path}"${current}>${title}</a></li>`;
  });
  const body = html`
<nav class="sections" aria-label="${frame.messages.docs.nav}"><ul>${links}</ul></nav>
<article class="docs">
${page.body}
</article>`;
  return layout(frame, { title: page.title, body, width: 'broad' });
}
