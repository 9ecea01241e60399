/** Saves a text of the page as a file without another request, so that a key is in no address and no later answer. */
export {};

/** Chromium reads the blob some time after the click. */
const KEPT_MS = 10_000;

function save(button: HTMLElement): void {
  // With another type browsers change the ending of the file.
  const type = 'application/octet-stream';
  const text =
    button.dataset['save'] || (button.closest('.program')?.querySelector('pre')?.textContent ?? '');
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = button.dataset['file'] ?? '';
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-save]') : null;
  if (button !== null) save(button);
});

function show(): void {
  for (const button of document.querySelectorAll<HTMLElement>('[data-save]')) button.hidden = false;
}

document.addEventListener('page:swap', show);
show();
