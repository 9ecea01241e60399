import type { HtmlEscapedString } from 'hono/utils/html';

/** The result of a component: escaped HTML. */
export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;
