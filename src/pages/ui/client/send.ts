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
  for (const progress of form.querySelectorAll('progress')) progress.hidden = true;
}

async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  requests.get(form)?.abort();
  const request = new AbortController();
  requests.set(form, request);
  const { signal } = request;
  const data = new FormData(form, submitter);
  const url = submitter?.getAttribute('formaction') ?? form.getAttribute('action') ?? '';
  try {
    const response = hasFile(form) ? await upload(form, url, data, signal) : await post(url, data, signal);
    const part = form.closest('[data-part]');
    if (part !== null) return await showPart(form, part, response);
    if (response.address !== null) return go(response.address);
    show(form, parse(response.text));
  } catch {
    if (!signal.aborted) say(form, null);
  }
}

interface Received {
  readonly text: string;
  /** Where the server redirects to; `null` if it doesn't. */
  readonly address: string | null;
}

async function post(url: string, data: FormData, signal: AbortSignal): Promise<Received> {
  const body = new URLSearchParams([...data].map(([name, value]) => [name, String(value)]));
  const response = await fetch(url, { method: 'POST', headers: IN_PLACE, body, signal });
  return { text: await response.text(), address: response.headers.get('Location') };
}

/** `fetch` can't tell how much of a file has been sent. */
function upload(form: HTMLElement, url: string, body: FormData, signal: AbortSignal): Promise<Received> {
  const progress = form.querySelector('progress');
  if (progress !== null) progress.hidden = false;
  const request = new XMLHttpRequest();
  request.open('POST', url);
  for (const [name, value] of Object.entries(IN_PLACE)) request.setRequestHeader(name, value);
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    if (progress !== null) progress.value = loaded / total;
  });
  // The server is processing the file. How long that takes is unknown.
  request.upload.addEventListener('load', () => progress?.removeAttribute('value'));
  signal.addEventListener('abort', () => request.abort());
  return new Promise((resolve, reject) => {
    request.addEventListener('load', () =>
      resolve({ text: request.responseText, address: request.getResponseHeader('Location') }),
    );
    for (const failure of ['error', 'abort'] as const) {
      request.addEventListener(failure, () => reject(new Error(failure)));
    }
    request.send(body);
  });
}

const parse = (text: string): Document => new DOMParser().parseFromString(text, 'text/html');

/** What a part may change elsewhere on the page: logos, and the icon and the state of a listing. */
const ELSEWHERE = '.brand, .page-header-title';

/** Replaces only `part` and what it changes elsewhere, to preserve what was typed on the page. */
async function showPart(form: HTMLFormElement, part: Element, { text, address }: Received): Promise<void> {
  const page = parse(address === null ? text : await (await fetch(address)).text());
  const replacement = page.getElementById(part.id);
  if (replacement === null) return address === null ? show(form, page) : go(address);
  const replacements = [...page.querySelectorAll(ELSEWHERE)];
  for (const [index, before] of document.querySelectorAll(ELSEWHERE).entries())
    before.replaceWith(replacements[index] ?? before);
  part.replaceWith(replacement);
  const { theme } = page.documentElement.dataset;
  if (theme === undefined) delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  document.dispatchEvent(new Event('page:swap'));
  // Makes live previews show the new picture.
  for (const each of document.forms) each.dispatchEvent(new Event('input'));
  const focused = ['[autofocus]', '[aria-pressed="true"]', 'button'].map((kind) =>
    replacement.querySelector<HTMLElement>(kind),
  );
  focused.find((element) => element !== null)?.focus();
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
  document.title = received.title;
  document.body.replaceWith(received.body);
  window.htmx?.process(document.body);
  const sheets = [...document.styleSheets].map(({ href }) => href);
  for (const sheet of received.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'))
    if (!sheets.includes(sheet.href)) document.head.append(sheet);
  const loadedSources = new Set([...document.scripts].map(({ src }) => src));
  for (const { src, type } of received.scripts) {
    if (!loadedSources.has(src))
      document.head.append(Object.assign(document.createElement('script'), { src, type }));
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
