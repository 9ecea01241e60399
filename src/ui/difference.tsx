import { Breakable } from './breakable.tsx';

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

/** Words, spaces and single punctuation marks. */
const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+|\s+|[^\p{L}\p{N}\s]/gu) ?? [];

/** The earlier text with removed words marked, or the later text with added words marked. */
export function Changed(props: { before: string; after: string; side: 'before' | 'after' }) {
  const { head, before, after, tail } = differingPart(props.before, props.after);
  const part = props.side === 'before' ? before : after;
  const Marked = props.side === 'before' ? 'del' : 'ins';
  return (
    <span class="lines" dir="auto">
      <Breakable text={head} />
      {part !== '' && (
        <Marked>
          <Breakable text={part} />
        </Marked>
      )}
      <Breakable text={tail} />
    </span>
  );
}
