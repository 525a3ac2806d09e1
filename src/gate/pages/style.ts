// The stylesheet of the gate's pages, with the sizes and colors of Latchkey's own. It's part of the page, because one
// response is all that a proxy passes on when it doesn't let a request through.

import { hash } from 'node:crypto';

export const style = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f7f7f8, #0c0c0e);
  --sheet: light-dark(#ffffff, #151518);
  --raised: light-dark(#ffffff, #1d1d21);
  --hover: light-dark(#f1f1f3, #222227);
  --ink: light-dark(#18181b, #f4f4f5);
  --quiet: light-dark(#55555e, #a6a6b0);
  --line: light-dark(#e4e4e8, #2b2b31);
  --field-line: light-dark(#8b8b95, #72727d);
  --focus: light-dark(#2563eb, #93c5fd);
  --accent: light-dark(#4338ca, #8b93f8);
  --accent-hover: light-dark(#3730a3, #a5abfa);
  --on-accent: light-dark(#ffffff, #12122b);
  --shade: light-dark(rgb(24 24 27 / 8%), rgb(0 0 0 / 50%));
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  display: flex;
  flex-direction: column;
  align-items: center;
  min-block-size: 100vh;
  margin: 0;
  padding: 1rem;
  background: var(--ground);
  color: var(--ink);
  font: 0.9375rem / 1.55 system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "DejaVu Sans", sans-serif;
  overflow-wrap: break-word;
}
main {
  inline-size: min(26rem, 100%);
  padding: 2rem;
  background: var(--sheet);
  border: 1px solid var(--line);
  border-radius: 12px;
  box-shadow: 0 4px 16px var(--shade), 0 1px 3px var(--shade);
}
svg { display: block; margin-block-end: 1rem; color: var(--accent); }
h1 {
  margin: 0 0 0.5rem;
  font-size: 1.375rem;
  font-weight: 600;
  line-height: 1.3;
  letter-spacing: -0.015em;
  text-wrap: balance;
  hyphens: auto;
  hyphenate-limit-chars: 16;
}
:lang(ar) h1 { letter-spacing: 0; }
:lang(ko) { word-break: keep-all; }
p { margin: 0 0 1rem; }
code {
  font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: 0.9em;
  overflow-wrap: anywhere;
}
.subject {
  margin-block-start: 1rem;
  padding: 0.75rem;
  border: 1px solid var(--line);
  border-radius: 8px;
  font-size: 0.8125rem;
  line-height: 1.4;
  overflow-wrap: anywhere;
}
.subject > span { display: block; color: var(--quiet); }
.subject > bdi { font-size: 0.875rem; font-weight: 600; }
.aside { color: var(--quiet); font-size: 0.8125rem; }
.actions { display: grid; gap: 0.75rem; margin-block-start: 1.5rem; }
main > :last-child { margin-block-end: 0; }
form { display: contents; }
.button {
  display: inline-flex;
  align-items: center;
  justify-content: center;
  inline-size: 100%;
  min-block-size: 2.5rem;
  padding: 0.25rem 1rem;
  background: var(--raised);
  border: 1px solid var(--field-line);
  border-radius: 8px;
  color: var(--ink);
  font: inherit;
  font-weight: 500;
  line-height: 1.3;
  text-align: center;
  text-decoration: none;
  cursor: pointer;
}
.button:hover { background: var(--hover); }
.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.primary:hover { background: var(--accent-hover); border-color: var(--accent-hover); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
@media (max-width: 32rem) {
  main { padding: 1.5rem 1rem; }
}
@media (forced-colors: active) {
  svg { color: CanvasText; }
}
@media (min-width: 32.01rem) and (min-height: 40rem) {
  body { padding-block-start: 14vh; }
}
`;

/** How a Content-Security-Policy names it. */
export const styleSource = `'sha256-${hash('sha256', style, 'base64')}'`;
