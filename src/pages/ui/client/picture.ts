/** Before an upload, previews the chosen picture and rejects a file that is too large. */
export {};

/** Maximum size of the preview in CSS pixels. */
const MOST = { width: 320, height: 180 };

const isFileField = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && 'maxBytes' in target.dataset;

const isTooLarge = ({ files, dataset }: HTMLInputElement): boolean =>
  (files?.[0]?.size ?? 0) > Number(dataset['maxBytes']);

async function preview(input: HTMLInputElement): Promise<void> {
  const field = input.parentElement!;
  const sentence = field.querySelector<HTMLElement>('[data-too-large]')!;
  const canvas = field.querySelector<HTMLCanvasElement>('[data-chosen]')!;
  const file = input.files?.[0];
  canvas.hidden = true;
  sentence.hidden = !isTooLarge(input);
  sentence.textContent = isTooLarge(input) ? (sentence.dataset['tooLarge'] ?? '') : '';
  if (file === undefined || isTooLarge(input)) return;
  // A canvas is used because the content security policy doesn't allow `blob:` images.
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (bitmap === null || input.files?.[0] !== file) return;
  const scale = Math.min(1, MOST.width / bitmap.width, MOST.height / bitmap.height);
  canvas.width = Math.max(1, Math.round(bitmap.width * scale * devicePixelRatio));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale * devicePixelRatio));
  canvas.getContext('2d')!.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  canvas.hidden = false;
}

document.addEventListener('change', ({ target }) => {
  if (isFileField(target)) void preview(target);
});
document.addEventListener(
  'submit',
  (event) => {
    const form = event.target as HTMLElement;
    const input = [...form.querySelectorAll('input')].find(
      (field) => isFileField(field) && isTooLarge(field),
    );
    if (input === undefined) return;
    event.preventDefault();
    input.focus();
  },
  { capture: true },
);
