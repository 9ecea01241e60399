/** A browser that translates a page changes nothing that a person has to copy: codes, keys, labels, tokens, IDs and URLs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { htmlOf } from '../../src/people/mail/letter.ts';
import { message } from '../../src/platform/languages/translate.ts';
import { pagesOf } from './every-page.ts';
import { openWholeSite, type WholeSite } from './whole-site.ts';

let site: WholeSite;
beforeAll(async () => {
  site = await openWholeSite('sqlite');
});
afterAll(() => site?.close());

/** Elements whose text no browser translates, or whose text nobody copies. */
const UNTRANSLATED = new Set(['code', 'pre', 'kbd', 'textarea', 'option', 'title', 'script', 'style']);
const VOID = new Set([
  'meta',
  'link',
  'input',
  'br',
  'wbr',
  'img',
  'hr',
  'source',
  'path',
  'circle',
  'rect',
  'use',
]);

/** Codes and labels of the sample data. */
const TEXTS = ['SPRING20', 'THREE', 'newsletter', 'podcast', 'order 1'];
const FORMATS = [
  /(?:clm|cck|cko|whsec|req|evt|clt)_\w{4,}/,
  /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/,
  /https?:\/\/\S/,
  /\{claim\}/,
];

/** Texts outside elements with `translate="no"`. */
function translatedTexts(html: string): readonly string[] {
  const open: { readonly name: string; readonly isKept: boolean }[] = [];
  const texts: string[] = [];
  for (const [tag, closing, name, attributes] of html.matchAll(/<(\/?)([a-z][\w-]*)([^>]*)>|[^<]+/g)) {
    if (name === undefined) {
      if (open.at(-1)?.isKept !== true) texts.push(tag);
    } else if (closing === '/') {
      while (open.length > 0 && open.pop()!.name !== name);
    } else if (!VOID.has(name) && !tag.endsWith('/>')) {
      const isKept =
        open.at(-1)?.isKept === true || UNTRANSLATED.has(name) || attributes!.includes('translate="no"');
      open.push({ name, isKept });
    }
  }
  return texts;
}

const isToCopy = (text: string): boolean =>
  TEXTS.some((known) => text.split(/[^\w]/).includes(known)) || FORMATS.some((format) => format.test(text));

test('finds a code that a browser would translate', () => {
  const texts = translatedTexts('<p>Your code: <b>SPRING20</b> <i translate="no">SPRING20</i></p>');
  expect(texts.filter(isToCopy)).toEqual(['SPRING20']);
});

test('no page shows a code, key, label, token, ID or URL that a browser would translate', async () => {
  const faults: string[] = [];
  for (const { name, path, person } of pagesOf(site, true)) {
    if (path.startsWith('/docs')) continue;
    const { text } = await site.request(person, 'GET', path);
    for (const translated of translatedTexts(text)) {
      if (isToCopy(translated)) faults.push(`${name}: ${translated.trim()}`);
    }
  }
  expect(faults).toEqual([]);
}, 60_000);

test('pages that show a secret once do not let a browser translate it', async () => {
  const { person } = site.people.owner;
  const key = await person.post('/dashboard/settings/keys', { name: 'Once', mode: 'live', expires: '' });
  const invitation = await person.post('/dashboard/settings/members', { email: '', role: 'member' });
  const texts = [key.text, invitation.text];
  expect(texts).toEqual([expect.stringMatching(/cck_live_\w{30}/), expect.stringMatching(/invitation\/?#/)]);
  expect(texts.flatMap((text) => translatedTexts(text).filter(isToCopy))).toEqual([]);
});

test('the code in a mail is not translated', () => {
  const letter = [message('Your code:'), { code: 'SPRING20' }];
  const brand = { ...site.context.marketplace.brand };
  const html = htmlOf(brand, { subject: message('Sign in'), letter });
  expect(html).toContain('SPRING20');
  expect(translatedTexts(html.slice(html.indexOf('<body'))).filter(isToCopy)).toEqual([]);
});
