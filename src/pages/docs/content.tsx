import { html, raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { Tokens } from 'marked';
import { errorPagePath } from '../../base/paths.ts';
import { isErrorCode } from '../../platform/errors.ts';
import { Breakable, Name, WholeParts } from '../ui/breakable.tsx';
import { Code, CopyButton, ExternalLink, More, SaveButton } from '../ui/code.tsx';
import type { Markup } from '../ui/markup.ts';
import { TableHead } from '../ui/table.tsx';
import { type Filling, fill, fillProgram } from './fill.ts';
import { type PictureSize, pageOf, pathOf } from './guide.ts';
import {
  type Block,
  type Heading,
  type MarkdownPage,
  plainText,
  type Snippet,
  snippetsOf,
  typographic,
} from './markdown.ts';

export interface View extends Filling {
  readonly path: string;
  readonly snippets: ReadonlyMap<string, string>;
  readonly pictures: ReadonlyMap<string, PictureSize>;
}

export interface Rendered {
  readonly lead: Markup;
  readonly content: Markup;
}

export async function renderPage({ lead, blocks }: MarkdownPage, view: View): Promise<Rendered> {
  const { Parser } = await import('marked');
  const parser = new Parser({ renderer: await createRenderer(view, responsesIn(blocks)) });
  return { lead: raw(parser.parseInline([...lead])), content: raw(parser.parse([...blocks])) };
}

/** The JSON blocks that directly follow an `sh` block. They show the output of the command. */
const responsesIn = (blocks: readonly Block[]): ReadonlySet<Tokens.Generic> =>
  new Set(
    blocks.filter((block, index) => {
      const before = blocks[index - 1];
      return (
        block.type === 'code' && block.lang === 'json' && before?.type === 'code' && before.lang === 'sh'
      );
    }),
  );

const SETTING_NAME = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)*$/;
/** Matches the HTML of the first sentence about a setting: `Default: …` or `Required with …`. */
const DEFAULT = /^(?:Default:|Required with) (?:<code>[^<]*<\/code>|[^.<])+\./;

const CAPTIONS: ReadonlyMap<string, string> = new Map([
  ['sh', 'In a terminal'],
  ['json', 'JSON'],
]);

const htmlOf = (markup: Markup): string => markup.toString() as string;

async function createRenderer(view: View, responses: ReadonlySet<Tokens.Generic>) {
  const { Renderer } = await import('marked');
  const labels = createLabels();
  /** True while a link's text is rendered, so that an error code in the text doesn't become a nested link. */
  let isInLink = false;

  return new (class extends Renderer {
    override heading(token: Tokens.Heading): string {
      const { id, depth, tokens } = token as Heading;
      const Level = depth === 2 ? 'h2' : 'h3';
      const text = plainText(tokens);
      labels.startSection(text);
      return htmlOf(
        <Level id={id}>
          {SETTING_NAME.test(text) ? (
            <span class="mono" translate="no">
              <Name text={text} />
            </span>
          ) : (
            raw(this.parser.parseInline(tokens))
          )}
          <a class="anchor" href={`#${id}`} aria-label={`Link to “${text}”`}>
            #
          </a>
        </Level>,
      );
    }

    /** Puts the default of a setting on a separate line. */
    override paragraph({ tokens }: Tokens.Paragraph): string {
      const inside = this.parser.parseInline(tokens);
      return `<p>${inside.replace(DEFAULT, '<span class="sub">$&</span>')}</p>`;
    }

    override list(token: Tokens.List): string {
      const snippets = snippetsOf(token);
      if (snippets === null) return super.list(token);
      return htmlOf(<Snippets snippets={snippets} label={labels.next('snippets')} view={view} />);
    }

    override table({ header, rows }: Tokens.Table): string {
      const inside = ({ tokens }: Tokens.TableCell) => raw(this.parser.parseInline(tokens));
      return htmlOf(<DocTable {...{ header, rows, inside }} label={labels.next('table')} />);
    }

    override code(token: Tokens.Code): string {
      const { text, lang = '' } = token;
      const what = lang === 'sh' ? 'the command' : 'the example';
      return htmlOf(
        <div class="program">
          {responses.has(token) ? (
            <p class="side-title">Response</p>
          ) : (
            <Caption text={CAPTIONS.get(lang) ?? 'Example'} what={what} />
          )}
          <Code text={fill(text, view)} language={lang} />
        </div>,
      );
    }

    override text(token: Tokens.Text | Tokens.Escape): string {
      if ('tokens' in token && token.tokens) return this.parser.parseInline(token.tokens);
      return htmlOf(html`${typographic(fill(token.text.replaceAll('\n', ' '), view))}`);
    }

    override codespan({ text }: Tokens.Codespan): string {
      const filled = fill(text, view);
      const path = errorPagePath(filled);
      const code = (
        <code>
          <WholeParts text={filled} />
        </code>
      );
      const isLink = isErrorCode(filled) && !isInLink && path !== view.path;
      return htmlOf(isLink ? <a href={path}>{code}</a> : code);
    }

    override image({ href, text }: Tokens.Image): string {
      const path = pageOf(href)!;
      return htmlOf(
        <img class="doc-picture" src={path} alt={text} {...view.pictures.get(path)} loading="lazy" />,
      );
    }

    override link({ href, tokens }: Tokens.Link): string {
      isInLink = true;
      const text = raw(this.parser.parseInline(tokens));
      isInLink = false;
      const path = pathOf(href);
      return htmlOf(
        path === null ? (
          <ExternalLink href={fill(href, view)}>{text}</ExternalLink>
        ) : (
          <a href={path}>{text}</a>
        ),
      );
    }
  })();
}

/** Maximum number of characters in each cell of a column whose text doesn't wrap. */
const MAX_NARROW = 14;

interface DocTableProps extends Pick<Tokens.Table, 'header' | 'rows'> {
  readonly label: string;
  readonly inside: (cell: Tokens.TableCell) => Markup;
}

/** Shows rows as cards in a narrow window. A wide table scrolls, so it must be focusable by keyboard. */
function DocTable({ header, rows, label, inside }: DocTableProps) {
  const classes = header.map((_, column) =>
    [...rows, header].every((row) => plainText(row[column]?.tokens).length <= MAX_NARROW)
      ? 'keep'
      : undefined,
  );
  /**
   * The first cell of a row, cells with code and empty cells need no label. The last cell, usually an explanation, needs
   * one only after a labelled cell of the same width, such as the figures of two databases.
   */
  const labelOf = (row: readonly Tokens.TableCell[], column: number): string | undefined => {
    const [first] = row[column]!.tokens;
    if (column === 0 || first === undefined || first.type === 'codespan') return undefined;
    const isExplanation = classes[column] !== classes[column - 1] || labelOf(row, column - 1) === undefined;
    return column === header.length - 1 && isExplanation ? undefined : plainText(header[column]?.tokens);
  };
  return (
    <section class="table-box doc-table" tabindex={0} aria-label={label}>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: the styles that show cards remove the implicit table roles */}
      <table class="table" role="table">
        <TableHead
          cells={header.map((cell, column) => ({ content: inside(cell), class: classes[column] }))}
        />
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr role="row">
              {row.map((cell, column) => (
                <td role="cell" class={classes[column]} data-label={labelOf(row, column)}>
                  <span>{inside(cell)}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above */}
    </section>
  );
}

/** A block is named after the heading above it; the second and later ones of a kind get a number. */
function createLabels() {
  let heading = 'This page';
  let counts: Record<string, number> = {};
  return {
    startSection(text: string): void {
      heading = text;
      counts = {};
    },
    next(kind: string): string {
      const count = (counts[kind] ?? 0) + 1;
      counts[kind] = count;
      return count === 1 ? heading : `${heading} (${count})`;
    },
  };
}

/**
 * One program in several languages. Radio buttons switch between the languages with CSS only. A script restores the
 * reader's last choice: the snippet with the same title, or else a snippet in the same language.
 */
function Snippets({ snippets, label, view }: { snippets: readonly Snippet[]; label: string; view: View }) {
  const group = label.replaceAll(/\W+/g, '-');
  return (
    <fieldset class="snippets">
      <legend class="visually-hidden">{label}: language</legend>
      {snippets.map(({ title, programs }, index) => {
        const id = `${group}-${index}`;
        return (
          <>
            <input
              type="radio"
              name={group}
              id={id}
              value={title}
              data-language={programs[0]!.file.split('.').at(-1)}
              checked={index === 0}
              autocomplete="off"
            />
            <label for={id}>{title}</label>
            <div class="programs">
              {programs.map((program) => (
                <Program {...program} title={title} view={view} />
              ))}
            </div>
          </>
        );
      })}
    </fieldset>
  );
}

type ProgramProps = Snippet['programs'][number] & {
  readonly title: string;
  readonly view: View;
};

/** Shows only the beginning of a file until the reader expands the file. */
function Program({ title, name, file, view }: ProgramProps) {
  const text = fillProgram(view.snippets.get(file) ?? '', view);
  const language = file.split('.').at(-1)!;
  const filledProgram = fillProgram(name ?? file, view);
  const isFile = name === null || language !== 'sh';
  return (
    <div class="program">
      <Caption text={filledProgram} what={name === null ? `the ${title} program` : filledProgram}>
        {isFile && (
          <SaveButton text={null} file={filledProgram.split('/').at(-1)!} small>
            Download <span class="visually-hidden">{filledProgram}</span>
          </SaveButton>
        )}
      </Caption>
      <Code text={text} language={language} />
      {isFile && (
        <More
          summary={
            <>
              <span class="opens">Show all {text.trimEnd().split('\n').length} lines</span>
              <span class="closes">Show fewer lines</span>
            </>
          }
        >
          {null}
        </More>
      )}
    </div>
  );
}

/** The title and buttons of a code block. Buttons inside the block would cover the code or scroll with it. */
const Caption = ({ text, what, children }: { text: string; what: string; children?: Child }) => (
  <div class="spread">
    <p class="side-title">
      <Breakable text={text} />
    </p>
    <div class="row">
      {children}
      <CopyButton text={null} what={what} />
    </div>
  </div>
);
