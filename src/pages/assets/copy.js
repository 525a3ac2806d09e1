// Buttons that copy what stands beside them. Without this script they stay hidden.

for (const button of document.querySelectorAll('button[data-copy]')) {
  const label = button.firstChild;
  button.hidden = navigator.clipboard === undefined;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    const words = label.textContent;
    label.textContent = button.dataset.copied;
    setTimeout(() => {
      label.textContent = words;
    }, 2000);
  });
}
