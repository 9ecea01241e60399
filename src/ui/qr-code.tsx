import type { Child } from 'hono/jsx';
import { encode } from 'uqr';

/** Modules of the quiet zone around the code, as ISO/IEC 18004 requires. */
const BORDER = 4;

/** A QR code, drawn here, so no other service sees its content. Dark on white in both themes, for cameras. */
export function QrCode({ text, label, caption }: { text: string; label: string; caption?: Child }) {
  const { data, size } = encode(text, { ecc: 'M', border: BORDER });
  return (
    <figure class="qr">
      <svg viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges" role="img" aria-label={label}>
        <path fill="currentColor" d={darkModules(data)} />
      </svg>
      {caption && <figcaption>{caption}</figcaption>}
    </figure>
  );
}

/** One rectangle for each run of dark modules in a row. */
function darkModules(rows: readonly (readonly boolean[])[]): string {
  const path: string[] = [];
  rows.forEach((row, y) => {
    for (let x = 0; x < row.length; x += 1) {
      if (!row[x]) continue;
      const start = x;
      while (row[x + 1]) x += 1;
      path.push(`M${start} ${y}h${x + 1 - start}v1h-${x + 1 - start}z`);
    }
  });
  return path.join('');
}
