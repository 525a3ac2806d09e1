// Buttons that copy, download or print what stands beside them. Without this script they stay hidden.

/** A list has one line for each of its items, and what's written with spaces is copied without. */
function textOf(id) {
  const element = document.getElementById(id);
  if (element.dataset.value !== undefined) return element.dataset.value;
  const items = [...element.querySelectorAll('li')];
  return items.length === 0 ? element.textContent : items.map((item) => item.textContent).join('\n');
}

for (const button of document.querySelectorAll('button[data-copy]')) {
  const label = [...button.childNodes].find((node) => node.nodeType === Node.TEXT_NODE);
  button.hidden = navigator.clipboard === undefined;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(textOf(button.dataset.copy));
    const words = label.textContent;
    label.textContent = button.dataset.copied;
    setTimeout(() => {
      label.textContent = words;
    }, 2000);
  });
}

for (const button of document.querySelectorAll('button[data-download]')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    const text = `${button.dataset.title}\n\n${textOf(button.dataset.download)}\n`;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    link.download = button.dataset.file;
    link.click();
    URL.revokeObjectURL(link.href);
  });
}

for (const button of document.querySelectorAll('button[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}
