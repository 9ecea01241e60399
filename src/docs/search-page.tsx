/** The documentation's search results. */

import { amountOf } from '../text/text.ts';
import { ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/notice.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { DOCS_PATH } from './guide.ts';
import { type Found, MAX_FOUND, type Piece } from './search.ts';

/** `query`: as typed. */
export const SearchPage = ({ query, found }: { query: string; found: readonly Found[] }) => (
  <div class="doc">
    <PageHeader title="Search the documentation" lead={leadOf(query, found.length)} />
    {found.length === 0 ? (
      <EmptyState
        sentence="Search for a word from an error, a header or a command."
        action={<ButtonLink href={DOCS_PATH}>Go to the documentation</ButtonLink>}
      />
    ) : (
      <ol class="doc-found">
        {found.map(({ href, title, heading, excerpt }) => (
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
    ? `The ${MAX_FOUND} best sections for “${query}”.`
    : `${amountOf(count, 'section')} for “${query}”.`;
}

const Pieces = ({ pieces }: { pieces: readonly Piece[] }) => (
  <>{pieces.map(({ text, isMarked }) => (isMarked ? <mark>{text}</mark> : text))}</>
);
