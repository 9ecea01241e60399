import { t, type Words, wordsOf } from '../../platform/languages/translate.ts';
import { capital } from '../../platform/text/text.ts';
import { Breakable } from './breakable.tsx';
import { Table } from './table.tsx';

interface Parts {
  readonly head: string;
  readonly before: string;
  readonly after: string;
  readonly tail: string;
}

/** Splits two texts at word boundaries into their common start, their differing middle and their common end. */
export function differingPart(before: string, after: string): Parts {
  const [old, next] = [partsOf(before), partsOf(after)];
  const head = commonStart(old, next);
  const tail = commonStart(old.slice(head).reverse(), next.slice(head).reverse());
  return {
    head: old.slice(0, head).join(''),
    before: old.slice(head, old.length - tail).join(''),
    after: next.slice(head, next.length - tail).join(''),
    tail: old.slice(old.length - tail).join(''),
  };
}

function commonStart(one: readonly string[], other: readonly string[]): number {
  const differs = one.findIndex((word, index) => word !== other[index]);
  return differs === -1 ? one.length : differs;
}

const partsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+|\s+|[^\p{L}\p{N}\s]/gu) ?? [];

interface ShownDifference {
  readonly field: Words;
  /** The earlier text; `null` or empty if there is none. */
  readonly approved: string | null;
  /** The later text; `null` or empty if there is none. */
  readonly proposed: string | null;
}

export const DifferenceTable = (props: {
  readonly differences: readonly ShownDifference[];
  readonly headers: readonly [before: string, after: string];
}) => (
  <Table
    caption={t('Differences')}
    rows={props.differences}
    columns={[
      { header: t('Field'), isName: true, cell: ({ field }) => capital(wordsOf(field)) },
      { header: props.headers[0], cell: (difference) => <Side difference={difference} side="before" /> },
      { header: props.headers[1], cell: (difference) => <Side difference={difference} side="after" /> },
    ]}
  />
);

function Side({ difference, side }: { difference: ShownDifference; side: 'before' | 'after' }) {
  const { approved, proposed } = difference;
  const text = side === 'before' ? approved : proposed;
  if (!text) return <span class="quiet-text">{t('nothing')}</span>;
  const parts = approved && proposed ? differingPart(approved, proposed) : { ...NO_PARTS, head: text };
  const Marked = side === 'before' ? 'del' : 'ins';
  return (
    <span class="plain-text" dir="auto" translate={/^https?:/.test(text) ? 'no' : undefined}>
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
