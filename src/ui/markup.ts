import type { HtmlEscapedString } from 'hono/utils/html';

/** What a component makes: escaped HTML. */
export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;
