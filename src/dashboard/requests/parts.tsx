/** Parts of the pages of the request log, and of the start page. */
import type { Markup } from '../../ui/markup.ts';
import { type State, StateBadge } from '../../ui/state-badge.tsx';

/** An IP address; one of IPv6 may break. */
export const Address = ({ ip }: { ip: string }): Markup => (
  <span class={ip.includes(':') ? 'mono' : 'mono nowrap'}>{ip}</span>
);

/** A request or an answer as it was on the wire, with its heading. */
export const ExchangePart = ({ title, text }: { title: string; text: string }): Markup => (
  <div>
    <p class="kind">{title}</p>
    <div class="code">
      <pre tabindex={0}>
        <code>{text}</code>
      </pre>
    </div>
  </div>
);

const MILLISECONDS = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });

/** `1.9 ms`. */
export const latencyText = (microseconds: number): string =>
  `${MILLISECONDS.format(microseconds / 1_000)} ms`;

const STATES: Readonly<Record<string, State>> = {
  redeemed: 'redeemed',
  valid: 'valid',
  already_redeemed: 'already_redeemed',
  not_found: 'not_found',
};

/** The outcome of a call: a badge, and the code of a problem. */
export const Outcome = ({ outcome }: { outcome: string }): Markup => (
  <StateBadge state={STATES[outcome] ?? 'error'} />
);
