// Offers names that a field can take while someone types. A text with one name in a line becomes a list of those that are
// chosen, each with a button that removes it, and a field that adds one. Without this script, names are typed.

/** Typing faster than this asks once. */
const pause = 150;

/** Fills the list that the field offers with those that the server finds. */
function offerNames(field, path) {
  let timer;
  let asking = new AbortController();
  const ask = async () => {
    asking.abort();
    asking = new AbortController();
    const query = new URLSearchParams({ search: field.value.trim() });
    try {
      const response = await fetch(`${path}?${query}`, { signal: asking.signal });
      const { names } = await response.json();
      field.list.replaceChildren(
        ...names.map((name) => Object.assign(document.createElement('option'), { value: name })),
      );
    } catch {
      // What is typed is checked when it's sent.
    }
  };
  field.addEventListener('focus', ask, { once: true });
  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(ask, pause);
  });
}

function chooseNames(text) {
  const { names: path, remove, add } = text.dataset;
  const list = Object.assign(document.createElement('datalist'), { id: `${text.id}-names` });
  const field = document.createElement('input');
  Object.assign(field, {
    type: 'text',
    autocomplete: 'off',
    spellcheck: false,
    autocapitalize: 'none',
    placeholder: add,
  });
  field.setAttribute('list', list.id);
  for (const name of ['aria-describedby', 'aria-invalid']) {
    if (text.hasAttribute(name)) field.setAttribute(name, text.getAttribute(name));
  }
  const chosen = document.createElement('ul');
  chosen.className = 'chips';
  const isFocused = document.activeElement === text;
  // The label is of what can be seen.
  field.id = text.id;
  text.removeAttribute('id');
  text.hidden = true;
  text.required = false;
  text.after(chosen, field, list);
  text.parentElement.querySelector('[data-typed]')?.remove();

  const lines = () =>
    text.value
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  const show = () => {
    chosen.hidden = lines().length === 0;
    chosen.replaceChildren(
      ...lines().map((name) => {
        const item = document.createElement('li');
        const button = Object.assign(document.createElement('button'), {
          type: 'button',
          className: 'chip',
          textContent: name,
        });
        button.setAttribute(
          'aria-label',
          remove.replace('%s', () => name),
        );
        button.addEventListener('click', () => {
          text.value = lines()
            .filter((line) => line !== name)
            .join('\n');
          show();
          field.focus();
        });
        item.append(button);
        return item;
      }),
    );
  };
  const take = () => {
    const name = field.value.trim();
    if (name === '') return;
    text.value = [...new Set([...lines(), name])].join('\n');
    field.value = '';
    show();
  };
  field.addEventListener('change', take);
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || field.value.trim() === '') return;
    event.preventDefault();
    take();
  });
  // One that is picked from the list, instead of typed.
  field.addEventListener('input', ({ inputType }) => {
    const isPicked = inputType === undefined || inputType === 'insertReplacementText';
    if (isPicked && [...list.options].some(({ value }) => value === field.value)) take();
  });
  show();
  offerNames(field, path);
  if (isFocused) field.focus();
}

for (const control of document.querySelectorAll('[data-names]')) {
  if (control instanceof HTMLTextAreaElement) chooseNames(control);
  else offerNames(control, control.dataset.names);
}
