/** Fetches a challenge from `data-options` of forms with `data-passkey`, then submits the signed credential. */
export {};

const isSupported =
  typeof PublicKeyCredential !== 'undefined' &&
  typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function';

/** An error message for the user. `needsProof`: whether to show the link for confirming the user's identity. */
class Problem extends Error {
  readonly needsProof: boolean;

  constructor(sentence: string, needsProof: boolean) {
    super(sentence);
    this.needsProof = needsProof;
  }
}

async function credentialFor(part: HTMLElement): Promise<Credential | null> {
  // The other fields of a form with a passkey part are not about the passkey.
  const fields = part instanceof HTMLFormElement ? [...new FormData(part)] : [];
  const response = await fetch(part.dataset['options'] ?? '', {
    method: 'POST',
    headers: { Accept: 'application/json' },
    body: new URLSearchParams(fields.map(([name, value]) => [name, String(value)])),
  });
  if (response.redirected) {
    location.assign(response.url);
    return null;
  }
  const options = await response.json();
  if (!response.ok) throw new Problem(options.problem, options.needsProof === true);
  return part.dataset['passkey'] === 'add'
    ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
    : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
}

const credentialField = (part: HTMLElement): HTMLInputElement | null =>
  part.querySelector<HTMLInputElement>('input[name$=credential]');

/** The message for `error`. The `data-` attributes of the element contain the messages for browser errors. */
function sentenceOf(error: unknown, { dataset }: HTMLElement): string {
  if (error instanceof Problem) return error.message;
  switch (error instanceof DOMException ? error.name : '') {
    case 'NotAllowedError':
    case 'AbortError':
      return dataset['cancelled'] ?? '';
    case 'InvalidStateError':
      return dataset['known'] ?? '';
    default:
      return dataset['failed'] ?? '';
  }
}

async function send(form: HTMLFormElement, part: HTMLElement, button: HTMLElement | null): Promise<void> {
  const problem = part.querySelector<HTMLElement>('[data-problem]');
  const proofLink = part.querySelector<HTMLElement>('[data-proof-link]');
  for (const words of [problem, proofLink]) if (words !== null) words.hidden = true;
  button?.setAttribute('aria-disabled', 'true');
  try {
    const credential = await credentialFor(part);
    const field = credentialField(part);
    if (!(credential instanceof PublicKeyCredential) || field === null) return;
    field.value = JSON.stringify(credential.toJSON());
    for (const password of form.querySelectorAll<HTMLInputElement>('[type=password]')) {
      password.disabled = true;
    }
    form.requestSubmit();
  } catch (error) {
    const words = problem?.querySelector('span');
    if (!problem || !words) return;
    words.textContent = sentenceOf(error, problem);
    problem.hidden = false;
    if (proofLink !== null) proofLink.hidden = !(error instanceof Problem && error.needsProof);
  } finally {
    button?.removeAttribute('aria-disabled');
  }
}

const PARTS = '[data-passkey]';

function show(): void {
  for (const part of document.querySelectorAll<HTMLElement>(PARTS)) part.hidden = false;
  for (const words of document.querySelectorAll<HTMLElement>('[data-without-passkeys]')) words.hidden = true;
}

if (isSupported) {
  // Runs in the capture phase, before `send.ts`, which must not submit the form without a credential.
  document.addEventListener(
    'submit',
    (event) => {
      const form = event.target;
      if (!(form instanceof HTMLFormElement)) return;
      const part = (event.submitter ?? form).closest<HTMLElement>(PARTS);
      if (part === null || credentialField(part)?.value) return;
      event.preventDefault();
      void send(form, part, event.submitter);
    },
    true,
  );
  document.addEventListener('page:swap', show);
  show();
}
