import { capital } from '../text/text.ts';
import { Breakable } from './breakable.tsx';
import { Table } from './table.tsx';

interface Parts {
  readonly head: string;
  readonly before: string;
  readonly after: string;
  readonly tail: string;
}

/** The common beginning and end of two texts, and the differing middle, cut between words. */
export function differingPart(before: string, after: string): Parts {
  const [old, next] = [wordsOf(before), wordsOf(after)];
  let head = 0;
  while (head < old.length && head < next.length && old[head] === next[head]) head += 1;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < next.length - head &&
    old[old.length - 1 - tail] === next[next.length - 1 - tail]
  ) {
    tail += 1;
  }
  return {
    head: old.slice(0, head).join(''),
    before: old.slice(head, old.length - tail).join(''),
    after: next.slice(head, next.length - tail).join(''),
    tail: old.slice(old.length - tail).join(''),
  };
}

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+|\s+|[^\p{L}\p{N}\s]/gu) ?? [];

interface ShownDifference {
  readonly field: string;
  /** The earlier text and the later one; `null` or empty: none. */
  readonly approved: string | null;
  readonly proposed: string | null;
}

/** Two versions side by side, with what was removed and what was added marked. */
export const DifferenceTable = (props: {
  readonly differences: readonly ShownDifference[];
  readonly headers: readonly [before: string, after: string];
}) => (
  <Table
    caption="Differences"
    rows={props.differences}
    columns={[
      { header: 'Field', isName: true, cell: ({ field }) => capital(field) },
      { header: props.headers[0], cell: (difference) => <Side difference={difference} side="before" /> },
      { header: props.headers[1], cell: (difference) => <Side difference={difference} side="after" /> },
    ]}
  />
);

function Side({ difference, side }: { difference: ShownDifference; side: 'before' | 'after' }) {
  const { approved, proposed } = difference;
  const text = side === 'before' ? approved : proposed;
  if (!text) return <span class="quiet-text">nothing</span>;
  const parts = approved && proposed ? differingPart(approved, proposed) : { ...NO_PARTS, head: text };
  const Marked = side === 'before' ? 'del' : 'ins';
  return (
    <span class="lines" dir="auto">
      <Breakable text={parts.head} />
      {parts[side] !== '' && (
        <Marked>
          <Breakable text={parts[side]} />
        </Marked>
      )}
      <Breakable text={parts.tail} />
    </span>
  );
}

const NO_PARTS: Parts = { head: '', before: '', after: '', tail: '' };
