/**
 * A link in a mail or on the terminal has its code in the fragment, which no server and no log sees. This script moves it
 * into the field and out of the address bar. Without JavaScript the code is typed.
 */
export {};

const field = document.querySelector<HTMLInputElement>('input[name="code"]');
const code = decodeURIComponent(location.hash.slice(1));
if (field !== null && code !== '' && document.getElementById(code) === null) {
  field.value = code;
  history.replaceState(null, '', location.pathname + location.search);
  const next = [...(field.form?.querySelectorAll<HTMLInputElement>('input:not([type=hidden])') ?? [])].find(
    (input) => input.value === '',
  );
  next?.focus();
}
