// The layout that the account and the console share: a sidebar on desktops, one row with a menu on phones. The menu is the
// sidebar as a popover, so it opens without JavaScript.

import { button, linkButton } from '../components/controls.ts';
import { alert, type Card, card, doneNotice } from '../components/display.ts';
import { type IconName, icon } from '../components/icon.ts';
import { hidden } from './form.ts';
import { type Html, html } from './html.ts';
import { brand, type Frame, footer, htmlDocument } from './layout.ts';

/** What a page of a person who is signed in needs. */
export interface AccountFrame extends Frame {
  readonly account: { readonly name: string; readonly email: string; readonly administrator?: boolean };
  readonly formToken: string;
  /** What the person may open and submit in the console, which shows nothing else. Undefined on their own pages. */
  readonly allows?: (method: 'GET' | 'POST', path: string) => boolean;
  /** The page's notice, where it offers to undo what was just done. */
  readonly undo?: UndoNotice | undefined;
}

interface UndoNotice {
  readonly text: string;
  readonly label: string;
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Whether the person can open or submit what is at this path. */
export function allows(frame: AccountFrame, method: 'GET' | 'POST', path: string): boolean {
  return frame.allows?.(method, path.replace(/[?#].*/, '')) ?? true;
}

export interface NavigationLink {
  readonly href: string;
  readonly label: string;
  readonly icon: IconName;
  readonly current?: boolean;
  /** Whether it leads to the search, which a script shows in a dialog on every page. */
  readonly opensSearch?: boolean | undefined;
}

/** What a page says about what was just done. */
export interface PageResult {
  readonly notice: string | undefined;
  readonly problem: string | undefined;
}

/** What a page of the account or the console consists of. */
export interface ShellPage extends Partial<PageResult> {
  readonly title: string;
  /** The page above it, such as the list that a person is on. */
  readonly back?: { readonly href: string; readonly label: string } | undefined;
  /** Beside the title, such as a status. */
  readonly marks?: Html | undefined;
  /** The page's main actions, at the end of the title's line. */
  readonly actions?: Html | undefined;
  readonly body: Html;
}

/** Where each section is. */
export type Places<Section extends string> = Readonly<
  Record<Section, Pick<NavigationLink, 'icon' | 'opensSearch'> & { readonly path: string }>
>;

export interface SectionPage<Section extends string> extends Omit<ShellPage, 'title' | 'back'> {
  readonly section: Section;
  /** The section's name when undefined. */
  readonly title?: string;
  /** The page above it; `section` is the section's first page. */
  readonly back?: ShellPage['back'] | 'section';
}

/** A page that is in one of several sections, which the navigation lists. */
export function sectionLayout<Section extends string>(
  frame: AccountFrame,
  places: Places<Section>,
  words: { readonly nav: string; readonly sections: Readonly<Record<Section, string>> },
  shell: Pick<Shell, 'elsewhere' | 'full'>,
  page: SectionPage<Section>,
): string {
  const linkTo = (section: Section) => ({
    href: places[section].path,
    icon: places[section].icon,
    opensSearch: places[section].opensSearch,
    label: words.sections[section],
    current: section === page.section,
  });
  const links = (Object.keys(places) as Section[]).map(linkTo).filter(({ href }) => allows(frame, 'GET', href));
  const { title = words.sections[page.section], back } = page;
  const above = back === 'section' ? linkTo(page.section) : back;
  return appShell(frame, { label: words.nav, links, ...shell }, { ...page, title, back: above });
}

export interface Shell {
  /** What the navigation is called for screen readers. */
  readonly label: string;
  readonly links: readonly NavigationLink[];
  /** The way to the other part of the product. */
  readonly elsewhere?: NavigationLink | undefined;
  /** The console has the whole width. */
  readonly full: boolean;
}

export function appShell(frame: AccountFrame, shell: Shell, page: ShellPage): string {
  const { account: m } = frame.messages;
  const body = html`<header class="side">
<div class="topbar">
${brand(frame)}
<button class="quiet-button" type="button" popovertarget="navigation">${icon('bars-3')}${m.menu}</button>
</div>
<div class="navigation" id="navigation" popover>
<nav aria-label="${shell.label}"><ul>${shell.links.map((link) => navigationItem(frame, link))}</ul></nav>
<div class="you">
${shell.elsewhere && html`<ul>${navigationItem(frame, shell.elsewhere)}</ul>`}
<p class="account-line"><span class="unseen">${m.signedInAs}</span> <strong>${frame.account.name}</strong> <span class="quiet">${frame.account.email}</span></p>
${button({ label: m.signOut, icon: 'arrow-right-start-on-rectangle', small: true, form: 'sign-out' })}
</div>
</div>
</header>
<div class="page${shell.full && ' full'}">
<main id="content" class="content">
${page.back && html`<p class="back"><a href="${page.back.href}">${icon('chevron-left', 'small')}${page.back.label}</a></p>`}
<div class="page-head">
<div class="page-title"><h1>${page.title}</h1>${page.marks}</div>
${page.actions && html`<div class="actions">${page.actions}</div>`}
</div>
${frame.undo ? undoNotice(frame, frame.undo) : doneNotice(page.notice, frame.messages.dismiss)}
${alert(page.problem)}
${page.body}
</main>
<form id="sign-out" method="post" action="/sign-out">${formToken(frame)}</form>
${frame.undo && undoForm(frame, frame.undo)}
${footer(frame)}
</div>`;
  return htmlDocument(frame, { title: page.title, look: 'app', consoleStylesheet: shell.full, body });
}

const undoFormId = 'undo-removal';

/** The button is for those who can send the form. A notice can't hold it: it's a paragraph. */
function undoNotice(frame: AccountFrame, { text, label, action }: UndoNotice): Html | undefined {
  const undo = allows(frame, 'POST', action) && button({ label, kind: 'link', form: undoFormId });
  return doneNotice(text, frame.messages.dismiss, undo);
}

function undoForm(frame: AccountFrame, { action, fields }: UndoNotice): Html {
  return postForm(frame, action, html``, fields, html` id="${undoFormId}"`);
}

function navigationItem({ messages }: Frame, { href, label, icon: name, current, opensSearch }: NavigationLink): Html {
  const m = opensSearch && messages.admin.finder;
  const search =
    m &&
    html` data-search="${m.label}" data-hint="${m.hint}" data-failed="${m.failed}" aria-keyshortcuts="/ Control+K Meta+K"`;
  return html`<li><a href="${href}"${current === true && html` aria-current="page"`}${search}>${icon(name)}${label}${m && html`<kbd aria-hidden="true">${m.key}</kbd>`}</a></li>`;
}

export function formToken(frame: AccountFrame): Html {
  return hidden('form_token', frame.formToken);
}

/** A form that shows what is stored. To those who can't change it, its fields are all there is to see. */
export function valuesForm(
  frame: AccountFrame,
  action: string,
  content: Html,
  fields: Readonly<Record<string, string | undefined>> = {},
): Html {
  if (allows(frame, 'POST', action)) return postForm(frame, action, content, fields);
  return html`<fieldset class="read-only" disabled>${content}</fieldset>`;
}

/** A card that uploads an image, and removes it if there is one. */
export function imageCard(
  frame: AccountFrame,
  action: string,
  { upload, remove, ...spec }: Card & { readonly upload: string; readonly remove: string | false },
): Html {
  const removal = remove && button({ label: remove, kind: 'link', name: 'remove', value: 'yes' });
  const content = card({ ...spec, actions: html`${button({ label: upload })}${removal}` });
  return postForm(frame, action, content, {}, html` enctype="multipart/form-data"`);
}

export interface Question {
  /** What will happen. */
  readonly text: string;
  /** What it's about, if that is more than a sentence. */
  readonly about?: Html | undefined;
  /** What can be said with it. */
  readonly controls?: Html | false | undefined;
  readonly action: string;
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** On the button that does it. */
  readonly button: string;
  /** Where the question was asked. */
  readonly back: string;
  readonly cancel: string;
  /** Not for what is easily undone. */
  readonly danger?: boolean | undefined;
}

/** The body of a page that asks before something is done. A link with `question: 'ask'` opens it as a dialog. */
export function questionCard(frame: AccountFrame, spec: Question): Html {
  const kind = spec.danger === false ? 'primary' : 'primary danger';
  const confirm = button({ label: spec.button, kind, form: spec.controls ? 'question-form' : undefined });
  const cancel = linkButton({ label: spec.cancel, href: spec.back, question: 'cancel' });
  const text = html`<p id="question-text">${spec.text}</p>${spec.about}`;
  if (!spec.controls) {
    const actions = html`${postForm(frame, spec.action, confirm, spec.fields)}${cancel}`;
    return card({ id: 'question', body: text, actions });
  }
  const form = postForm(frame, spec.action, html`${spec.controls}`, spec.fields, html` id="question-form"`);
  return card({ id: 'question', body: html`${text}${form}`, actions: html`${confirm}${cancel}` });
}

/** A form of a person who is signed in, if they may submit it. A hidden field without a value is left out. */
export function postForm(
  frame: AccountFrame,
  action: string,
  content: Html,
  fields: Readonly<Record<string, string | undefined>> = {},
  attributes = html``,
): Html {
  if (!allows(frame, 'POST', action)) return html``;
  const carried = Object.entries(fields).map(([name, value]) => html`${value !== undefined && hidden(name, value)}`);
  return html`<form method="post" action="${action}"${attributes}>
${formToken(frame)}
${carried}
${content}
</form>`;
}
