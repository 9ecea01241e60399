/**
 * Shows forms with `data-passkey` if the browser supports passkeys. On submit, fetches a challenge from the URL in
 * `data-options`, then submits the form with the signed credential.
 */
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

async function credentialFor(form: HTMLFormElement): Promise<Credential | null> {
  const response = await fetch(form.dataset['options'] ?? '', {
    method: 'POST',
    headers: { Accept: 'application/json' },
    body: new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)])),
  });
  if (response.redirected) {
    location.assign(response.url);
    return null;
  }
  const options = await response.json();
  if (!response.ok) throw new Problem(options.problem, options.needsProof === true);
  return form.dataset['passkey'] === 'add'
    ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
    : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
}

const credentialField = (form: HTMLFormElement): HTMLInputElement | null =>
  form.querySelector<HTMLInputElement>('input[name=credential]');

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

async function send(form: HTMLFormElement, button: HTMLElement | null): Promise<void> {
  const problem = form.querySelector<HTMLElement>('[data-problem]');
  const proofLink = form.querySelector<HTMLElement>('[data-proof-link]');
  for (const part of [problem, proofLink]) if (part !== null) part.hidden = true;
  button?.setAttribute('aria-disabled', 'true');
  try {
    const credential = await credentialFor(form);
    const field = credentialField(form);
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

const FORMS = 'form[data-passkey]';

function show(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>(FORMS)) form.hidden = false;
  for (const words of document.querySelectorAll<HTMLElement>('[data-without-passkeys]')) words.hidden = true;
}

if (isSupported) {
  // Runs in the capture phase, before `send.ts`, which must not submit the form without a credential.
  document.addEventListener(
    'submit',
    (event) => {
      const form = event.target;
      if (!(form instanceof HTMLFormElement) || !form.matches(FORMS) || credentialField(form)?.value) return;
      event.preventDefault();
      void send(form, event.submitter);
    },
    true,
  );
  document.addEventListener('page:swap', show);
  show();
}
