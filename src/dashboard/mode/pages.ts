/** The switch between live and test data; the browser remembers it in a cookie. */
import { modeCookieName, setCookie } from '../../accounts/cookies.ts';
import {
  nextPath,
  type PageApp,
  readForm,
  redirect,
  requireViewer,
  returnPath,
} from '../../http/pages/pages.ts';
import { parseKeyMode } from '../../keys/key.ts';
import { DAY_MS } from '../../text/durations.ts';
import { MODE_PATH } from '../../ui/mode-switch.tsx';

const REMEMBERED_MS = 365 * DAY_MS;

/** Parameters to remove: a cursor is valid in one mode only, and a mode in the address would override the new one. */
const OF_ONE_MODE = ['after', 'mode'];

export function modePages(app: PageApp): void {
  app.post(MODE_PATH, async (c) => {
    requireViewer(c);
    const form = await readForm(c);
    const mode = parseKeyMode(form.text('mode'));
    const { baseUrl } = c.get('site');
    const next = new URL(nextPath(form.text('next') || (returnPath(c) ?? undefined), '/dashboard'), baseUrl);
    for (const name of OF_ONE_MODE) next.searchParams.delete(name);
    c.header('Set-Cookie', setCookie(baseUrl, modeCookieName(baseUrl), mode, REMEMBERED_MS));
    return redirect(c, next.pathname + next.search);
  });
}
