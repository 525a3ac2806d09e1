// Opens the console's search on every page with "/" or Ctrl-K (Cmd-K on a Mac), and shows what it finds while someone types.
// The results are those of the page that the link leads to.

const link = document.querySelector('[data-search]');
const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
/** Typing faster than this asks once. */
const pause = 150;

const dialog = document.createElement('dialog');
dialog.className = 'finder';
dialog.setAttribute('aria-label', link.dataset.search);
const form = document.createElement('form');
form.action = link.href;
form.role = 'search';
const input = document.createElement('input');
Object.assign(input, { type: 'text', name: 'q', maxLength: 200, autocomplete: 'off', spellcheck: false });
Object.assign(input, { placeholder: link.dataset.hint, ariaLabel: link.dataset.search, enterKeyHint: 'go' });
const found = document.createElement('div');
found.className = 'found';
form.append(input);
dialog.append(form, found);

let timer;
let asking = new AbortController();
/** The text whose results are shown. */
let shown = '';

const hits = () => [...found.querySelectorAll('a')];

async function search(text) {
  asking.abort();
  asking = new AbortController();
  if (text === '') return show('', []);
  try {
    const response = await fetch(`${form.action}?${new URLSearchParams({ q: text })}`, { signal: asking.signal });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const results = page.querySelector('[data-found]');
    // The session may have ended: the page says so.
    if (results === null) return location.assign(`${form.action}?${new URLSearchParams({ q: text })}`);
    show(text, [...results.childNodes]);
  } catch (error) {
    if (error.name === 'AbortError') return;
    const message = document.createElement('p');
    message.role = 'alert';
    message.textContent = link.dataset.failed;
    show('', [message]);
  }
}

function show(text, nodes) {
  shown = text;
  found.replaceChildren(...nodes);
}

function open() {
  if (document.querySelector('dialog:modal, dialog:popover-open') !== null) return;
  // The page of the search has the field already.
  const field = document.getElementById('q');
  if (field !== null) return field.select();
  document.querySelector('[popover]:popover-open')?.hidePopover();
  document.body.append(dialog);
  dialog.showModal();
  input.select();
}

function isTyping(element) {
  return element.isContentEditable || element.matches('input, textarea, select');
}

document.addEventListener('keydown', (event) => {
  const { key, altKey, ctrlKey, metaKey, target } = event;
  const isShortcut = key.toLowerCase() === 'k' && !altKey && (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey);
  const isSlash = key === '/' && !altKey && !ctrlKey && !metaKey && !isTyping(target);
  if (!isShortcut && !isSlash) return;
  event.preventDefault();
  open();
});

link.addEventListener('click', (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || location.pathname === link.pathname) return;
  event.preventDefault();
  open();
});

input.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(() => search(input.value.trim()), pause);
});

// Enter opens the first result, or the page with the results while they aren't there.
form.addEventListener('submit', (event) => {
  const [first] = hits();
  if (first === undefined || shown !== input.value.trim()) return;
  event.preventDefault();
  first.click();
});

// Each of them is a link, so the arrow keys only move the focus.
dialog.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const stops = [input, ...hits()];
  stops[Math.min(Math.max(stops.indexOf(document.activeElement) + step, 0), stops.length - 1)].focus();
});

// The event comes a little later, when it may be open again.
dialog.addEventListener('close', () => {
  if (!dialog.open) dialog.remove();
});

// A click beside the dialog closes it, and so does a link to a place on this page.
dialog.addEventListener('click', (event) => {
  if (event.target === dialog || event.target.closest('a') !== null) dialog.close();
});
