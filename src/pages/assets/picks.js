// Says on the button how many people are ticked. Without this script it says that those are meant.

for (const form of document.querySelectorAll('form[data-picks]')) {
  const button = form.querySelector('button[data-one]');
  const label = button.textContent;
  const update = () => {
    const count = form.querySelectorAll('input[type="checkbox"]:checked').length;
    // The plural is written with two.
    const many = button.dataset.many.replace('2', count.toLocaleString(document.documentElement.lang));
    button.textContent = count === 0 ? label : count === 1 ? button.dataset.one : many;
  };
  form.addEventListener('change', update);
  update();
}
