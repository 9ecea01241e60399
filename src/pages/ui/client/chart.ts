/**
 * Shows the values of a point of a chart to a mouse, a finger or the arrow keys. The texts come from the table below
 * the chart and the points from its lines, so the page contains nothing twice.
 */
export {};

/** The number of points that Page Up and Page Down move by. */
const PAGE = 7;

/** Not in the style sheet, which every page loads, because few pages have charts. */
const STYLES = `
.chart-reader {
  position: absolute;
  inset: 0 0 0 2.75rem;
  border-radius: var(--radius);
  cursor: crosshair;
  touch-action: pan-y;
}
.chart-reader:not(.reads) > * {
  display: none;
}
.chart-reader > * {
  position: absolute;
  pointer-events: none;
}
.chart-hair {
  inset-block: 0;
  border-left: 1px solid var(--ink-faint);
}
.chart-dot {
  width: 0.625rem;
  height: 0.625rem;
  margin: -0.3125rem 0 0 -0.3125rem;
  border: 2px solid var(--surface);
  border-radius: 3px;
  background: var(--chart-1);
}
.chart-dot.dot-2 {
  border-radius: 50%;
  background: var(--chart-2);
}
.chart-tip {
  top: 0;
  z-index: 1;
  padding: var(--s2) var(--s3);
  border: 1px solid var(--line);
  border-radius: var(--radius);
  background: var(--surface);
  color: var(--ink);
  font-size: var(--text-s);
  line-height: 1.4;
  width: max-content;
  translate: 0.75rem 0;
  box-shadow: var(--shadow);
}
.chart-tip.before {
  translate: calc(-100% - 0.75rem) 0;
}
.chart-tip > :first-child {
  color: var(--ink-soft);
}
`;

interface Point {
  /** In percent of the drawing. */
  readonly left: string;
  readonly top: string;
}

function pointsOf(line: SVGPathElement): Point[] {
  const { width, height } = line.ownerSVGElement!.viewBox.baseVal;
  return line
    .getAttribute('d')!
    .slice(1)
    .split('L')
    .map((point) => {
      const [x, y] = point.split(' ').map(Number);
      return { left: `${(x! / width) * 100}%`, top: `${(y! / height) * 100}%` };
    });
}

const textsOf = (cells: Iterable<Element>): string[] =>
  [...cells].map((cell) => cell.textContent?.trim() ?? '');

function part(parent: HTMLElement, name: string): HTMLElement {
  const element = document.createElement('div');
  element.className = name;
  element.ariaHidden = 'true';
  return parent.appendChild(element);
}

function addReader(plot: HTMLElement): void {
  const chart = plot.closest('.chart')!;
  const lines = [...plot.querySelectorAll<SVGPathElement>('.line-1, .line-2')].map(pointsOf);
  const rows = [...chart.querySelectorAll('tbody tr')].map((row) => textsOf(row.children));
  const [, ...names] = textsOf(chart.querySelectorAll('thead th'));
  const last = lines[0]!.length - 1;
  let current = last;

  const reader = document.createElement('div');
  reader.className = 'chart-reader';
  reader.tabIndex = 0;
  reader.role = 'slider';
  reader.ariaLabel = chart.querySelector('.chart-title')!.textContent;
  reader.ariaValueMin = '0';
  reader.ariaValueMax = String(last);
  const hair = part(reader, 'chart-hair');
  const dots = lines.map((_, index) => part(reader, `chart-dot dot-${index + 1}`));
  const tip = part(reader, 'chart-tip');

  const read = (index: number): void => {
    current = Math.min(Math.max(index, 0), last);
    const [name, ...values] = rows[current] ?? [];
    const day = [plot.dataset['beforeDay'], name].filter(Boolean).join(' ');
    const counts = names.map((name, of) => `${name}: ${values[of]}`);
    reader.ariaValueNow = String(current);
    reader.ariaValueText = [day, ...counts].join(', ');
    hair.style.left = lines[0]![current]!.left;
    for (const [of, dot] of dots.entries()) Object.assign(dot.style, lines[of]![current]!);
    tip.style.left = lines[0]![current]!.left;
    tip.classList.toggle('before', current > last / 2);
    tip.replaceChildren(
      ...[day, ...counts].map((text) => {
        const line = document.createElement('p');
        line.textContent = text;
        return line;
      }),
    );
  };
  const show = (index: number): void => {
    read(index);
    reader.classList.add('reads');
  };
  const hide = (): void => reader.classList.remove('reads');
  const follow = ({ clientX }: PointerEvent): void => {
    const { left, width } = reader.getBoundingClientRect();
    show(Math.round(((clientX - left) / width) * last));
  };

  reader.addEventListener('pointerdown', follow);
  reader.addEventListener('pointermove', follow);
  // After a tap, the values stay until the focus moves.
  reader.addEventListener('pointerleave', ({ pointerType }) => {
    if (pointerType === 'mouse' && document.activeElement !== reader) hide();
  });
  reader.addEventListener('focus', () => show(current));
  reader.addEventListener('blur', hide);
  reader.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') hide();
    const target = {
      ArrowLeft: current - 1,
      ArrowDown: current - 1,
      ArrowRight: current + 1,
      ArrowUp: current + 1,
      PageDown: current - PAGE,
      PageUp: current + PAGE,
      Home: 0,
      End: last,
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    show(target);
  });
  read(last);
  plot.append(reader);
}

function enhance(): void {
  for (const plot of document.querySelectorAll<HTMLElement>('.chart-plot:not(:has(.chart-reader))')) {
    addReader(plot);
  }
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(STYLES);
document.adoptedStyleSheets.push(sheet);
document.addEventListener('htmx:after:swap', enhance);
document.addEventListener('page:swap', enhance);
enhance();
