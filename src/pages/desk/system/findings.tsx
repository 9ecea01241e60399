import type { Check } from '../../../background/system/check.ts';
import { COMMAND_NAME } from '../../../platform/process/version.ts';
import { amountOf, capital } from '../../../platform/text/text.ts';
import { Badge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';

const ENDS_IN_TIME = /^(.* (?:at|from) )(\d{4}-\d\d-\d\dT[\d:.]+Z)$/;

/** The time at the end of a finding; `null` if the finding doesn't end with a time. */
export const timeIn = (detail: string): string | null => ENDS_IN_TIME.exec(detail)?.[2] ?? null;

/**
 * Shows a finding. A time at the end of the finding is converted to the page's time zone. `isSentence`: adds a full
 * stop.
 */
export function FindingText({ detail, isSentence }: { detail: string; isSentence?: boolean }) {
  const [, words = detail, at] = ENDS_IN_TIME.exec(detail) ?? [];
  return (
    <>
      {sentence(words)
        .split(TYPED)
        .map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}
      {at !== undefined && <Time at={at} />}
      {isSentence && !detail.endsWith('.') && '.'}
    </>
  );
}

/** Matches environment variable names and commands. */
const TYPED = new RegExp(`(\\b[A-Z]+(?:_[A-Z]+)+\\b|${COMMAND_NAME} [a-z-]+(?: [a-z]+\\.db)?)`);

export function ResultBadge({ check: { ok, note } }: { check: Check }) {
  if (!ok) return <Badge tone="bad">Failed</Badge>;
  if (note) return <Badge tone="warn">Note</Badge>;
  return <Badge tone="good">Fine</Badge>;
}

export function ChecksBadge({ checks }: { checks: readonly Check[] }) {
  const failures = checks.filter(({ ok }) => !ok).length;
  if (failures > 0) return <Badge tone="bad">{`${failures} failed`}</Badge>;
  const notes = checks.filter(({ note }) => note).length;
  if (notes > 0) return <Badge tone="warn">{amountOf(notes, 'note')}</Badge>;
  return <Badge tone="good">All OK</Badge>;
}

/** Capitalizes the text, unless the text begins with the name of a setting, as in `fsync = on`. */
const sentence = (detail: string): string => (/^[a-z]+\b(?! =)/.test(detail) ? capital(detail) : detail);
