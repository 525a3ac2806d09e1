// Highlights the code in the documentation. Only the languages that occur there are loaded.

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

const languages = { apache, bash, go, ini, javascript, json, nginx, python, ruby, html };
for (const [name, language] of Object.entries(languages)) highlighter.registerLanguage(name, language);

/** The code as HTML, escaped either way; undefined if its language isn't known. */
export function highlighted(code: string, language: string): string | undefined {
  if (highlighter.getLanguage(language) === undefined) return undefined;
  return highlighter.highlight(code, { language, ignoreIllegals: true }).value;
}
