/** Progressive enhancements for every page and for parts that are swapped in. Pages work without JavaScript. */
export {};

const COPIED_MS = 2_000;
/** Delay before revoking the URL of a saved file. Chromium reads the blob asynchronously, after the click. */
const SAVED_MS = 10_000;
const SHORTCUTS_SETTING = 'claimcheck-shortcuts';
const LANGUAGE_SETTING = 'claimcheck-language';

const PAGE_LANGUAGE = document.documentElement.lang;
/** The user's preferred variant of the page's language, such as `en-US` for `en`. */
const LOCALE =
  navigator.languages.find((language) => language.split('-')[0] === PAGE_LANGUAGE) ??
  (PAGE_LANGUAGE === 'en' ? 'en-GB' : PAGE_LANGUAGE);
const OWN_TIME: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeStyle: 'short' };
const OWN_TIMES: Readonly<Record<string, Intl.DateTimeFormat>> = {
  minute: new Intl.DateTimeFormat(LOCALE, OWN_TIME),
  second: new Intl.DateTimeFormat(LOCALE, { ...OWN_TIME, timeStyle: 'medium' }),
};

const YOUR_TIME = document.body.dataset['yourTime'] ?? '';

const canCopy = navigator.clipboard !== undefined;

/** In a list of all time zones, which are grouped by region, puts the browser's own first, with its complete name. */
function moveOwnTimeZone(): void {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const list of document.querySelectorAll<HTMLSelectElement>('select[name=timeZone]')) {
    const option = [...list.options].find(({ value }) => value === own);
    if (option === undefined) continue;
    option.textContent = own;
    list.prepend(option);
  }
}

function enhance(): void {
  moveOwnTimeZone();
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-precision]')) {
    const format = OWN_TIMES[time.dataset['precision'] ?? ''];
    if (format !== undefined) time.title = `${YOUR_TIME} ${format.format(new Date(time.dateTime))}`;
  }
  show('[data-copy], [data-with-copy]', canCopy);
  show('[data-without-copy]', !canCopy);
  show('[data-reveal], [data-save]', true);
  showShortcuts();
  showLanguage();
}

function show(parts: string, isShown: boolean): void {
  for (const part of document.querySelectorAll<HTMLElement>(parts)) part.hidden = !isShown;
}

/** `scrollMenu` puts the link of the current page this many pixels above the bottom edge of the menu. */
const BELOW_CURRENT = 160;

function scrollMenu(): void {
  const menu = document.querySelector<HTMLElement>('.doc-side > nav');
  const current = menu?.querySelector<HTMLElement>('[aria-current]');
  if (menu && current)
    menu.scrollTop = current.offsetTop - menu.offsetTop - menu.clientHeight + BELOW_CURRENT;
}

const NOTICES = ['saved', 'done'];

/** Removes the parameters for notices from the URL, so that a reload doesn't show the notices again. */
function forgetNotices(): void {
  const url = new URL(location.href);
  if (!NOTICES.some((name) => url.searchParams.has(name))) return;
  for (const name of NOTICES) url.searchParams.delete(name);
  history.replaceState(history.state, '', url);
}

function reveal(button: HTMLElement): void {
  const field = document.getElementById(button.dataset['reveal'] ?? '');
  if (!(field instanceof HTMLInputElement)) return;
  const isHidden = field.type === 'password';
  field.type = isHidden ? 'text' : 'password';
  const { hide = '' } = button.dataset;
  button.dataset['hide'] = button.textContent ?? '';
  button.textContent = hide;
}

async function copy(button: HTMLElement, text: string): Promise<void> {
  const words = button.querySelector('span') ?? button;
  const before = words.textContent;
  try {
    await navigator.clipboard.writeText(text);
    words.textContent = words.dataset['copied'] ?? '';
  } catch {
    words.textContent = words.dataset['refused'] ?? '';
  }
  setTimeout(() => {
    words.textContent = before;
  }, COPIED_MS);
}

const hasShortcuts = (): boolean => localStorage.getItem(SHORTCUTS_SETTING) !== 'off';

function showShortcuts(): void {
  show('[data-shortcut]', hasShortcuts());
  show('[data-shortcut-switch]', true);
  for (const box of document.querySelectorAll<HTMLInputElement>('[data-shortcut-switch] input')) {
    box.checked = hasShortcuts();
  }
}

/** Applies the last choice to each group of code samples: the same title, or else the same language. */
function showLanguage(): void {
  const [title, language] = (localStorage.getItem(LANGUAGE_SETTING) ?? '').split('\n');
  for (const group of document.querySelectorAll('.snippets')) {
    const choices = [...group.querySelectorAll<HTMLInputElement>(':scope > input')];
    const choice =
      choices.find(({ value }) => value === title) ??
      choices.find(({ dataset }) => dataset['language'] === language);
    if (choice !== undefined) choice.checked = true;
  }
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), select, textarea'));

function pressShortcut(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.key.length !== 1) return;
  if (isTyping(event.target) || !hasShortcuts()) return;
  const open = document.querySelector('.dialog:popover-open');
  const target = (open ?? document).querySelector<HTMLElement>(
    `[data-key="${CSS.escape(event.key.toLowerCase())}"]`,
  );
  if (open === null && target === null) step(event);
  if (target === null || (open === null && target.closest('.dialog') !== null)) return;
  event.preventDefault();
  // If the target opens a dialog, the focus returns to the target when the dialog closes.
  target.focus();
  target.click();
}

/** Makes Enter in a single-line textarea (`wraps`) submit the form, as in an input. */
function sendLine(event: KeyboardEvent): void {
  const field = event.target;
  if (event.key !== 'Enter' || event.isComposing || !(field instanceof HTMLTextAreaElement)) return;
  if (!field.matches('.wraps')) return;
  event.preventDefault();
  field.form?.querySelector<HTMLElement>('.form-actions button')?.click();
}

/** Elements in the tab order. A group of radio buttons has one tab stop, the checked button. */
const STOPS = 'button, a[href], input:not([type=radio]:not(:checked)), select, textarea';

/** Traps the focus in an open dialog, because the page behind it is covered. */
function stayInDialog(event: KeyboardEvent): void {
  const dialog = document.querySelector('.dialog:popover-open');
  if (event.key !== 'Tab' || dialog === null) return;
  const stops = [...dialog.querySelectorAll<HTMLElement>(STOPS)].filter((stop) => stop.checkVisibility());
  const [last, first] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
  if (document.activeElement !== last && dialog.contains(document.activeElement)) return;
  event.preventDefault();
  first?.focus();
}

/** Moves the focus to the next (`j`) or previous (`k`) element with `data-stop`. */
function step(event: KeyboardEvent): void {
  const by = { j: 1, k: -1 }[event.key.toLowerCase()];
  const stops = [...document.querySelectorAll<HTMLElement>('[data-stop]')];
  if (by === undefined || stops.length === 0) return;
  event.preventDefault();
  const at = stops.indexOf(document.activeElement as HTMLElement);
  stops[at < 0 ? 0 : Math.min(Math.max(at + by, 0), stops.length - 1)]?.focus();
}

/** Saves text from the page as a file. A download from the server would send secrets a second time. */
function save(button: HTMLElement): void {
  // With another type, browsers may change the file's extension.
  const type = 'application/octet-stream';
  const text =
    button.dataset['save'] || (button.closest('.program')?.querySelector('pre')?.textContent ?? '');
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = button.dataset['file'] ?? '';
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), SAVED_MS);
}

document.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target.closest<HTMLElement>('button, a') : null;
  if (target === null) return;
  const { copy: text, copies, reveal: field, save: file } = target.dataset;
  if (text !== undefined)
    void copy(target, text || (target.closest('.program, .code')?.querySelector('pre')?.textContent ?? ''));
  // Errors are ignored: the link opens in a new tab, so people can still copy the text on this page by hand.
  if (copies !== undefined) navigator.clipboard?.writeText(copies).catch(() => {});
  if (field !== undefined) reveal(target);
  if (file !== undefined) save(target);
});
document.addEventListener('keydown', pressShortcut);
document.addEventListener('keydown', stayInDialog);
document.addEventListener('keydown', sendLine);
document.addEventListener('change', (event) => {
  const box = event.target;
  if (!(box instanceof HTMLInputElement)) return;
  if (box.matches('.snippets > input')) {
    localStorage.setItem(LANGUAGE_SETTING, `${box.value}\n${box.dataset['language'] ?? ''}`);
    showLanguage();
  }
  if (box.closest('[data-shortcut-switch]') === null) return;
  localStorage.setItem(SHORTCUTS_SETTING, box.checked ? 'on' : 'off');
  showShortcuts();
});
interface HtmxEvent extends Event {
  readonly detail: {
    readonly ctx: {
      readonly sourceEvent: Event;
      readonly request: { readonly headers: Record<string, string> };
      readonly response?: { readonly raw: Response };
    };
  };
}

document.addEventListener('htmx:config:request', (event) => {
  const { ctx } = (event as HtmxEvent).detail;
  // The fragment of the URL may contain a secret.
  delete ctx.request.headers['HX-Current-URL'];
  if (ctx.sourceEvent.type === 'every' && document.hidden) event.preventDefault();
});
document.addEventListener('htmx:before:response', (event) => {
  const raw = (event as HtmxEvent).detail.ctx.response?.raw;
  // A redirect means that the user is no longer signed in. Load the sign-in page instead of swapping it in.
  if (raw?.redirected) {
    event.preventDefault();
    location.assign(raw.url);
  }
});
document.addEventListener('htmx:after:swap', enhance);
document.addEventListener('page:swap', enhance);

enhance();
forgetNotices();
scrollMenu();
