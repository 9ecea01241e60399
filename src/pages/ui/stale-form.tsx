/**
 * An edit form contains fingerprints of the values that it showed. Thanks to the fingerprints, a save changes only the
 * fields that the person edited, and detects fields that somebody else has edited in the meantime.
 */

import { createHash } from 'node:crypto';
import type { Child } from 'hono/jsx';
import { t, type Words } from '../../platform/languages/translate.ts';
import { DifferenceTable } from './difference.tsx';
import { HiddenField } from './field.tsx';
import { type FormInput, type FormState, newForm } from './form-state.ts';
import { Notice } from './notice.tsx';

type Values = Readonly<Record<string, string>>;

const SEEN = 'seen';

/** Browsers send line breaks as CRLF. */
const plain = (value: string): string => value.replaceAll('\r\n', '\n').trim();

const fingerprint = (value: string): string =>
  createHash('sha256').update(plain(value)).digest('base64url').slice(0, 12);

const fingerprints = (values: Values): string =>
  Object.entries(values)
    .map(([field, value]) => `${field}:${fingerprint(value)}`)
    .join(' ');

export const editForm = (stored: Values): FormState => newForm({ ...stored, [SEEN]: fingerprints(stored) });

/** Parses the form's field `version`. Returns 0, which matches no version, if the field is missing or invalid. */
export function versionIn(form: FormState): number {
  const text = form.typed('version');
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : 0;
}

export const SeenValues = ({ form }: { form: FormState }) => (
  <HiddenField name={SEEN} value={form.typed(SEEN)} />
);

/** For forms whose listing has a version. */
export const LoadedVersion = ({ version, form }: { readonly version: number; readonly form: FormState }) => (
  <>
    <HiddenField name="version" value={String(version)} />
    <SeenValues form={form} />
  </>
);

export interface Conflict {
  readonly field: string;
  readonly stored: string;
  readonly typed: string;
}

interface Merge {
  /** The submitted form, with the stored values in fields that the person didn't edit, and with new fingerprints. */
  readonly form: FormInput;
  readonly conflicts: readonly Conflict[];
  readonly hasOthers: boolean;
}

/**
 * `isCurrent` matters only without fingerprints: if `true`, the form is unchanged; if `false`, every field that differs
 * from its stored value is a conflict.
 */
export function mergeForm(sent: FormInput, stored: Values, isCurrent = true): Merge {
  if (sent.typed(SEEN) === '' && isCurrent) return { form: sent, conflicts: [], hasOthers: false };
  const seen = new Map(
    sent
      .typed(SEEN)
      .split(' ')
      .map((part) => part.split(':') as [string, string]),
  );
  const others: Record<string, string> = {};
  const conflicts: Conflict[] = [];
  for (const [field, value] of Object.entries(stored)) {
    const typed = sent.typed(field);
    if (plain(typed) === plain(value)) continue;
    if (seen.get(field) === fingerprint(typed)) others[field] = value;
    else if (seen.get(field) !== fingerprint(value)) conflicts.push({ field, stored: value, typed });
  }
  return {
    form: sent.with({ ...others, [SEEN]: fingerprints(stored) }),
    conflicts,
    hasOthers: Object.keys(others).length > 0,
  };
}

/** For forms that name the conflict next to the field. */
export function refuseConflicts(form: FormInput, conflicts: readonly Conflict[]): void {
  for (const { field } of conflicts) {
    form.refuse(field, 'Someone else has changed this too. Save again to overwrite their change.');
  }
}

interface ConflictNoticeProps {
  readonly conflicts: readonly Conflict[];
  readonly labels: Readonly<Record<string, Words>>;
}

export function ConflictNotice({ conflicts, labels }: ConflictNoticeProps) {
  if (conflicts.length === 0) return null;
  return (
    <Notice tone="warn" title={t('Not saved: your change conflicts with somebody else’s')}>
      <p>{t('The form keeps what you typed. Save again to replace what is saved now.')}</p>
      <DifferenceTable
        differences={conflicts.map(({ field, stored, typed }) => ({
          field: labels[field] ?? field,
          approved: stored,
          proposed: typed,
        }))}
        headers={[t('Saved now'), t('You typed')]}
      />
    </Notice>
  );
}

/** `merged`: the save kept other people's changes. */
export type Saved = 'plain' | 'merged';

export const savedQuery = ({ hasOthers }: Merge): string => (hasOthers ? '?saved=merged' : '?saved');

export const readSaved = (query: string | undefined): Saved | null =>
  query === undefined ? null : query === 'merged' ? 'merged' : 'plain';

export const SavedNotice = ({ saved, children }: { saved: Saved; children?: Child }) => (
  <Notice tone="good" title={t('Saved')}>
    {saved === 'merged' && (
      <p>{t('Somebody else changed other fields while your form was open. Their changes are kept.')}</p>
    )}
    {children && <p>{children}</p>}
  </Notice>
);

interface EditNoticesProps extends ConflictNoticeProps {
  readonly saved: Saved | null;
  readonly refused: string | null;
  readonly children?: Child;
}

export const EditNotices = (props: EditNoticesProps) => (
  <>
    {props.refused !== null && (
      <Notice tone="bad" title={t('Nothing was changed')}>
        {props.refused}
      </Notice>
    )}
    <ConflictNotice conflicts={props.conflicts} labels={props.labels} />
    {props.saved !== null && <SavedNotice saved={props.saved}>{props.children}</SavedNotice>}
  </>
);
