import type { HtmlEscapedString } from 'hono/utils/html';

export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

/** Joins the truthy tokens with spaces, for attributes such as `class`. Returns `undefined` if the result is empty. */
export const tokenList = (...tokens: readonly (string | false | null | undefined)[]): string | undefined =>
  tokens.filter(Boolean).join(' ') || undefined;
