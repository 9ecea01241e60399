/**
 * Cursors as readers get them. A cursor contains numbers that count the claims and events of all accounts, so it is
 * sealed: it tells its reader nothing, and opens for one list of one account only.
 */
import { invalid } from '../../errors.ts';
import type { SecretBox } from '../../secrets/secret-keys.ts';

/** Every cursor is sealed at this length: its own would show how many digits a number has. */
const SEALED_CHARACTERS = 48;

export interface SealedCursors {
  /** Differs each time, so that a reader who polls does not see whether the log has grown. */
  seal(cursor: string): string;
  /** `undefined` for a text that is not a cursor of this list and account. */
  open(text: string | undefined): string | undefined;
  /** The same for an operation: throws `invalid_request` where `open` or `parse` finds no cursor. */
  parse<T>(text: string, parse: (cursor: string) => T | null): T;
}

export function sealedCursors(
  box: SecretBox,
  list: 'claims' | 'calls' | 'redemptions' | 'events' | 'own claims',
  accountId: string,
): SealedCursors {
  const purpose = `cursor:${list}:${accountId}`;
  const open = (text = '') => box.unseal(text, purpose)?.trimEnd();
  return {
    seal: (cursor) => box.seal(cursor.padEnd(SEALED_CHARACTERS), purpose),
    open,
    parse(text, parse) {
      const cursor = open(text);
      const place = cursor === undefined ? null : parse(cursor);
      if (place === null) throw invalid('The query parameter `after` must be the `next` of an earlier page.');
      return place;
    },
  };
}
