import { useContext } from 'hono/jsx';
import { Breakable } from '../../ui/breakable.tsx';
import { Timeline } from '../../ui/facts.tsx';
import { Time, TimeZone } from '../../ui/time.tsx';
import { actorName, type EventNames, listingSlugOf } from './name-queries.ts';
import { describeEvent, type EventWords, type LoggedEvent } from './sentences.ts';

/** An event in words, with the names of its actor and its listing, and times in the zone of the page. */
export const wordsOf = (names: EventNames, event: LoggedEvent): EventWords =>
  describeEvent(event, actorName(names, event.actor), {
    listing: names.listings.get(listingSlugOf(event) ?? ''),
    zone: useContext(TimeZone),
  });

/** The details of an event, with the time in the reader's zone; `null` without details. */
export const EventDetail = ({ words: { detail, at } }: { words: EventWords }) =>
  detail === null ? null : (
    <span class="plain-text">
      {detail}
      {at !== undefined && (
        <>
          {' '}
          <Time at={at} />.
        </>
      )}
    </span>
  );

interface EventTimelineProps {
  readonly events: readonly LoggedEvent[];
  readonly names: EventNames;
  readonly bad?: ReadonlySet<string>;
}

export const EventTimeline = ({ events, names, bad }: EventTimelineProps) => (
  <Timeline
    entries={events.map((event) => {
      const words = wordsOf(names, event);
      return {
        what: <Breakable text={words.sentence} />,
        when: <Time at={event.at} />,
        detail: words.detail !== null && <EventDetail words={words} />,
        state: bad?.has(event.type) ? ('bad' as const) : ('done' as const),
      };
    })}
  />
);
