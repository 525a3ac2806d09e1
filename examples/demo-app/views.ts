// The application's pages, apart from the inspector.

import { escapeText, inspectorPath, page } from './html.ts';
import type { AppUser } from './store.ts';

export function welcomePage(notice: string | undefined, recorded: boolean): string {
  return page(
    'Demo application',
    `<h1>Try a sign-in</h1>
    ${noticeLine(notice)}
    <p>A small web application that uses Latchkey for sign-in. It doesn't know anything about you yet.</p>
    <p><a class="button primary" href="/sign-in">Sign in with Latchkey</a></p>
    <p class="quiet">${
      recorded
        ? 'See <a href="/inspector">what happened</a>, step by step.'
        : 'Afterwards, you can see every step of the sign-in and <a href="/inspector">try what can go wrong</a>.'
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
    <p><a class="button primary" href="/inspector">See what happened</a></p>
    <p>Latchkey shared this with the application:</p>
    <table>${rows}</table>
    <form method="post" class="actions">
      <button formaction="/claims">Reload claims</button>
      <button formaction="/refresh">Refresh tokens</button>
      <button formaction="/sign-out">Sign out</button>
    </form>
    <p class="quiet">To see what happens when this application loses access, remove it under
      <a href="${escapeText(latchkeyUrl)}/account/apps">Connected apps</a>, then try the buttons again.</p>`,
  );
}

/** `anchor` is the step that failed, if one is recorded. */
export function problemPage(problem: string, recorded: boolean, anchor: string | undefined): string {
  return page(
    'Sign-in failed',
    `<h1>Sign-in failed</h1><p role="alert">You’re not signed in: ${escapeText(problem)}.</p>
    <p class="actions"><a class="button primary" href="/">Back</a>${
      recorded ? ` <a class="button" href="${inspectorPath(anchor)}">See what happened</a>` : ''
    }</p>`,
  );
}

function noticeLine(notice: string | undefined): string {
  return notice === undefined ? '' : `<p class="notice good" role="status">${escapeText(notice)}</p>`;
}
