/** What a mail says, in parts, from which its text and its HTML (`letter-html.tsx`) are made. */

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

export const STOP = 'Stop mail like this';

function textOfPart(part: LetterPart): string {
  if (typeof part === 'string') return part;
  return 'code' in part ? part.code : `${part.link}:\n${part.href}`;
}
