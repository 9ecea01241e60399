/** IDs of objects that a form creates. A form that is sent twice creates one object. */
import { sha256 } from '../secrets/secrets.ts';
import { isUuid } from './uuid.ts';

/**
 * Derives the object's id from the form's UUIDv7 and from `scope`, such as the account, so that no other account can
 * produce the same id. Keeps the form's timestamp, so that objects sort by creation time.
 */
function idOfForm(scope: string, formId: string): string {
  const hex = Buffer.from(sha256(`${scope} ${formId.toLowerCase()}`)).toString('hex');
  const variant = ((Number.parseInt(hex[3]!, 16) & 0x3) | 0x8).toString(16);
  return `${formId.slice(0, 14).toLowerCase()}7${hex.slice(0, 3)}-${variant}${hex.slice(4, 7)}-${hex.slice(7, 19)}`;
}

/** `null` if the text is not a UUID, because the caller is not a form. */
export const idOfNew = (scope: string, formId: string | undefined): string | null =>
  formId !== undefined && isUuid(formId) ? idOfForm(scope, formId) : null;
