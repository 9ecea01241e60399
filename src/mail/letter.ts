/** What a mail says, in parts, from which its text and its HTML are made. */
import { html, raw } from 'hono/html';

/** A paragraph, a code to type, or a link. */
export type LetterPart =
  | string
  | { readonly code: string }
  | { readonly link: string; readonly href: string };

export type Letter = readonly LetterPart[];

export interface LetterContent {
  readonly letter: Letter;
  /** Unsubscribes the recipient from mail of this kind; unset for essential mail. */
  readonly stopUrl?: string;
}

export const textOf = ({ letter, stopUrl }: LetterContent): string =>
  `${[...letter.map(textOfPart), ...(stopUrl === undefined ? [] : [`--\n${STOP}:\n${stopUrl}`])].join('\n\n')}\n`;

export const STOP = 'Unsubscribe from these emails';

function textOfPart(part: LetterPart): string {
  if (typeof part === 'string') return part;
  return 'code' in part ? part.code : `${part.link}:\n${part.href}`;
}

/** As on the pages. */
const SERVICE = 'Claimcheck';

/** The colours of the pages in their dark theme, for mail clients that are dark. */
const DARK = `@media (prefers-color-scheme: dark) {
  .back { background: #151411 !important; color: #eee9df !important; }
  .sheet { background: #1d1b17 !important; border-color: #34302a !important; }
  .name { color: #6cc4ab !important; }
  .code { background: #11100e !important; border-color: #2e6355 !important; }
  .quiet { color: #b9b2a5 !important; }
  .link { background: #6cc4ab !important; color: #07211b !important; }
  .more { color: #6cc4ab !important; }
}`;

const FONT = "-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
const MONO = 'ui-monospace, Menlo, Consolas, monospace';
const BELOW = 'margin: 0 0 20px';
/** What the sheet and the lines around it share. */
const WIDTH = 'max-width: 528px; margin: 0 auto';

/**
 * The styles of elements are in the elements, because some mail clients drop `<style>`. Loads nothing. `use`: a page of
 * its own has a landmark, a mail is shown in the page of a mail program.
 */
export function htmlOf(
  subject: string,
  { letter, stopUrl }: LetterContent,
  use: 'mail' | 'page' = 'mail',
): string {
  const [start, end] = use === 'page' ? [raw('<main>'), raw('</main>')] : ['', ''];
  // The first link is a button, the others are plain.
  const button = letter.find((part) => typeof part !== 'string' && 'link' in part);
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${subject}</title>
<style>${raw(DARK)}</style>
</head>
<body class="back" style="margin: 0; padding: 28px 12px; background: #f7f4ee; color: #221f1a; font: 16px/1.55 ${FONT}">${start}
<p class="name" style="${WIDTH}; padding: 0 24px 14px; color: #17594d; font-weight: 700; letter-spacing: -0.01em">${SERVICE}</p>
<div class="sheet" style="${WIDTH}; padding: 28px 24px 8px; background: #fffefb; border: 1px solid #e2dccf; border-radius: 12px; overflow-wrap: anywhere">
<h1 style="${BELOW}; font-size: 22px; font-weight: 700; line-height: 1.3; letter-spacing: -0.015em">${subject}</h1>
${letter.map((part) => htmlOfPart(part, part === button))}
</div>
${
  stopUrl === undefined
    ? ''
    : html`<p style="${WIDTH}; padding: 16px 24px 0; font-size: 13px"><a class="quiet" href="${stopUrl}" style="color: #575146">${STOP}</a></p>`
}
${end}</body>
</html>
`);
}

function htmlOfPart(part: LetterPart, isButton: boolean) {
  if (typeof part === 'string')
    return html`<p style="${BELOW}; white-space: pre-line">${part}</p>
`;
  if ('code' in part)
    return html`<p class="code" style="${BELOW}; padding: 14px 16px; background: #f1ede4; border: 1px dashed #a9cbbd; border-radius: 8px; font: 600 26px/1.3 ${MONO}; letter-spacing: 0.04em; text-align: center">${part.code}</p>
`;
  if (!isButton)
    return html`<p style="${BELOW}"><a class="more" href="${part.href}" style="color: #17594d">${part.link}</a></p>
`;
  return html`<p style="${BELOW}"><a class="link" href="${part.href}" style="display: inline-block; padding: 11px 20px; background: #17594d; color: #fff; border-radius: 8px; text-decoration: none; font-weight: 600">${part.link}</a></p>
`;
}
