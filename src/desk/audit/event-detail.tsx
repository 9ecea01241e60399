import type { Markup } from '../../ui/markup.ts';
import { Time } from '../../ui/time.tsx';
import type { EventWords } from './sentences.ts';

/** The second sentence of an event, its time in the zone of who reads it; nothing where there is none. */
export const EventDetail = ({ words: { detail, at } }: { words: EventWords }): Markup | null =>
  detail === null ? null : (
    <span class="lines">
      {detail}
      {at !== undefined && (
        <>
          {' '}
          <Time at={at} />.
        </>
      )}
    </span>
  );
