/** The HTML of a mail. */
import { type LetterContent, type LetterPart, STOP } from './letter.ts';

/** Colours for mail clients that are dark. */
const DARK = `@media (prefers-color-scheme: dark) {
  .back { background: #161614 !important; color: #ecece6 !important; }
  .sheet { background: #22221f !important; }
  .code { background: #161614 !important; }
  .quiet { color: #a3a39c !important; }
  .link { background: #ecece6 !important; color: #161614 !important; }
}`;

const FONT = "-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
const MONO = 'ui-monospace, Menlo, Consolas, monospace';
const BELOW = 'margin: 0 0 16px';

/** The styles of elements are in the elements, because some mail clients drop `<style>`. Loads nothing. */
export const htmlOf = (subject: string, { letter, stopUrl }: LetterContent): string =>
  `<!doctype html>${(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <title>{subject}</title>
        <style>{DARK}</style>
      </head>
      <body class="back" style="margin: 0; padding: 24px 12px; background: #f4f4f1; color: #1c1c1a">
        <div
          class="sheet"
          style={`max-width: 560px; margin: 0 auto; padding: 28px 24px 12px; background: #fff; border-radius: 12px; font: 16px/1.5 ${FONT}; overflow-wrap: anywhere`}
        >
          <h1 style={`${BELOW}; font-size: 20px; line-height: 1.3`}>{subject}</h1>
          {letter.map((part) => (
            <Part part={part} />
          ))}
          {stopUrl !== undefined && (
            <p style={`${BELOW}; font-size: 13px`}>
              <a class="quiet" href={stopUrl} style="color: #6b6b66">
                {STOP}
              </a>
            </p>
          )}
        </div>
      </body>
    </html>
  )}`;

function Part({ part }: { part: LetterPart }) {
  if (typeof part === 'string') return <p style={`${BELOW}; white-space: pre-line`}>{part}</p>;
  if ('code' in part) {
    return (
      <p
        class="code"
        style={`${BELOW}; padding: 12px 16px; background: #f4f4f1; border-radius: 8px; font: 600 22px/1.4 ${MONO}`}
      >
        {part.code}
      </p>
    );
  }
  return (
    <p style={BELOW}>
      <a
        class="link"
        href={part.href}
        style="display: inline-block; padding: 10px 18px; background: #1c1c1a; color: #fff; border-radius: 8px; text-decoration: none; font-weight: 600"
      >
        {part.link}
      </a>
    </p>
  );
}
