/** The theme and the language that a person has chosen in this browser. They say nothing about the person. */
import { HOME_PATH, LANGUAGE_PATH, THEME_PATH } from '../../base/paths.ts';
import { cookieOf, dropCookie, setCookie } from '../../people/sign-in/sessions/cookies.ts';
import { parseLanguage } from '../../platform/languages/language.ts';
import { DAY_MS } from '../../platform/text/durations.ts';
import type { PageRouter } from '../frame/page-router.ts';
import { type FindDisplay, nextPath, readForm, redirect, returnPath } from '../frame/pages.ts';

const REMEMBERED_MS = 365 * DAY_MS;

/** The values of each cookie. Any other value deletes the cookie, as “Automatic” does. */
const PARSERS = {
  theme: (text: string) => (text === 'light' || text === 'dark' ? text : null),
  language: parseLanguage,
};

export const createFindDisplay =
  (baseUrl: string): FindDisplay =>
  (cookies = null) => ({
    theme: PARSERS.theme(cookieOf(baseUrl, cookies, 'theme') ?? ''),
    language: PARSERS.language(cookieOf(baseUrl, cookies, 'language') ?? ''),
  });

export function displayPages(app: PageRouter): void {
  for (const [path, name] of [
    [THEME_PATH, 'theme'],
    [LANGUAGE_PATH, 'language'],
  ] as const) {
    app.post(
      path,
      { for: 'anyone', counts: false, fromAnyAccount: true, whenDiskIsFull: true },
      async (c) => {
        const form = await readForm(c);
        const { baseUrl } = c.get('site');
        const value = PARSERS[name](form.text(name));
        c.header(
          'Set-Cookie',
          value === null ? dropCookie(baseUrl, name) : setCookie(baseUrl, name, value, REMEMBERED_MS),
        );
        return redirect(c, nextPath(form.text('next') || (returnPath(c) ?? undefined), HOME_PATH));
      },
    );
  }
}
