/** Uploads a picture as soon as it is chosen or dropped, and rejects a file that is too large before its upload. */
export {};

const fieldsIn = (root: ParentNode): readonly HTMLInputElement[] => [
  ...root.querySelectorAll<HTMLInputElement>('input[data-max-bytes]'),
];

const buttonOf = ({ form }: HTMLInputElement): HTMLButtonElement =>
  form!.querySelector<HTMLButtonElement>('.form-actions button')!;

/** One button chooses the file and uploads it, so the field is hidden. The button takes over what describes the field. */
function enhance(): void {
  for (const input of fieldsIn(document)) {
    const button = buttonOf(input);
    input.hidden = true;
    button.setAttribute('aria-describedby', input.getAttribute('aria-describedby') ?? '');
    button.autofocus = input.autofocus;
    input.autofocus = false;
  }
}

const isTooLarge = ({ files, dataset }: HTMLInputElement): boolean =>
  (files?.[0]?.size ?? 0) > Number(dataset['maxBytes']);

function upload(input: HTMLInputElement): void {
  const sentence = input.parentElement!.querySelector<HTMLElement>('[data-too-large]')!;
  sentence.hidden = !isTooLarge(input);
  sentence.textContent = isTooLarge(input) ? (sentence.dataset['tooLarge'] ?? '') : '';
  if (!input.files?.length || isTooLarge(input)) return;
  // Another picture replaces one that is still being sent.
  delete input.form!.dataset['sent'];
  input.form!.requestSubmit(buttonOf(input));
}

document.addEventListener(
  'click',
  (event) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    const input = fieldsIn(button?.form ?? document.createElement('form'))[0];
    if (input === undefined || button !== buttonOf(input)) return;
    // A file that wasn't sent, because no response arrived, is sent again.
    if (input.files?.length && !isTooLarge(input)) return;
    event.preventDefault();
    input.click();
  },
  { capture: true },
);
document.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLInputElement && 'maxBytes' in target.dataset) upload(target);
});

const fieldAt = ({ target, dataTransfer }: DragEvent): HTMLInputElement | undefined => {
  const part = target instanceof Element ? target.closest('.picture-form') : null;
  return part !== null && dataTransfer?.types.includes('Files') ? fieldsIn(part)[0] : undefined;
};
document.addEventListener('dragover', (event) => {
  if (fieldAt(event) !== undefined) event.preventDefault();
});
document.addEventListener('drop', (event) => {
  const input = fieldAt(event);
  if (input === undefined) return;
  event.preventDefault();
  input.files = event.dataTransfer!.files;
  upload(input);
});
document.addEventListener('page:swap', enhance);

enhance();
