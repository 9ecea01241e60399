import * as marked from 'marked';
import { describe, expect, test } from 'vitest';
import { parsePage, plainText, snippetsOf } from './markdown.ts';

const parse = (body: string) => parsePage(`# A page\n\nWhat it is about.\n\n${body}`, marked);

describe('Markdown page', () => {
  test('is parsed into a title, a lead paragraph and blocks', () => {
    const { title, lead, blocks } = parse(
      '## One `part`\n\nText with **bold** and [a link](verify.md#answer).',
    );
    expect([title, plainText(lead)]).toEqual(['A page', 'What it is about.']);
    expect(blocks).toMatchObject([
      {
        type: 'heading',
        depth: 2,
        id: 'one-part',
        tokens: [
          { type: 'text', text: 'One ' },
          { type: 'codespan', text: 'part' },
        ],
      },
      {
        type: 'paragraph',
        tokens: [
          { type: 'text', text: 'Text with ' },
          { type: 'strong', tokens: [{ type: 'text', text: 'bold' }] },
          { type: 'text', text: ' and ' },
          { type: 'link', href: 'verify.md#answer', tokens: [{ type: 'text', text: 'a link' }] },
          { type: 'text', text: '.' },
        ],
      },
    ]);
  });

  test('has the same anchors as on GitHub, with a number if a heading repeats', () => {
    const { blocks } = parse('## GET shows a button, POST redeems\n\n## Fix\n\n## Fix');
    expect(blocks.flatMap((block) => (block.type === 'heading' ? block.id : []))).toEqual([
      'get-shows-a-button-post-redeems',
      'fix',
      'fix-1',
    ]);
  });

  test('treats a list as example programs only if each item is a snippet link, or a title and snippet links', () => {
    const snippetsIn = (body: string) => snippetsOf(parse(body).blocks[0]!);
    expect(snippetsIn('- [curl](../snippets/verify.sh)\n- [Go](../snippets/verify.go)')).toEqual([
      { title: 'curl', programs: [{ name: null, file: 'verify.sh' }] },
      { title: 'Go', programs: [{ name: null, file: 'verify.go' }] },
    ]);
    const several = '- Hono: [a.mjs](../snippets/a.mjs), [b.mjs](../snippets/b.mjs)';
    expect(snippetsIn(several)).toEqual([
      {
        title: 'Hono',
        programs: [
          { name: 'a.mjs', file: 'a.mjs' },
          { name: 'b.mjs', file: 'b.mjs' },
        ],
      },
    ]);
    for (const other of [`${several} and more`, several.replace(', ', ' or '), '- Hono: text']) {
      expect(snippetsIn(other), other).toBeNull();
    }
    expect(snippetsIn('- [curl](../snippets/verify.sh)\n- and more')).toBeNull();
  });

  test.each([
    ['raw HTML', '<b>bold</b>'],
    ['an HTML block', '<script>\nalert(1)\n</script>'],
    ['an HTML comment', '<!-- hidden -->'],
    ['a picture of another folder', '![A picture](picture.png)'],
    ['a picture of another site', '![A picture](https://example.com/../screenshots/a.png)'],
    ['a level 4 heading', '#### Deep'],
    ['a second level 1 heading', '# Again'],
    ['an indented code block', '    indented'],
    ['a character reference', 'this &amp; that'],
    ['a numeric character reference', 'an &#8217; apostrophe'],
    ['a character reference in a table', '| a |\n|---|\n| &copy; |'],
    ['a character reference in a list', '- this &amp; that'],
    ['strikethrough text', '~~gone~~'],
    ['a task list item', '- [ ] to do'],
  ])('is rejected if it contains %s', (_, body) => {
    expect(() => parse(body)).toThrow(expect.objectContaining({ name: 'UnfitMarkdown' }));
  });

  test.each([
    ['a title', 'Text.'],
    ['a lead paragraph', '# A page\n\n- a list'],
  ])('is rejected without %s', (_, markdown) => {
    expect(() => parsePage(markdown, marked)).toThrow(expect.objectContaining({ name: 'UnfitMarkdown' }));
  });
});
