import { lexer } from 'marked';
import { describe, expect, it } from 'vitest';
import { parsePage, plainText } from './markdown.ts';

const parse = (body: string) => parsePage(`# A page\n\nWhat it is about.\n\n${body}`, lexer);

describe('a page', () => {
  it('has a title, a paragraph about it, and blocks', () => {
    const { title, lead, blocks } = parse(
      '## One `part`\n\nText with **bold** and [a link](verify.md#answer).',
    );
    expect([title, plainText(lead)]).toEqual(['A page', 'What it is about.']);
    expect(blocks).toEqual([
      {
        kind: 'heading',
        depth: 2,
        id: 'one-part',
        children: [
          { kind: 'text', text: 'One ' },
          { kind: 'code', text: 'part' },
        ],
      },
      {
        kind: 'paragraph',
        isTight: false,
        children: [
          { kind: 'text', text: 'Text with ' },
          { kind: 'strong', children: [{ kind: 'text', text: 'bold' }] },
          { kind: 'text', text: ' and ' },
          { kind: 'link', href: 'verify.md#answer', children: [{ kind: 'text', text: 'a link' }] },
          { kind: 'text', text: '.' },
        ],
      },
    ]);
  });

  it('has anchors as code hosts make them, a number on the second of a name', () => {
    const { blocks } = parse('## GET shows a button, POST redeems\n\n## Fix\n\n## Fix');
    expect(blocks.map((block) => block.kind === 'heading' && block.id)).toEqual([
      'get-shows-a-button-post-redeems',
      'fix',
      'fix-1',
    ]);
  });

  it('has programs in several languages where a list has links to snippets and nothing else', () => {
    const { blocks } = parse('- [curl](../snippets/verify.sh)\n- [Go](../snippets/verify.go)');
    expect(blocks).toEqual([
      {
        kind: 'snippets',
        snippets: [
          { title: 'curl', programs: [{ name: null, file: 'verify.sh' }] },
          { title: 'Go', programs: [{ name: null, file: 'verify.go' }] },
        ],
      },
    ]);
    const several = '- Hono: [a.mjs](../snippets/a.mjs), [b.mjs](../snippets/b.mjs)';
    expect(parse(several).blocks).toEqual([
      {
        kind: 'snippets',
        snippets: [
          {
            title: 'Hono',
            programs: [
              { name: 'a.mjs', file: 'a.mjs' },
              { name: 'b.mjs', file: 'b.mjs' },
            ],
          },
        ],
      },
    ]);
    for (const other of [`${several} and more`, several.replace(', ', ' or '), '- Hono: text']) {
      expect(parse(other).blocks[0]?.kind, other).toBe('list');
    }
    expect(parse('- [curl](../snippets/verify.sh)\n- and more').blocks[0]?.kind).toBe('list');
  });

  it.each([
    ['raw HTML', '<b>bold</b>'],
    ['a block of HTML', '<script>\nalert(1)\n</script>'],
    ['a comment', '<!-- hidden -->'],
    ['a picture', '![A picture](picture.png)'],
    ['a heading of the fourth level', '#### Deep'],
    ['a second title', '# Again'],
    ['code without a fence', '    indented'],
    ['a character reference', 'this &amp; that'],
    ['a numeric character reference', 'an &#8217; apostrophe'],
    ['struck text', '~~gone~~'],
    ['a task', '- [ ] to do'],
  ])('is refused with %s', (_, body) => {
    expect(() => parse(body)).toThrow(expect.objectContaining({ name: 'UnfitMarkdown' }));
  });

  it.each([
    ['no title', 'Text.'],
    ['a list where the page is introduced', '# A page\n\n- a list'],
  ])('is refused with %s', (_, markdown) => {
    expect(() => parsePage(markdown, lexer)).toThrow(expect.objectContaining({ name: 'UnfitMarkdown' }));
  });
});
