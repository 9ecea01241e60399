/** The theme that a person has chosen in this browser. It says nothing about the person, so anybody may choose one. */
import { HOME_PATH, THEME_PATH } from '../../base/paths.ts';
import { cookieOf, dropCookie, setCookie } from '../../people/sign-in/sessions/cookies.ts';
import { DAY_MS } from '../../platform/text/durations.ts';
import type { PageRouter } from '../frame/page-router.ts';
import { type FindTheme, nextPath, readForm, redirect, returnPath } from '../frame/pages.ts';

const REMEMBERED_MS = 365 * DAY_MS;

export const createFindTheme =
  (baseUrl: string): FindTheme =>
  (cookies) => {
    const theme = cookies === undefined ? null : cookieOf(baseUrl, cookies, 'theme');
    return theme === 'light' || theme === 'dark' ? theme : null;
  };

export function themePages(app: PageRouter): void {
  app.post(
    THEME_PATH,
    { for: 'anyone', counts: false, fromAnyAccount: true, whenDiskIsFull: true },
    async (c) => {
      const form = await readForm(c);
      const { baseUrl } = c.get('site');
      const theme = form.text('theme');
      const cookie =
        theme === 'light' || theme === 'dark'
          ? setCookie(baseUrl, 'theme', theme, REMEMBERED_MS)
          : dropCookie(baseUrl, 'theme');
      c.header('Set-Cookie', cookie);
      return redirect(c, nextPath(form.text('next') || (returnPath(c) ?? undefined), HOME_PATH));
    },
  );
}
