/** Prevents double submits. Responses to forms don't change the URL or the history, so Back never leads to one. */
export {};

/** A form can be submitted again if no response arrives within this time. The second request aborts the first. */
const SENT_FORM_REST_MS = 8_000;
/** Like `SENT_FORM_REST_MS`, for a form with a file. The time is longer, because uploading and processing take time. */
const SENT_FILE_REST_MS = 180_000;
/** Makes the server return the URL of a redirect instead of redirecting, because `fetch` would follow the redirect. */
const IN_PLACE = { 'X-In-Place': '1' };

declare global {
  interface Window {
    readonly htmx?: { process(root: Element): void };
  }
}

const requests = new WeakMap<HTMLFormElement, AbortController>();
/** Whether the page is the response to a form: typed text is then the default value, unknown to `isChanged`. */
let showsResponse = false;

function submit(event: SubmitEvent): void {
  const form = event.target;
  // `form.method` would return a field named `method`.
  if (!(form instanceof HTMLFormElement) || form.getAttribute('method') !== 'post') return;
  if (event.defaultPrevented || 'repeatable' in form.dataset || form.hasAttribute('target')) return;
  const isUnderWay = 'sent' in form.dataset;
  const isInPlace = !('leaves' in form.dataset);
  if (isUnderWay || isInPlace) event.preventDefault();
  if (isUnderWay) return;
  form.dataset['sent'] = '';
  event.submitter?.setAttribute('aria-disabled', 'true');
  setTimeout(() => release(form), hasFile(form) ? SENT_FILE_REST_MS : SENT_FORM_REST_MS);
  if (isInPlace) void send(form, event.submitter);
}

const hasFile = (form: HTMLFormElement): boolean => form.getAttribute('enctype') === 'multipart/form-data';

function release(form: HTMLElement): void {
  delete form.dataset['sent'];
  for (const button of form.querySelectorAll('[aria-disabled=true]')) button.removeAttribute('aria-disabled');
}

async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  requests.get(form)?.abort();
  const request = new AbortController();
  requests.set(form, request);
  const data = new FormData(form, submitter);
  const body = hasFile(form)
    ? data
    : new URLSearchParams([...data].map(([name, value]) => [name, String(value)]));
  try {
    const response = await fetch(submitter?.getAttribute('formaction') ?? form.getAttribute('action') ?? '', {
      method: 'POST',
      headers: IN_PLACE,
      body,
      signal: request.signal,
    });
    const address = response.headers.get('Location');
    const part = form.closest('[data-part]');
    if (part !== null && hasOtherInput(form)) return await showPart(part, response, address);
    if (address !== null) return go(address);
    show(form, parse(await response.text()));
  } catch {
    if (!request.signal.aborted) say(form, null);
  }
}

const parse = (text: string): Document => new DOMParser().parseFromString(text, 'text/html');

const hasOtherInput = (form: HTMLFormElement): boolean =>
  showsResponse ||
  [...document.querySelectorAll<HTMLFormElement>('main form[method=post]')].some(
    (other) => other !== form && [...other.elements].some(isChanged),
  );

const isChanged = (field: Element): boolean => {
  if (field instanceof HTMLSelectElement)
    return [...field.options].some(({ selected, defaultSelected }) => selected !== defaultSelected);
  if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue;
  if (!(field instanceof HTMLInputElement)) return false;
  const { type, checked, defaultChecked, value, defaultValue } = field;
  return ['checkbox', 'radio'].includes(type) ? checked !== defaultChecked : value !== defaultValue;
};

/** Replaces only `part` and the logos, to preserve what was typed elsewhere on the page. */
async function showPart(part: Element, response: Response, address: string | null): Promise<void> {
  const page = parse(await (address === null ? response : await fetch(address)).text());
  const replacement = page.getElementById(part.id);
  if (replacement === null) return address === null ? show(part.querySelector('form')!, page) : go(address);
  const logos = [...page.querySelectorAll('.brand')];
  for (const [index, logo] of document.querySelectorAll('.brand').entries())
    logo.replaceWith(logos[index] ?? logo);
  part.replaceWith(replacement);
  document.dispatchEvent(new Event('page:swap'));
  // Makes live previews show the new picture.
  for (const form of document.forms) form.dispatchEvent(new Event('input'));
  (replacement.querySelector<HTMLElement>('[autofocus]') ?? replacement.querySelector('input'))?.focus();
}

/** Follows a redirect. If only the fragment differs, reloads the page, because `assign` alone wouldn't load it. */
function go(address: string): void {
  const { href, hash, pathname, search } = new URL(address, location.href);
  const isHere = pathname === location.pathname && search === location.search;
  location.assign(href);
  if (isHere && hash !== '') location.reload();
}

/** Shows a failure on the current page, to preserve what was typed. Any other response replaces the page. */
function show(form: HTMLFormElement, received: Document): void {
  const failure = received.querySelector('[data-failure]');
  if (failure !== null || received.querySelector('main') === null) {
    say(form, failure);
    return;
  }
  showsResponse = true;
  document.title = received.title;
  document.body.replaceWith(received.body);
  window.htmx?.process(document.body);
  const loadedSources = new Set([...document.scripts].map(({ src }) => src));
  for (const { src } of received.scripts) {
    if (!loadedSources.has(src))
      document.head.append(Object.assign(document.createElement('script'), { src, type: 'module' }));
  }
  document.dispatchEvent(new Event('page:swap'));
  const problem = [...document.querySelectorAll<HTMLElement>('main [autofocus]')].find((part) =>
    part.checkVisibility(),
  );
  if (problem === undefined) window.scrollTo(0, 0);
  (problem ?? document.querySelector<HTMLElement>('main'))?.focus();
}

/** Shows a failure above the form's fields. `null`: no response arrived. */
function say(form: HTMLFormElement, failure: Element | null): void {
  release(form);
  const template = document.querySelector<HTMLTemplateElement>('template[data-no-answer]');
  const notice = template?.content.firstElementChild?.cloneNode(true);
  if (!(notice instanceof HTMLElement)) return;
  notice.dataset['unsent'] = '';
  if (failure !== null) notice.querySelector('div')?.replaceChildren(...failure.children);
  for (const before of form.querySelectorAll('[data-unsent]')) before.remove();
  form.prepend(notice);
  notice.focus();
}

document.addEventListener('submit', submit);
// A page from the back/forward cache may still have forms that are marked as sent.
window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll<HTMLElement>('form[data-sent]')) release(form);
});
