/** What stands around every page. */
import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { SCRIPTS, type ScriptName, STYLE_SHEET } from './assets.ts';
import type { Markup } from './markup.ts';
import type { Site, Viewer } from './viewer.ts';

/** Whose work a page is for. `bare`: one decision and nothing around it, such as signing in. */
export type Audience = 'public' | 'dashboard' | 'desk' | 'bare';

export interface ShellProps {
  readonly title: string;
  readonly site: Site;
  readonly viewer: Viewer | null;
  /** Of the page, to mark it in the navigation. */
  readonly path: string;
  readonly audience: Audience;
  readonly scripts: readonly ScriptName[];
  readonly children: Child;
}

export function Shell(props: ShellProps): Markup {
  return (
    <>
      {raw('<!doctype html>')}
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>{`${props.title} · Claimcheck`}</title>
          <link rel="stylesheet" href={STYLE_SHEET.path} />
          <script type="module" src={SCRIPTS.app.path} />
        </head>
        <body>
          <main>{props.children}</main>
        </body>
      </html>
    </>
  );
}
