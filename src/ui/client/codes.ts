/** Uploads a long list of codes in several requests, and shows the progress. */
export {};

/** Maximum size of the codes in a request, URL-encoded. The server accepts at most 64 KiB for the complete form. */
const MAX_PART_BYTES = 48_000;
const NAMED_LINES = 100;

interface Part {
  readonly firstLine: number;
  readonly lines: string[];
}

interface BadLine {
  readonly line: number;
  readonly reason: string;
}

function partsOf(text: string, maxLines: number): Part[] {
  const parts: Part[] = [];
  let size = 0;
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    const length = encodeURIComponent(line.toWellFormed()).length + 6;
    let part = parts.at(-1);
    if (part === undefined || part.lines.length === maxLines || size + length > MAX_PART_BYTES) {
      part = { firstLine: index + 1, lines: [] };
      parts.push(part);
      size = 0;
    }
    part.lines.push(line);
    size += length;
  }
  return parts.filter(({ lines }) => lines.some((line) => line.trim() !== ''));
}

function say(form: HTMLFormElement, title: string, tone: string, bad: readonly BadLine[]): void {
  const place = form.querySelector('[data-codes-progress]');
  if (place === null) return;
  const notice = document.createElement('div');
  notice.className = `notice ${tone}`;
  const words = notice.appendChild(document.createElement('div'));
  words.appendChild(document.createElement('h2')).textContent = title;
  if (bad.length > 0) {
    const list = words.appendChild(document.createElement('ul'));
    for (const { line, reason } of bad.slice(0, NAMED_LINES)) {
      list.appendChild(document.createElement('li')).textContent = wordsOf(form, 'line', { line, reason });
    }
    if (bad.length > NAMED_LINES) {
      words.appendChild(document.createElement('p')).textContent = wordsOf(form, 'more', {
        count: bad.length - NAMED_LINES,
      });
    }
  }
  place.replaceChildren(notice);
}

async function send(form: HTMLFormElement, part: Part): Promise<{ added: number; bad: BadLine[] } | string> {
  const fields = [...new FormData(form)].filter(
    ([name, value]) => name !== 'codes' && typeof value === 'string',
  );
  const body = new URLSearchParams(fields.map(([name, value]) => [name, String(value)]));
  body.set('codes', part.lines.join('\n'));
  try {
    const response = await fetch(form.getAttribute('action') ?? '', {
      method: 'POST',
      headers: { Accept: 'application/json' },
      body,
    });
    const isJson = response.headers.get('Content-Type')?.startsWith('application/json');
    const result = isJson ? await response.json() : {};
    if (response.ok && isJson) return result;
    return result.problem ?? wordsOf(form, 'failed');
  } catch {
    return wordsOf(form, 'noAnswer');
  }
}

async function sendAll(form: HTMLFormElement, text: string): Promise<void> {
  const button = form.querySelector('button');
  const parts = partsOf(text, Number(form.dataset['codes']));
  const total = parts.reduce((sum, { lines }) => sum + lines.length, 0);
  const bad: BadLine[] = [];
  let added = 0;
  let sent = 0;
  let stopped = '';
  button?.setAttribute('aria-disabled', 'true');
  for (const part of parts) {
    say(form, wordsOf(form, 'sending', { sent, total }), '', []);
    const response = await send(form, part);
    if (typeof response === 'string') {
      stopped = wordsOf(form, 'stopped', { line: part.firstLine, reason: response });
      break;
    }
    added += response.added;
    sent += part.lines.length;
    bad.push(...response.bad.map(({ line, reason }) => ({ line: line + part.firstLine - 1, reason })));
  }
  const done = `${wordsOf(form, 'added', { added })}.`;
  const left = bad.length === 0 ? '' : ` ${wordsOf(form, 'leftOut', { left: bad.length })}.`;
  if (stopped !== '') say(form, `${done} ${stopped}`, 'bad', bad);
  else say(form, done + left, added === 0 || left !== '' ? 'warn' : 'good', bad);
  await showCounts();
  button?.removeAttribute('aria-disabled');
}

const wordsOf = (form: HTMLFormElement, name: string, values: Record<string, string | number> = {}): string =>
  (form.dataset[name] ?? '').replaceAll(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? ''));

async function showCounts(): Promise<void> {
  const html = await fetch(location.href).then(
    (response) => response.text(),
    () => '',
  );
  const page = new DOMParser().parseFromString(html, 'text/html');
  for (const part of document.querySelectorAll('[data-codes-counts]')) {
    const now = page.getElementById(part.id);
    if (now !== null) part.replaceWith(now);
  }
}

/** Decodes UTF-8, or UTF-16 with a byte order mark; `null` for any other content. */
async function textOf(file: File): Promise<string | null> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const mark = `${bytes[0]} ${bytes[1]}`;
  const encoding = mark === '255 254' ? 'utf-16le' : mark === '254 255' ? 'utf-16be' : 'utf-8';
  if (encoding === 'utf-8' && bytes.includes(0)) return null;
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

async function submit(form: HTMLFormElement, file: File | undefined): Promise<void> {
  const typed = form.querySelector('textarea')?.value ?? '';
  const text = file === undefined ? typed : await textOf(file);
  if (text === null) return say(form, form.dataset['notUtf8']!, 'bad', []);
  await sendAll(form, text);
}

document.addEventListener(
  'submit',
  (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.dataset['codes'] === undefined) return;
    const file = form.querySelector<HTMLInputElement>('input[type=file]')?.files?.[0];
    const lines = partsOf(form.querySelector('textarea')?.value ?? '', Number(form.dataset['codes']));
    if (file === undefined && lines.length < 2) return;
    event.preventDefault();
    if (form.querySelector('button[aria-disabled=true]') === null) void submit(form, file);
  },
  true,
);

function show(): void {
  for (const field of document.querySelectorAll<HTMLElement>('[data-codes-file]')) field.hidden = false;
}

document.addEventListener('page:swap', show);
show();
