/** The blocks of a page of the documentation as markup. */
import { ERROR_PAGES_PATH } from '../http/operations/problem.ts';
import { Breakable } from '../ui/breakable.tsx';
import { Code, ExternalLink, SaveButton } from '../ui/code.tsx';
import type { Markup } from '../ui/markup.ts';
import { isErrorCode } from './error-pages.ts';
import { type Filling, fill, fillProgram } from './fill.ts';
import { pathOf } from './guide.ts';
import { type Block, type Inline, type Program, plainText, type Snippet } from './markdown.ts';

/** What is needed to render the parts of a page. */
export interface View extends Filling {
  /** Of the page. */
  readonly path: string;
  readonly snippets: ReadonlyMap<string, string>;
}

export const Content = ({ blocks, view }: { blocks: readonly Block[]; view: View }): Markup => (
  <>
    {blocks.map((block, place) => (
      <BlockOf block={block} label={labelOf(blocks, place)} view={view} />
    ))}
  </>
);

interface BlockProps {
  readonly block: Block;
  /** What a screen reader calls a table or a group of snippets. */
  readonly label: string;
  readonly view: View;
}

function BlockOf({ block, label, view }: BlockProps): Markup {
  const inline = (children: readonly Inline[]): Markup => <Inlines parts={children} view={view} />;
  switch (block.kind) {
    case 'heading': {
      const { id, depth, children } = block;
      const Level = depth === 2 ? 'h2' : 'h3';
      return (
        <Level id={id}>
          {inline(children)}
          <a class="anchor" href={`#${id}`} aria-label={`Link to “${plainText(children)}”`}>
            #
          </a>
        </Level>
      );
    }
    case 'paragraph':
      return block.isTight ? inline(block.children) : <p>{inline(block.children)}</p>;
    case 'list': {
      const List = block.isOrdered ? 'ol' : 'ul';
      return (
        <List>
          {block.items.map((item) => (
            <li>
              <Content blocks={item} view={view} />
            </li>
          ))}
        </List>
      );
    }
    case 'table':
      return <DocTable {...block} label={label} view={view} />;
    case 'code':
      return (
        <Code
          what={block.language === 'sh' ? 'the command' : 'the example'}
          text={fill(block.text, view)}
          language={block.language}
        />
      );
    case 'quote':
      return (
        <blockquote>
          <Content blocks={block.children} view={view} />
        </blockquote>
      );
    case 'snippets':
      return <Snippets {...block} label={label} view={view} />;
  }
}

/** The heading above a block. Further blocks of the same kind below that heading get a number. */
function labelOf(blocks: readonly Block[], place: number): string {
  const at = blocks.slice(0, place).findLastIndex(({ kind }) => kind === 'heading');
  const heading = blocks[at];
  const text = heading?.kind === 'heading' ? plainText(heading.children) : 'This page';
  const earlier = blocks.slice(at + 1, place).filter(({ kind }) => kind === blocks[place]!.kind).length;
  return earlier === 0 ? text : `${text} (${earlier + 1})`;
}

type TableProps = Extract<Block, { kind: 'table' }> & { readonly label: string; readonly view: View };

/** A table that is too wide for the window scrolls, so it must be reachable by keyboard. */
function DocTable({ header, rows, label, view }: TableProps): Markup {
  const scrolling = { role: 'region', tabindex: 0, 'aria-label': label } as const;
  return (
    <div class="doc-table" {...scrolling}>
      <table>
        <thead>
          <tr>
            {header.map((cell) => (
              <th scope="col">
                <Inlines parts={cell} view={view} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {row.map((cell) => (
                <td>
                  <Inlines parts={cell} view={view} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface SnippetsProps {
  readonly snippets: readonly Snippet[];
  readonly label: string;
  readonly view: View;
}

/**
 * One program in several languages. Radio buttons and styles show one of them at a time, without JavaScript. The script
 * of pages selects the one chosen last: by the title of its radio button, or else by the ending of its files.
 */
function Snippets({ snippets, label, view }: SnippetsProps): Markup {
  const group = label.replaceAll(/\W+/g, '-');
  return (
    <fieldset class="snippets">
      <legend class="visually-hidden">{label}: language</legend>
      {snippets.map(({ title, programs }, place) => {
        const id = `${group}-${place}`;
        return (
          <>
            <input
              type="radio"
              name={group}
              id={id}
              value={title}
              data-language={programs[0]!.file.split('.').at(-1)}
              checked={place === 0}
              autocomplete="off"
            />
            <label for={id}>{title}</label>
            <div class="programs">
              {programs.map(({ name, file }) => (
                <ProgramOf {...{ title, name, file, view }} />
              ))}
            </div>
          </>
        );
      })}
    </fieldset>
  );
}

interface ProgramProps extends Program {
  readonly title: string;
  readonly view: View;
}

function ProgramOf({ title, name, file, view }: ProgramProps): Markup {
  const text = fillProgram(view.snippets.get(file) ?? '', view);
  const language = file.split('.').at(-1)!;
  if (name === null) return <Code what={`the ${title} program`} text={text} language={language} />;
  const shown = fillProgram(name, view);
  return (
    <div class="program">
      <div class="spread">
        <p class="side-title">
          <Breakable text={shown} />
        </p>
        {!file.endsWith('.sh') && (
          <SaveButton text={null} file={shown.split('/').at(-1)!} small>
            Download <span class="visually-hidden">{shown}</span>
          </SaveButton>
        )}
      </div>
      <Code what={shown} text={text} language={language} />
    </div>
  );
}

interface InlinesProps {
  readonly parts: readonly Inline[];
  readonly view: View;
  /** The parts are the text of a link, which must not contain another link. */
  readonly isInLink?: boolean;
}

export const Inlines = ({ parts, ...given }: InlinesProps): Markup => (
  <>
    {parts.map((part) => (
      <InlineOf part={part} {...given} />
    ))}
  </>
);

type InlineProps = Omit<InlinesProps, 'parts'> & { readonly part: Inline };

function InlineOf({ part, view, isInLink = false }: InlineProps): Markup {
  switch (part.kind) {
    case 'text':
      return <>{fill(part.text, view)}</>;
    case 'code':
      return <InlineCode text={fill(part.text, view)} view={view} isInLink={isInLink} />;
    case 'strong':
      return (
        <strong>
          <Inlines parts={part.children} view={view} isInLink={isInLink} />
        </strong>
      );
    case 'em':
      return (
        <em>
          <Inlines parts={part.children} view={view} isInLink={isInLink} />
        </em>
      );
    case 'link': {
      const path = pathOf(part.href);
      const shown = <Inlines parts={part.children} view={view} isInLink />;
      return path === null ? (
        <ExternalLink href={fill(part.href, view)}>{shown}</ExternalLink>
      ) : (
        <a href={path}>{shown}</a>
      );
    }
  }
}

/** The code of an error leads to the page about it. */
function InlineCode({ text, view, isInLink }: { text: string; view: View; isInLink: boolean }): Markup {
  const path = `${ERROR_PAGES_PATH}/${text}`;
  const code = (
    <code>
      <Breakable text={text} />
    </code>
  );
  return isErrorCode(text) && !isInLink && path !== view.path ? <a href={path}>{code}</a> : code;
}
