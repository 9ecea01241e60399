import type { Child } from 'hono/jsx';
import {
  DASHBOARD_PATH,
  DOCS_PATH,
  DOCS_SEARCH_PATH,
  guidePath,
  requestPath,
  requestsPath,
} from '../../base/paths.ts';
import type { ListedAttempt } from '../../claims/attempts/search-queries.ts';
import { ERROR_PAGES_PATH } from '../../platform/errors.ts';
import { amountOf } from '../../platform/text/text.ts';
import { Name } from '../ui/breakable.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { EmptyState } from '../ui/notice.tsx';
import { Breadcrumb, PageHeader } from '../ui/page-header.tsx';
import { Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import type { Rendered } from './content.tsx';
import { markdownPath, REFERENCE_PAGE } from './guide.ts';
import type { DocPage, DocSection } from './library.ts';
import { type Heading, plainText, typographic } from './markdown.ts';
import { MAX_FOUND, type Piece, type SearchHit } from './search.ts';

/** Minimum number of headings of a page with a table of contents. */
const MIN_HEADINGS = 3;

/** If a page has more headings than this, the table of contents lists only the headings of the second level. */
const MAX_HEADINGS = 30;

interface DocMenuProps {
  readonly sections: readonly DocSection[];
  readonly path: string;
  /** `null`: without a search. */
  readonly query?: string | null;
}

/** In a narrow window, the list of pages is collapsed. */
export const DocMenu = ({ sections, path, query = '' }: DocMenuProps) => (
  <div class="doc-side">
    {query !== null && (
      <search>
        <form class="doc-search" method="get" action={DOCS_SEARCH_PATH}>
          <label class="visually-hidden" for="doc-query">
            Search the documentation
          </label>
          <input
            class="input"
            type="search"
            id="doc-query"
            name="q"
            value={query}
            placeholder="Search"
            autocomplete="off"
          />
          <Button small>
            <Icon name="search" />
            <span class="visually-hidden">Search</span>
          </Button>
        </form>
      </search>
    )}
    <nav aria-label="Documentation">
      <details class="more fold">
        <summary>All pages</summary>
        {sections.map(({ title, pages }) => (
          <>
            <p class="side-title">{title}</p>
            <ul>
              {pages.map((page) => (
                <li>
                  <a href={page.path} aria-current={currentness(page.path, path)}>
                    {page.title}
                  </a>
                </li>
              ))}
            </ul>
          </>
        ))}
      </details>
    </nav>
  </div>
);

/** Returns `aria-current` for the menu entry of `path`. On the page of an error, “Errors” is current. */
function currentness(path: string, currentPath: string): 'page' | 'true' | undefined {
  if (path === currentPath) return 'page';
  return path !== DOCS_PATH && currentPath.startsWith(`${path}/`) ? 'true' : undefined;
}

/** Pages that list pages below them, which the menu doesn't have. */
const PARENTS = [
  ['Errors', ERROR_PAGES_PATH],
  ['API reference', guidePath(REFERENCE_PAGE)],
] as const;

interface DocContentProps {
  readonly page: DocPage;
  readonly sections: readonly DocSection[];
  readonly rendered: Rendered;
  /** Shown between the lead and the rest of the page. */
  readonly above?: Child;
  /** Whether the page has a Markdown version. */
  readonly hasMarkdown?: boolean;
  readonly children?: Child;
}

export function DocContent(props: DocContentProps) {
  const { page, sections, rendered, above, hasMarkdown = true, children } = props;
  const headings = page.blocks.filter((block) => block.type === 'heading');
  const parent = PARENTS.find(([, path]) => page.path.startsWith(`${path}/`));
  const isLong = headings.length >= MIN_HEADINGS && parent?.[1] !== ERROR_PAGES_PATH;
  return (
    <div class={isLong ? 'doc with-contents' : 'doc'}>
      <PageHeader
        title={page.title}
        lead={rendered.lead}
        above={parent !== undefined && <Breadcrumb trail={[parent]} />}
      />
      {isLong && <Contents headings={headings} />}
      <div class="prose doc-prose">
        {above}
        {rendered.content}
        {children}
      </div>
      <Around page={page} sections={sections} hasMarkdown={hasMarkdown} />
    </div>
  );
}

function Contents({ headings }: { headings: readonly Heading[] }) {
  const listed = headings.length > MAX_HEADINGS ? headings.filter(({ depth }) => depth === 2) : headings;
  return (
    <nav class="doc-contents" aria-label="On this page">
      <details class="more fold">
        <summary>On this page</summary>
        <p class="side-title">On this page</p>
        <ul>
          {listed.map(({ id, depth, tokens }) => (
            <li class={depth === 3 ? 'deeper' : undefined}>
              <a href={`#${id}`}>
                <Name text={typographic(plainText(tokens))} />
              </a>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  );
}

function Around({ page, sections, hasMarkdown }: Pick<DocContentProps, 'page' | 'sections' | 'hasMarkdown'>) {
  const pages = sections.flatMap((section) => section.pages);
  const index = pages.indexOf(page);
  const previous = pages[index - 1];
  const next = index < 0 ? undefined : pages[index + 1];
  return (
    <div class="doc-end">
      <nav aria-label="Previous and next page">
        {previous !== undefined && (
          <a href={previous.path} rel="prev">
            <span>Previous</span>
            {previous.title}
          </a>
        )}
        {next !== undefined && (
          <a href={next.path} rel="next">
            <span>Next</span>
            {next.title}
          </a>
        )}
      </nav>
      {hasMarkdown && (
        <p>
          <a href={markdownPath(page.path)}>This page as Markdown</a>
        </p>
      )}
    </div>
  );
}

/** The way into the documentation for each role. */
export const Doors = ({ isSignedIn }: { isSignedIn: boolean }) => (
  <nav class="doors" aria-label="By role">
    <a href={isSignedIn ? DASHBOARD_PATH : guidePath('what-you-build')}>
      I publish an app
      <span>{isSignedIn ? 'The dashboard shows your next step.' : 'What an offer needs, step by step.'}</span>
    </a>
    <a href={guidePath('self-hosting')}>
      I run a marketplace
      <span>Install, set up, back up, upgrade and scale.</span>
    </a>
    <a href={guidePath('quickstart')}>
      I integrate
      <span>Make your first call in a minute, without an account.</span>
    </a>
  </nav>
);

interface OwnCasesProps {
  readonly code: string;
  readonly cases: readonly ListedAttempt[];
  /** Retention of the request log, in days. */
  readonly days: number;
}

export const OwnCases = ({ code, cases, days }: OwnCasesProps) => (
  <>
    <h2 id="your-latest-cases">Your latest calls with this error</h2>
    {cases.length === 0 ? (
      <p>None of your calls in the last {days === 1 ? 'day' : `${days} days`} got this error.</p>
    ) : (
      <>
        <Table
          caption="Your latest calls with this error"
          rows={cases}
          columns={[
            {
              header: 'When',
              isName: true,
              cell: ({ at, request_id }) => (
                <a href={requestPath(request_id)}>
                  <Time at={at} precision="second" />
                </a>
              ),
            },
            { header: 'API key', cell: ({ key_name }) => key_name ?? 'none' },
            { header: 'From', cell: ({ ip }) => ip ?? 'unknown' },
            { header: 'Request ID', cell: ({ request_id }) => <code>{request_id}</code> },
          ]}
        />
        <p>
          <a href={requestsPath({ code })}>See all in the request log</a>
        </p>
      </>
    )}
  </>
);

export const SearchPage = ({ query, hits }: { query: string; hits: readonly SearchHit[] }) => (
  <div class="doc">
    <PageHeader title="Search the documentation" lead={leadOf(query, hits.length)} />
    {hits.length === 0 ? (
      <EmptyState
        sentence="Search for any term, such as an error code, a header or a command."
        action={<ButtonLink href={DOCS_PATH}>Go to the documentation</ButtonLink>}
      />
    ) : (
      <ol class="doc-found">
        {hits.map(({ href, title, heading, excerpt }) => (
          <li>
            <h2>
              <a href={href}>
                <Pieces pieces={title} />
                {heading !== null && (
                  <>
                    {' › '}
                    <Pieces pieces={heading} />
                  </>
                )}
              </a>
            </h2>
            <p>
              <Pieces pieces={excerpt} />
            </p>
          </li>
        ))}
      </ol>
    )}
  </div>
);

function leadOf(query: string, count: number): string {
  if (query === '') return 'Enter a search term.';
  if (count === 0) return `No results for “${query}”.`;
  return count === MAX_FOUND
    ? `The ${MAX_FOUND} best results for “${query}”.`
    : `${amountOf(count, 'result')} for “${query}”.`;
}

const Pieces = ({ pieces }: { pieces: readonly Piece[] }) => (
  <>{pieces.map(({ text, isMarked }) => (isMarked ? <mark>{text}</mark> : text))}</>
);
