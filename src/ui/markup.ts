import type { HtmlEscapedString } from 'hono/utils/html';

/** The result of a component: escaped HTML. */
export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

/** The given tokens with spaces between them, for attributes such as `class`; `undefined` if there are none. */
export const tokenList = (...tokens: readonly (string | false | null | undefined)[]): string | undefined =>
  tokens.filter(Boolean).join(' ') || undefined;
