/** IDs of objects that a form or a call creates. A form or a call that is sent twice creates one object. */
import { Refusal } from '../errors.ts';
import { sha256 } from '../secrets/secrets.ts';
import { DAY_MS, MINUTE_MS } from '../text/durations.ts';
import { isUuid, timeOfUuid, type UuidSource, uuidv7 } from './uuid.ts';

/** A session that isn't used for this long has ended, and its forms with it. */
const MAX_AGE_MS = 7 * DAY_MS;
/** The clocks of the processes that show a form and read it may differ this much. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS;

/**
 * Includes `scope`, so that no other account can produce the id, and the form's timestamp, to sort by creation time.
 */
function idOfForm(scope: string, formId: string): string {
  const hex = hexOf(`${scope} ${formId.toLowerCase()}`);
  return `${formId.slice(0, 14).toLowerCase()}7${hex.slice(0, 3)}-${tailOf(hex.slice(3))}`;
}

const hexOf = (text: string): string => Buffer.from(sha256(text)).toString('hex');

/** The last two groups of a UUID (62 bits of `hex`). */
function tailOf(hex: string): string {
  const variant = ((Number.parseInt(hex[0]!, 16) & 0x3) | 0x8).toString(16);
  return `${variant}${hex.slice(1, 4)}-${hex.slice(4, 16)}`;
}

/** A random id if there is no form, or if no open form can have the id's time: nobody may choose a time. */
export function idOfNew(context: UuidSource, scope: string, formId: string | undefined): string {
  if (formId === undefined || !isUuid(formId)) return uuidv7(context);
  const ageMs = context.now() - timeOfUuid(formId);
  return ageMs < -CLOCK_SKEW_MS || ageMs > MAX_AGE_MS ? uuidv7(context) : idOfForm(scope, formId);
}

/** What identifies a call of a program that creates something. */
export interface CallKey {
  readonly idempotencyKey: string;
  /** What the call says. Another call must not use its key. */
  readonly input: unknown;
}

/**
 * Like `idOfNew` for a call, whose key has no time. The id ends with hashes of the input and of the key; by the latter,
 * a repeated call finds it in `ids`, the IDs of all objects of this `scope`. Needs a lock of the scope.
 */
export function idOfCall(
  context: UuidSource,
  scope: string,
  { idempotencyKey, input }: CallKey,
  ids: readonly string[],
): string {
  const tail = tailOf(hexOf(`${scope} ${idempotencyKey}`));
  const version = `7${hexOf(JSON.stringify(input)).slice(0, 3)}`;
  const earlier = ids.find((id) => id.endsWith(tail));
  if (earlier === undefined) return `${uuidv7(context).slice(0, 14)}${version}-${tail}`;
  if (earlier.slice(14, 18) === version) return earlier;
  throw new Refusal(
    'idempotency_key_reused',
    'This Idempotency-Key was sent before, with other input, so nothing was created.',
  );
}
