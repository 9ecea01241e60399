/** How old a page is that was read from a standby which lags. */
import type { Markup } from './markup.ts';
import { Time } from './time.tsx';

/** `at`: all that happened until then is shown, ISO 8601 UTC; `null`: nothing is missing, and nothing is said. */
export const AsOf = ({ at }: { at: string | null }): Markup | null =>
  at === null ? null : (
    <p class="soft-text as-of">
      As of <Time at={at} precision="second" />. What happened since is not shown yet.
    </p>
  );
