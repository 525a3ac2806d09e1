// The menu at the foot of a page with every language by its own name. It is a form, so it works without a script.

import { icon } from '../components/icon.ts';
import { languages, type Messages } from '../languages/languages.ts';
import { hidden } from './form.ts';
import { type Html, html } from './html.ts';

export function languagePicker(messages: Messages, returnTo: string): Html {
  const choices = Object.entries(languages).map(
    ([tag, { name }]) =>
      html`<button type="submit" name="language" value="${tag}" lang="${tag}"${tag === messages.language && html` aria-current="true"`}>${name}</button>`,
  );
  return html`<details class="menu languages">
<summary class="button quiet-button small">${icon('language', 'small')}<span class="unseen">${messages.languagePicker}: </span>${languages[messages.language].name}</summary>
<form class="menu-items" method="post" action="/language">
${hidden('return_to', returnTo)}
${choices}
</form>
</details>`;
}
