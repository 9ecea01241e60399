import type { Check, CheckName } from '../../../background/system/check.ts';
import { type Message, message, t, type Words, wordsOf } from '../../../platform/languages/translate.ts';
import { COMMAND_NAME } from '../../../platform/process/version.ts';
import { capital } from '../../../platform/text/text.ts';
import { Badge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';

/** The names of the checks. The command `doctor` prints their identifiers. */
export const CHECK_NAMES: Readonly<Record<CheckName, Message>> = {
  settings: message('Settings'),
  database: message('Database'),
  durability: message('Durability'),
  servers: message('Servers'),
  failover: message('Failover'),
  'connection limit': message('Connection limit'),
  schema: message('Schema'),
  'schema objects': message('Schema objects'),
  writing: message('Writing'),
  backup: message('Backup'),
  'background work': message('Background work'),
  clock: message('Clock'),
  codes: message('Codes'),
  'event log': message('Event log'),
  partitions: message('Partitions'),
  'secret key': message('Secret key'),
  'earlier secret keys': message('Earlier secret keys'),
  'missing secret key': message('Missing secret key'),
  'secret files': message('Secret files'),
  folders: message('Folders'),
  disk: message('Disk'),
  'file system': message('File system'),
  'write-ahead log': message('Write-ahead log'),
  mail: message('Mail'),
  'mail delivery': message('Mail delivery'),
  'unused mail': message('Unused mail'),
  'identity provider': message('Identity provider'),
  'database connection': message('Database connection'),
  proxies: message('Proxies'),
  updates: message('Updates'),
  content: message('Content'),
  operator: message('Operator'),
};

const ISO_TIME = /(\d{4}-\d\d-\d\dT[\d:.]+Z)/;

/** The time at the end of a finding; `null` if the finding doesn't end with a time. */
export const timeIn = (detail: Words): string | null =>
  / (?:at|from) (\d{4}-\d\d-\d\dT[\d:.]+Z)$/.exec(String(detail))?.[1] ?? null;

/** Shows a finding, with times in the page's time zone. `isSentence`: adds a full stop. */
export function FindingText({ detail, isSentence }: { detail: Words; isSentence?: boolean }) {
  const text = sentence(wordsOf(detail));
  return (
    <bdi>
      {text
        .split(ISO_TIME)
        .map((part, index) => (index % 2 === 1 ? <Time at={part} /> : <TypedText text={part} />))}
      {isSentence && !text.endsWith('.') && '.'}
    </bdi>
  );
}

/** Matches environment variable names and commands. */
const TYPED = new RegExp(`(\\b[A-Z]+(?:_[A-Z]+)+\\b|${COMMAND_NAME} [a-z-]+(?: [a-z]+\\.db)?)`);

const TypedText = ({ text }: { text: string }) => (
  <>{text.split(TYPED).map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
);

export function ResultBadge({ check: { ok, note } }: { check: Check }) {
  if (!ok) return <Badge tone="bad">{t('Failed')}</Badge>;
  if (note) return <Badge tone="warn">{t('Note')}</Badge>;
  return <Badge tone="good">{t('Fine')}</Badge>;
}

export function ChecksBadge({ checks }: { checks: readonly Check[] }) {
  const failures = checks.filter(({ ok }) => !ok).length;
  if (failures > 0) return <Badge tone="bad">{t('{count, number} failed', { count: failures })}</Badge>;
  const notes = checks.filter(({ note }) => note).length;
  if (notes > 0) {
    return <Badge tone="warn">{t('{count, plural, one {# note} other {# notes}}', { count: notes })}</Badge>;
  }
  return <Badge tone="good">{t('All OK')}</Badge>;
}

/** Capitalizes the text, unless the text begins with the name of a setting, as in `fsync = on`. */
const sentence = (detail: string): string => (/^[a-z]+\b(?! =)/.test(detail) ? capital(detail) : detail);
