/** Uploads a long list of codes in several requests, and shows the progress. */
export {};

/** Maximum size of the codes in a request, URL-encoded. The server accepts at most 64 KiB for the complete form. */
const MAX_PART_BYTES = 48_000;
const NAMED_LINES = 10;
/** Lines that a quoted cell may have (`linesOf` in `code-rows.ts`). */
const MAX_LINES_OF_CELL = 20;

interface Part {
  readonly firstLine: number;
  readonly lines: string[];
}

interface Column {
  readonly layout: string;
  readonly name: string;
  readonly examples: readonly string[];
}

/** What the server asks before it adds codes from a file, or from a text that it had to interpret. */
interface Question {
  readonly doubts: readonly string[];
  readonly columns: readonly Column[];
  readonly examples: readonly string[];
  readonly layout: string;
  readonly start: number;
  readonly startWithHeading: number | null;
}

interface Reading {
  /** What the person has confirmed. */
  readonly layout?: string;
  /** First line with a code. */
  readonly start?: number;
  /** Whether the encoding of the file was guessed. */
  readonly isGuess?: boolean;
  /** Whether the person sees the first codes before any is added. */
  readonly isPreview?: boolean;
}

interface Added {
  readonly added: number;
  /** Number of codes that the list already had. */
  readonly repeated: number;
  readonly layout: string;
  /** Identifies the import. Sent with the next part, which continues it. */
  readonly import: string;
  readonly bad: BadLine[];
}

interface BadLine {
  readonly line: number;
  readonly reason: string;
}

const linesOf = (text: string): readonly string[] => text.split(/\r\n|\n|\r/);

/** For each line, whether it begins a row, and doesn't continue a quoted cell. */
function rowStarts(lines: readonly string[]): readonly boolean[] {
  let openLines = 0;
  return lines.map((line) => {
    const isStart = openLines === 0 || openLines === MAX_LINES_OF_CELL;
    if (isStart) openLines = 0;
    const hasOddQuotes = line.split('"').length % 2 === 0;
    openLines = openLines > 0 === hasOddQuotes ? 0 : openLines + 1;
    return isStart;
  });
}

/** Skips the lines before `start`. Doesn't divide rows with several lines. */
function partsOf(text: string, maxLines: number, start = 1): Part[] {
  const parts: Part[] = [];
  let size = 0;
  const lines = linesOf(text);
  const starts = rowStarts(lines);
  for (const [index, line] of lines.entries()) {
    if (index + 1 < start) continue;
    const length = encodeURIComponent(line.toWellFormed()).length + 6;
    let part = parts.at(-1);
    const isFull =
      part !== undefined &&
      (part.lines.length >= maxLines - MAX_LINES_OF_CELL || size + length > MAX_PART_BYTES);
    if (part === undefined || (isFull && starts[index])) {
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
  const progress = form.querySelector('[data-codes-progress]');
  if (progress === null) return;
  const notice = document.createElement('div');
  notice.className = `notice ${tone}`;
  const words = notice.appendChild(document.createElement('div'));
  words.appendChild(document.createElement('h2')).textContent = title;
  if (bad.length > 0) {
    const list = words.appendChild(document.createElement('ul'));
    for (const [reason, group] of Map.groupBy(bad, (one) => one.reason)) {
      const lines = group.slice(0, NAMED_LINES).map(({ line }) => String(line));
      if (group.length > NAMED_LINES) lines.push('…');
      list.appendChild(document.createElement('li')).textContent =
        group.length === 1
          ? wordsOf(form, 'line', { line: lines[0]!, reason })
          : wordsOf(form, 'lines', { count: group.length, lines: lines.join(', '), reason });
    }
  }
  progress.replaceChildren(notice);
}

/** Shows what the server assumed, and buttons to add the codes. */
function ask(form: HTMLFormElement, text: string, question: Question): void {
  say(form, wordsOf(form, 'check'), question.doubts.length === 0 ? '' : 'warn', []);
  const notice = form.querySelector('[data-codes-progress] .notice > div');
  if (notice === null) return;
  const words = notice.appendChild(document.createElement('div'));
  words.className = 'stack';
  const lines = linesOf(text);
  const starts = rowStarts(lines);
  const count = lines.filter(
    (line, index) => index + 1 >= question.start && starts[index] && line.trim() !== '',
  ).length;
  let { layout } = question;
  const addParagraph = (sentence: string) => {
    const paragraph = words.appendChild(document.createElement('p'));
    paragraph.textContent = sentence;
    return paragraph;
  };
  for (const doubt of question.doubts) addParagraph(doubt);
  const sentenceOf = (examples: readonly string[]) =>
    wordsOf(form, 'examples', { count, examples: examples.join(', ') });
  const first = addParagraph(sentenceOf(question.examples));
  first.translate = false;
  if (question.columns.length > 0) {
    const select = document.createElement('select');
    first.before(columnField(form, question, select));
    select.addEventListener('change', () => {
      layout = select.value;
      first.textContent = sentenceOf(question.columns[select.selectedIndex]?.examples ?? []);
    });
  }
  const actions = words.appendChild(document.createElement('div'));
  actions.className = 'row';
  const button = (label: string, start: number, tone: string) => {
    const element = document.createElement('button');
    element.type = 'button';
    element.className = `button ${tone}`.trim();
    element.textContent = wordsOf(form, label);
    element.addEventListener('click', () => void sendAll(form, text, { layout, start }));
    actions.append(element);
    return element;
  };
  button('add', question.start, 'primary').focus();
  if (question.startWithHeading !== null) button('addFirst', question.startWithHeading, '');
}

/** Leads to the list of imports. */
function offerUndo(form: HTMLFormElement): void {
  const words = form.querySelector('[data-codes-progress] .notice > div');
  const link = document.createElement('a');
  link.href = '#codes-imports';
  link.textContent = wordsOf(form, 'undo');
  words?.appendChild(document.createElement('p')).append(link);
}

function columnField(form: HTMLFormElement, question: Question, select: HTMLSelectElement): HTMLElement {
  select.id = 'codes-column';
  select.className = 'input';
  for (const { layout, name } of question.columns) {
    select.add(new Option(name, layout, false, layout === question.layout));
  }
  const field = document.createElement('div');
  field.className = 'field';
  const label = field.appendChild(document.createElement('label'));
  label.htmlFor = select.id;
  label.textContent = wordsOf(form, 'column');
  const box = field.appendChild(document.createElement('div'));
  box.className = 'select';
  box.append(select);
  return field;
}

async function send(
  form: HTMLFormElement,
  part: Part,
  { layout, continued }: { readonly layout: string | null; readonly continued: string | null },
  { isGuess = false, isPreview = false }: Reading,
): Promise<Added | { readonly question: Question } | string> {
  const fields = [...new FormData(form)].filter(
    ([name, value]) => name !== 'codes' && typeof value === 'string',
  );
  const body = new URLSearchParams(fields.map(([name, value]) => [name, String(value)]));
  body.set('codes', part.lines.join('\n'));
  if (layout !== null) body.set('layout', layout);
  if (continued !== null) body.set('import', continued);
  if (isGuess) body.set('guessed', 'yes');
  if (isPreview) body.set('preview', 'yes');
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

async function sendAll(form: HTMLFormElement, text: string, reading: Reading): Promise<void> {
  const parts = partsOf(text, Number(form.dataset['codes']), reading.start);
  let { layout = null } = reading;
  let continued: string | null = null;
  const total = parts.reduce((sum, { lines }) => sum + lines.length, 0);
  const bad: BadLine[] = [];
  let added = 0;
  let repeated = 0;
  let sent = 0;
  let stopped = '';
  setBusy(form, true);
  for (const part of parts) {
    say(form, wordsOf(form, 'sending', { sent, total }), '', []);
    const response = await send(form, part, { layout, continued }, reading);
    if (typeof response === 'object' && 'question' in response) {
      setBusy(form, false);
      return ask(form, text, response.question);
    }
    if (typeof response === 'string') {
      stopped = wordsOf(form, 'stopped', { line: part.firstLine, reason: response });
      break;
    }
    layout = response.layout;
    // An import begins with the first code that is new.
    if (response.added > 0) continued = response.import;
    added += response.added;
    repeated += response.repeated;
    sent += part.lines.length;
    bad.push(...response.bad.map(({ line, reason }) => ({ line: line + part.firstLine - 1, reason })));
  }
  const done = `${wordsOf(form, 'added', { added })}.`;
  const left = bad.length === 0 ? '' : ` ${wordsOf(form, 'leftOut', { left: bad.length })}.`;
  if (stopped !== '') say(form, `${done} ${stopped}`, 'bad', bad);
  else if (added === 0 && repeated > 0 && repeated === bad.length) {
    // The same codes were sent again, because a response was lost.
    say(form, `${wordsOf(form, 'repeated', { repeated })}.`, 'good', []);
  } else say(form, done + left, added === 0 || left !== '' ? 'warn' : 'good', bad);
  const file = form.querySelector<HTMLInputElement>('input[type=file]');
  // Otherwise, the button would send the file again.
  if (stopped === '' && file !== null) file.value = '';
  if (added > 0) offerUndo(form);
  setBusy(form, false);
  await showCounts();
}

const wordsOf = (form: HTMLFormElement, name: string, values: Record<string, string | number> = {}): string =>
  (form.dataset[name] ?? '').replaceAll(/\{(\w+)\}/g, (_, key: string) => textOf(values[key] ?? ''));

const textOf = (value: string | number): string =>
  typeof value === 'number' ? value.toLocaleString(document.documentElement.lang) : value;

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

interface Decoded {
  readonly text: string;
  readonly isGuess: boolean;
}

/** Decodes UTF-8, UTF-16 and Windows-1252, like `decodeCodeFile`; `null` if the file isn't text. */
async function decode(file: File): Promise<Decoded | null> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const [first, second] = bytes;
  const isLittle = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0);
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0);
  const encodings = isLittle ? ['utf-16le'] : isBig ? ['utf-16be'] : ['utf-8', 'windows-1252'];
  for (const encoding of encodings) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
      return text.includes('\0') ? null : { text, isGuess: encoding === 'windows-1252' };
    } catch {
      // Not this encoding.
    }
  }
  return null;
}

async function submit(form: HTMLFormElement, file: File | undefined): Promise<void> {
  const typed = form.querySelector('textarea')?.value ?? '';
  const decoded = file === undefined ? { text: typed, isGuess: false } : await decode(file);
  if (decoded === null) return say(form, wordsOf(form, 'notText'), 'bad', []);
  const { text, isGuess } = decoded;
  const isPreview = file !== undefined && text.trim() !== '';
  await sendAll(form, text, { isGuess, isPreview });
}

const isBusy = (form: HTMLFormElement): boolean => form.querySelector('button[aria-disabled=true]') !== null;

/** A file that is chosen while codes are sent would be ignored. */
function setBusy(form: HTMLFormElement, isBusy: boolean): void {
  form.querySelector('[type=submit]')?.setAttribute('aria-disabled', String(isBusy));
  for (const input of form.querySelectorAll<HTMLInputElement>('input[type=file]')) input.disabled = isBusy;
}

/** Shows the first codes of a file as soon as it is chosen. */
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.type !== 'file') return;
  const form = target.closest<HTMLFormElement>('form[data-codes]');
  const file = target.files?.[0];
  if (form !== null && file !== undefined && !isBusy(form)) void submit(form, file);
});

document.addEventListener(
  'submit',
  (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.dataset['codes'] === undefined) return;
    const file = form.querySelector<HTMLInputElement>('input[type=file]')?.files?.[0];
    const lines = partsOf(form.querySelector('textarea')?.value ?? '', Number(form.dataset['codes']));
    if (file === undefined && lines.length < 2) return;
    event.preventDefault();
    if (isBusy(form)) return;
    const confirm = form.querySelector<HTMLElement>('[data-codes-progress] .primary');
    if (file !== undefined && confirm !== null) confirm.click();
    else void submit(form, file);
  },
  true,
);

function show(): void {
  for (const field of document.querySelectorAll<HTMLElement>('[data-codes-file]')) field.hidden = false;
}

document.addEventListener('page:swap', show);
show();
