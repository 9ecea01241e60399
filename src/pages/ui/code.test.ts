import { expect, test } from 'vitest';
import { Highlighted } from './code.tsx';

const highlighted = async (language: string, text: string): Promise<string> =>
  String(await Highlighted({ text, language })?.toString());
const plain = (html: string): string => html.replaceAll(/<\/?span[^>]*>/g, '');
const partsOf = (html: string, kind: string): string[] =>
  [...html.matchAll(new RegExp(`<span class="${kind}">(.*?)</span>`, 'gs'))].map(([, text]) => text!);

test('syntax highlighting marks comments and strings and preserves the text', async () => {
  const js = await highlighted(
    'js',
    "get(`a {b}`); // it's\n/* 'c'\n */ const url = 'http://\\'x'; 4 / 2 // end",
  );
  expect(partsOf(js, 'comment')).toEqual(['// it&#39;s', '/* &#39;c&#39;\n */', '// end']);
  expect(partsOf(js, 'string')).toEqual(['`a {b}`', '&#39;http://\\&#39;x&#39;']);
  expect(plain(js)).toBe(
    'get(`a {b}`); // it&#39;s\n/* &#39;c&#39;\n */ const url = &#39;http://\\&#39;x&#39;; 4 / 2 // end',
  );
  const shell = await highlighted('sh', "curl https://x/#y -d '{\n}' # it's\necho $# don't");
  expect(partsOf(shell, 'comment')).toEqual(['# it&#39;s']);
  expect(partsOf(shell, 'string')).toEqual(['&#39;{\n}&#39;']);
  const json = await highlighted('json', '{ "a": "b:", "c": ["d", "e"], "f" : null }');
  expect(partsOf(json, 'string')).toEqual(['b:', 'd', 'e'].map((text) => `&quot;${text}&quot;`));
});

test('syntax highlighting escapes HTML in known and unknown languages', async () => {
  for (const language of ['', 'text', 'js', 'constructor']) {
    expect(plain(await highlighted(language, '<b>"<i>"</b> // <u>'))).toBe(
      '&lt;b&gt;&quot;&lt;i&gt;&quot;&lt;/b&gt; // &lt;u&gt;',
    );
  }
});
