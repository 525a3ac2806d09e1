// The application's pages, apart from the inspector.

import { escapeText, page } from './html.ts';
import type { AppUser } from './store.ts';

export function welcomePage(notice: string | undefined, recorded: boolean): string {
  return page(
    'Demo application',
    `<h1>Demo application</h1>
    ${noticeLine(notice)}
    <p>A small web application that lets people sign in with Latchkey. It knows nothing about you yet.</p>
    <p><a class="button" href="/sign-in">Sign in with Latchkey</a></p>
    <p class="quiet">${
      recorded
        ? 'You can still look at <a href="/inspector">what happened</a>, step by step.'
        : 'Afterwards it shows every step of the sign-in, and lets you <a href="/inspector">try what goes wrong</a>.'
    }</p>`,
  );
}

export function homePage(user: AppUser, latchkeyUrl: string, notice: string | undefined): string {
  const rows = Object.entries(user.claims)
    .map(([name, value]) => `<tr><th scope="row">${escapeText(name)}</th><td>${escapeText(String(value))}</td></tr>`)
    .join('\n');
  return page(
    'Signed in',
    `<h1>Hello, ${escapeText(String(user.claims.name ?? user.claims.email ?? 'you'))}</h1>
    ${noticeLine(notice)}
    <p><a class="button" href="/inspector">See what happened</a></p>
    <p>This is what Latchkey told the application about you:</p>
    <table>${rows}</table>
    <form method="post" class="actions">
      <button formaction="/claims">Read the claims again</button>
      <button formaction="/refresh">Get a new access token</button>
      <button formaction="/sign-out">Sign out</button>
    </form>
    <p class="quiet">You can take this application's access away under
      <a href="${escapeText(latchkeyUrl)}/account/apps">Connected apps</a>; then try the buttons again.</p>`,
  );
}

export function problemPage(problem: string, recorded: boolean): string {
  return page(
    'Not signed in',
    `<h1>Not signed in</h1><p role="alert">Sign-in did not finish: ${escapeText(problem)}.</p>
    <p class="actions"><a class="button" href="/">Back</a>${
      recorded ? ' <a class="button second" href="/inspector">See what happened</a>' : ''
    }</p>`,
  );
}

function noticeLine(notice: string | undefined): string {
  return notice === undefined ? '' : `<p class="notice" role="status">${escapeText(notice)}</p>`;
}
