import { Breakable } from './breakable.tsx';
import type { Markup } from './markup.ts';

interface Parts {
  readonly head: string;
  readonly before: string;
  readonly after: string;
  readonly tail: string;
}

/** What two texts begin and end with alike, and what differs between, cut at the borders of words. */
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

/** Words, the space between them, and each mark by itself. */
const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+|\s+|[^\p{L}\p{N}\s]/gu) ?? [];

/** The earlier text with what went marked, or the later one with what came. */
export function Changed(props: { before: string; after: string; side: 'before' | 'after' }): Markup {
  const { head, before, after, tail } = differingPart(props.before, props.after);
  const part = props.side === 'before' ? before : after;
  const Marked = props.side === 'before' ? 'del' : 'ins';
  return (
    <span class="lines">
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
