/**
 * Solves the challenges in `data-challenge` (altcha, PBKDF2): finds the counter whose derived key has the prefix,
 * outside the page's thread. A form that was submitted too early is submitted again afterwards.
 */
export {};

/** Keys that are derived at the same time. Browsers use several threads for them. */
const PARALLEL = Math.min(8, Math.max(2, navigator.hardwareConcurrency || 2));

interface Parameters {
  readonly nonce: string;
  readonly salt: string;
  readonly cost: number;
  readonly keyLength: number;
  readonly keyPrefix: string;
}

const bytesOf = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

const hexOf = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

async function derivedKey(parameters: Parameters, counter: number): Promise<string> {
  const nonce = bytesOf(parameters.nonce);
  const password = new Uint8Array(nonce.length + 4);
  password.set(nonce);
  new DataView(password.buffer).setUint32(nonce.length, counter);
  const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits']);
  const { cost: iterations, keyLength } = parameters;
  const salt = bytesOf(parameters.salt);
  return hexOf(
    await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations }, key, keyLength * 8),
  );
}

async function solve(parameters: Parameters): Promise<{ counter: number; derivedKey: string }> {
  let next = 0;
  let solution: { counter: number; derivedKey: string } | undefined;
  const search = async (): Promise<void> => {
    while (solution === undefined) {
      const counter = next;
      next += 1;
      const key = await derivedKey(parameters, counter);
      if (key.startsWith(parameters.keyPrefix)) solution = { counter, derivedKey: key };
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, search));
  return solution!;
}

const solving = new WeakSet<Element>();
/** The button of a form that was submitted before its challenge was solved. */
const waiting = new Map<HTMLFormElement, HTMLElement | null>();

const fieldOf = (form: HTMLFormElement): HTMLInputElement | null =>
  form.querySelector<HTMLInputElement>('[data-challenge] input[name=solution]');

async function begin(element: HTMLElement): Promise<void> {
  if (solving.has(element)) return;
  solving.add(element);
  const status = element.querySelector<HTMLElement>('[data-status]');
  const form = element.closest('form');
  const field = form && fieldOf(form);
  if (!status || !form || !field) return;
  try {
    status.textContent = status.dataset['solving'] ?? '';
    const challenge = JSON.parse(element.dataset['challenge'] ?? '');
    const solution = await solve(challenge.parameters);
    field.value = JSON.stringify({ challenge, solution });
    status.textContent = status.dataset['solved'] ?? '';
    if (!waiting.has(form) && !('submits' in element.dataset)) return;
    const button = waiting.get(form) ?? null;
    waiting.delete(form);
    form.requestSubmit(button);
  } catch {
    // Browsers derive keys only on pages from https or localhost.
    status.textContent = '';
    const failed = element.querySelector<HTMLElement>('[data-failed]');
    if (failed !== null) failed.hidden = false;
  }
}

function start(): void {
  for (const element of document.querySelectorAll<HTMLElement>('[data-challenge]')) void begin(element);
}

// Runs in the capture phase, before `send.ts`, which must not submit the form without a solution.
document.addEventListener(
  'submit',
  (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || fieldOf(form)?.value !== '') return;
    event.preventDefault();
    event.submitter?.setAttribute('aria-disabled', 'true');
    waiting.set(form, event.submitter);
  },
  true,
);
document.addEventListener('page:swap', start);
start();
