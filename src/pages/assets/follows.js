// Puts what is typed into a field into the text that contains it, such as a URL, which can then be copied.

for (const place of document.querySelectorAll('[data-follows]')) {
  const { follows, before, after, into } = place.dataset;
  const text = document.getElementById(into);
  const field = document.getElementById(follows);
  const update = () => {
    text.textContent = `${before}${field.value.trim() || 'NAME'}${after}`;
  };
  field.addEventListener('input', update);
  update();
}
