/** The frame of a list with filters that is searched page by page. */
import { amountOf } from '../text.ts';
import { ButtonLink } from './button.tsx';
import type { Markup } from './markup.ts';
import { Notice } from './notice.tsx';
import { Time } from './time.tsx';

/** In place of the results where a filter is invalid. */
export const InvalidFilters = ({
  problems,
}: {
  problems: Readonly<Record<string, string | undefined>>;
}): Markup => (
  <Notice tone="bad" title="Nothing was searched">
    <ul>
      {Object.values(problems).map((problem) => (
        <li>{problem}</li>
      ))}
    </ul>
  </Notice>
);

/** Which part of the list a page shows. */
export function shownText(shown: number, noun: string, isFirst: boolean, hasMore: boolean): string {
  if (shown === 0) return 'None so far';
  const amount = amountOf(shown, noun);
  if (!isFirst) return hasMore ? `The next ${amount}, older` : `The last ${amount}, the oldest`;
  return hasMore ? `The newest ${amount}` : `${amount}, the newest first`;
}

/** Below a page that ended before it was full, because each search reads a limited number of rows. */
export const SearchedUntil = ({
  isEmpty,
  until,
  further,
  newest,
}: {
  isEmpty: boolean;
  until: string;
  /** Address of the next page. */
  further: string;
  newest: Markup | null;
}): Markup => (
  <Notice
    title={isEmpty ? 'No match so far' : 'There may be more'}
    actions={
      <ButtonLink href={further} small>
        Look further back
      </ButtonLink>
    }
  >
    Everything since <Time at={until} precision="second" /> was searched. {newest}
  </Notice>
);
