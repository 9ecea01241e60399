import { html, raw } from 'hono/html';
import type { Brand } from '../../base/brand/brand.ts';
import { accentsOf } from '../../platform/colour/accent.ts';
import { type Accent, DARK, LIGHT } from '../../platform/colour/palette.ts';
import { currentLanguage } from '../../platform/languages/language.ts';
import { Message, t, type Words, wordsOf } from '../../platform/languages/translate.ts';
import { plainName } from './plain-name.ts';

/** A paragraph, a code to type, or a link. */
export type LetterPart = Words | { readonly code: string } | { readonly link: Words; readonly href: string };

export type Letter = readonly LetterPart[];

export const written = (letter: Letter): Letter =>
  letter.map((part) => {
    if (isParagraph(part)) return mailedWords(part);
    return 'link' in part ? { ...part, link: mailedWords(part.link) } : part;
  });

/**
 * The words in the current language. Strings among the values of a message are names that people chose, so they are
 * mailed without links, addresses and line breaks. For any other string, pass `verbatim(text)`.
 */
export const mailedWords = (words: Words): string =>
  wordsOf(words instanceof Message ? withPlainNames(words) : words);

export const verbatim =
  (text: string): (() => string) =>
  () =>
    text;

const withPlainNames = ({ text, values = {} }: Message): Message =>
  new Message(
    text,
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => {
        if (value instanceof Message) return [name, withPlainNames(value)];
        return [name, typeof value === 'string' ? plainName(value) : value];
      }),
    ),
  );

const isParagraph = (part: LetterPart): part is Words => typeof part === 'string' || part instanceof Message;

export interface LetterContent {
  readonly letter: Letter;
  /** URL that unsubscribes the recipient from mail of this kind; unset for essential mail. */
  readonly stopUrl?: string;
  /** The language of the mail (`Language.code`); unset: the language of the marketplace. */
  readonly language?: string;
}

export type MailWords = LetterContent & { readonly subject: Words };

type Sender = Pick<Brand, 'name' | 'accent' | 'contact' | 'imprint' | 'privacy' | 'terms' | 'footer'>;

const textWith = (letter: Letter, below: readonly string[]): string =>
  `${[...letter.map(textOfPart), ...(below.length === 0 ? [] : [['--', ...below].join('\n')])].join('\n\n')}\n`;

const linkText = ([label, href]: readonly [label: string, href: string]): string =>
  `${label}:\n${href.replace(/^mailto:/, '')}`;

export const textOf = (brand: Sender, { letter, stopUrl }: LetterContent): string =>
  textWith(letter, [
    brand.name,
    ...(brand.footer === null ? [] : [brand.footer]),
    ...linksOf(brand, stopUrl).map(linkText),
  ]);

/** Without the signature, for operators who forward the text themselves. */
export const unsignedText = ({ letter, stopUrl }: LetterContent): string =>
  textWith(letter, stopUrl === undefined ? [] : [linkText([t('Unsubscribe from these emails'), stopUrl])]);

const linksOf = ({ contact, imprint, privacy, terms }: Sender, stopUrl: string | undefined) =>
  (
    [
      [t('Contact'), contact],
      [t('Legal notice'), imprint],
      [t('Privacy'), privacy],
      [t('Terms'), terms],
      [t('Unsubscribe from these emails'), stopUrl ?? null],
    ] as const
  ).flatMap(([label, href]) => (href === null ? [] : [[label, href] as const]));

function textOfPart(part: LetterPart): string {
  if (isParagraph(part)) return wordsOf(part);
  return 'code' in part ? part.code : linkText([wordsOf(part.link), part.href]);
}

const darkStyles = (accent: Accent): string => `@media (prefers-color-scheme: dark) {
  .back { background: ${DARK.paper} !important; color: ${DARK.ink} !important; }
  .sheet { background: ${DARK.surface} !important; border-color: ${DARK.line} !important; }
  .name { color: ${accent['accent-ink']} !important; }
  .code { background: ${DARK.sunken} !important; border-color: ${accent['accent-line']} !important; }
  .quiet { color: ${DARK['ink-soft']} !important; }
  .link { background: ${accent.accent} !important; color: ${accent['on-accent']} !important; }
  .more { color: ${accent['accent-ink']} !important; }
}`;

const FONT = "-apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
const MONO = 'ui-monospace, Menlo, Consolas, monospace';
const BELOW = 'margin: 0 0 20px';
/** Width of the sheet and of the lines above and below it. */
const WIDTH = 'max-width: 528px; margin: 0 auto';

/**
 * Styles are inline, because some mail clients remove `<style>`. `back`: a link at the top of a preview page; `null`
 * for a mail. A preview page also has a `<main>` landmark. A mail has none, because webmail embeds it in another page.
 */
export function htmlOf(
  brand: Sender,
  { subject, letter, stopUrl }: MailWords,
  back: readonly [href: string, label: string] | null = null,
): string {
  const { light, dark } = accentsOf(brand.accent);
  const [start, end] =
    back === null
      ? ['', '']
      : [
          html`<main><p lang="en" dir="ltr" style="${WIDTH}; padding: 0 24px 20px; font-size: 14px"><a class="more" href="${back[0]}" style="color: ${light['accent-ink']}">${back[1]}</a></p>`,
          raw('</main>'),
        ];
  const language = currentLanguage();
  const title = wordsOf(subject);
  // The first link is shown as a button; the others are plain links.
  const button = letter.find((part) => !isParagraph(part) && 'link' in part);
  return String(html`<!doctype html>
<html lang="${language.code}" dir="${language.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${raw(darkStyles(dark))}</style>
</head>
<body class="back" style="margin: 0; padding: 28px 12px; background: ${LIGHT.paper}; color: ${LIGHT.ink}; font: 16px/1.55 ${FONT}">${start}
<p class="name" dir="auto" style="${WIDTH}; padding: 0 24px 14px; color: ${light['accent-ink']}; font-weight: 700; letter-spacing: -0.01em">${brand.name}</p>
<div class="sheet" style="${WIDTH}; padding: 28px 24px 8px; background: ${LIGHT.surface}; border: 1px solid ${LIGHT.line}; border-radius: 12px; overflow-wrap: anywhere">
<h1 style="${BELOW}; font-size: 22px; font-weight: 700; line-height: 1.3; letter-spacing: -0.015em">${title}</h1>
${letter.map((part) => htmlOfPart(part, light, part === button))}
</div>
${signature(brand, stopUrl)}
${end}</body>
</html>
`);
}

function signature(brand: Sender, stopUrl: string | undefined) {
  const links = linksOf(brand, stopUrl).map(
    ([label, href]) =>
      html` · <a class="quiet" href="${href}" style="color: ${LIGHT['ink-soft']}">${label}</a>`,
  );
  const footer =
    brand.footer === null ? '' : html`<br><bdi style="white-space: pre-line">${brand.footer}</bdi>`;
  return html`<p class="quiet" dir="auto" style="${WIDTH}; padding: 16px 24px 0; color: ${LIGHT['ink-soft']}; font-size: 13px">${brand.name}${links}${footer}</p>`;
}

function htmlOfPart(part: LetterPart, accent: Accent, isButton: boolean) {
  if (isParagraph(part))
    return html`<p dir="auto" style="${BELOW}; white-space: pre-line">${wordsOf(part)}</p>
`;
  if ('code' in part)
    return html`<p class="code" translate="no" style="${BELOW}; padding: 14px 16px; background: ${LIGHT.sunken}; border: 1px dashed ${accent['accent-line']}; border-radius: 8px; font: 600 26px/1.3 ${MONO}; letter-spacing: 0.04em; text-align: center">${part.code}</p>
`;
  if (!isButton)
    return html`<p style="${BELOW}"><a class="more" href="${part.href}" style="color: ${accent['accent-ink']}">${wordsOf(part.link)}</a></p>
`;
  return html`<p style="${BELOW}"><a class="link" href="${part.href}" style="display: inline-block; padding: 11px 20px; background: ${accent.accent}; color: ${accent['on-accent']}; border-radius: 8px; text-decoration: none; font-weight: 600">${wordsOf(part.link)}</a></p>
`;
}
