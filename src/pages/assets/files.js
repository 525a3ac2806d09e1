// Fields for files, in the language of the page: what browsers say there is in their own. Without this script they say it.

for (const face of document.querySelectorAll('[data-face-of]')) {
  const input = document.getElementById(face.dataset.faceOf);
  const name = face.lastElementChild;
  const none = name.textContent;
  const show = () => {
    name.textContent = input.files[0]?.name ?? none;
  };
  input.addEventListener('change', show);
  show();
  face.hidden = false;
}
