/**
 * Links in mail and on the terminal have a code in the fragment, which servers don't get. Moves it to the form field.
 * Also sends an emailed code that is typed.
 */
export {};

/** The length of the codes in emails. */
const DIGITS = 8;
let sent = '';

const field = document.querySelector<HTMLInputElement>('input[name="code"]');
/** A code that is typed from an email, not the code of a link. */
const isTyped = field?.inputMode === 'numeric';
const code = codeOfLink();
if (field === null || isTyped) {
  // Not a listener of the field, because the response to a wrong code replaces the field.
  document.addEventListener('input', sendWhenComplete);
} else if (code !== '') {
  field.value = code;
  forgetAddress(location.pathname + location.search);
} else if (field.value !== '' && field.getAttribute('aria-invalid') !== 'true') {
  // A mail gateway escaped the `#`, so the browser sent the code to the server, which filled in the field. Or the form
  // has a problem in another field.
  const { pathname } = new URL(field.form!.action);
  forgetAddress(
    pathname + location.search.replace(/(?:%(?:25)*(?:23|ef%(?:25)*bc%(?:25)*83)|(?:=|%3d)23)[\s\S]*/i, ''),
  );
}

// If the tab already shows this page, opening a link changes only the fragment and doesn't load the page.
window.addEventListener('hashchange', () => {
  if (!isTyped && codeOfLink() !== '') location.reload();
});

/** Empty without a code. Ignores what chat apps and mail gateways append (`#CODE.`, `#CODE?utm_source=mail`). */
function codeOfLink(): string {
  const code = /[0-9A-Za-z-]+/.exec(location.hash.replace(/%[0-9a-f]{2}/gi, ' '))?.[0] ?? '';
  return document.getElementById(code) === null ? code : '';
}

/**
 * Sends a form that only looks up the code; otherwise hides the field and focuses the next empty field or the button.
 */
function forgetAddress(address: string): void {
  history.replaceState(null, '', address);
  if (field?.form?.hasAttribute('data-sends-code')) {
    field.form.requestSubmit();
    return;
  }
  field?.closest('.field')?.setAttribute('hidden', '');
  const next = [...(field?.form?.querySelectorAll<HTMLInputElement>('input:not([type=hidden])') ?? [])].find(
    (input) => input.value === '',
  );
  (next ?? field?.form?.querySelector<HTMLElement>('button:not([type=button])'))?.focus();
}

/** Sends a code when its last digit is typed or pasted. */
function sendWhenComplete({ target }: Event): void {
  if (!(target instanceof HTMLInputElement) || target.name !== 'code') return;
  // Only if the hint says so: the form must not be sent unexpectedly (WCAG 3.2.2).
  if (!target.closest('.field')?.querySelector('[data-sends-itself]')) return;
  const digits = target.value.replaceAll(/[\s-]/g, '');
  if (digits.length !== DIGITS || /\D/.test(digits) || digits === sent) return;
  sent = digits;
  target.form?.requestSubmit();
}
