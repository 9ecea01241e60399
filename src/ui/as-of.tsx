/** Says up to when a page is complete that was read from a standby which lags. */
import type { Markup } from './markup.ts';
import { Time } from './time.tsx';

/** `at`: the page has everything up to then, ISO 8601 UTC; `null`: at most a few seconds are missing, shows nothing. */
export const AsOf = ({ at }: { at: string | null }): Markup | null =>
  at === null ? null : (
    <p class="soft-text as-of">
      As of <Time at={at} precision="second" />. What happened since is not shown yet.
    </p>
  );
