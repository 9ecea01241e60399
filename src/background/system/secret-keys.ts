/** Checks that the secret keys match the database, finds uses of earlier keys, and re-encrypts values. */
import type { ClaimTokens, Context } from '../../base/context.ts';
import { accountsInTurn } from '../../claims/queries.ts';
import { type Message, message, t } from '../../platform/languages/translate.ts';
import { COMMAND_NAME } from '../../platform/process/version.ts';
import type { Database } from '../../platform/store/database.ts';
import { knownSecretKeys } from '../../platform/store/settings.ts';
import { type Check, failed, noted, passed } from './check.ts';
import {
  ENCRYPTED_COLUMNS,
  type EncryptedColumn,
  fingerprintsIn,
  RECEIPT_KEY,
  readEncrypted,
  readOpenClaims,
  replaceEncrypted,
} from './secret-key-queries.ts';

export interface SecretKeysInUse {
  readonly fingerprints: readonly string[];
  /** `false`: the database has been used only with other secret keys. */
  readonly fit: boolean;
  readonly tokens: ClaimTokens;
}

/** Claims per query. Deriving the tokens of one page takes about 10 ms per key. */
const PAGE_SIZE = 2_000;
const FEW_CLAIMS = 1_000;

/** `isThorough`: reads all open claims instead of at most `FEW_CLAIMS`. Ten million claims take about a minute. */
export async function examineSecretKeys(
  db: Database,
  { fingerprints, fit, tokens }: SecretKeysInUse,
  isThorough: boolean,
): Promise<readonly Check[]> {
  const [current = '', ...earlier] = fingerprints;
  if (!fit) {
    return [
      failed(
        'secret key',
        message(
          "this database has only been used with other secret keys; the configured key has the fingerprint {current}. Add the earlier key after the configured one; otherwise the links of earlier claims can't be shown again",
          { current },
        ),
      ),
    ];
  }
  const missing = (await knownSecretKeys(db)).filter((fingerprint) => !fingerprints.includes(fingerprint));
  const claims = await findKeysOfClaims(
    db,
    tokens,
    earlier.length + Math.min(1, missing.length),
    isThorough ? Number.POSITIVE_INFINITY : FEW_CLAIMS,
  );
  const uses = await findUses(db);
  const needing = (index: number): readonly Message[] => [
    ...(uses.get(fingerprints[index]!) ?? []),
    ...(claims.keyIndexes.has(index) ? [message('claim links')] : []),
  ];
  const adviceOn = (fingerprint: string, index: number): Message => {
    const uses = needing(index + 1);
    if (uses.length > 0) {
      return message('keep {fingerprint}, needed by {uses}', { fingerprint, uses: joined(uses, ', ') });
    }
    return claims.areAllRead
      ? message('remove {fingerprint}, which is no longer needed', { fingerprint })
      : message('keep {fingerprint} until {command} reports that no claim link needs it', {
          fingerprint,
          command: `${COMMAND_NAME} doctor`,
        });
  };
  const advice = earlier.map(adviceOn);
  return [
    passed('secret key', message('fingerprint {current}, known to this database', { current })),
    ...(advice.length === 0
      ? []
      : [noted('earlier secret keys', message('{advice}', { advice: joined(advice, '; ') }))]),
    ...[...uses]
      .filter(([fingerprint]) => !fingerprints.includes(fingerprint))
      .map(([fingerprint, contents]) => withoutKey(fingerprint, contents)),
    ...(claims.keyIndexes.has(null)
      ? [
          noted(
            'missing secret key',
            message(
              "some claim links can't be shown again, because the key with fingerprint {missing} is not configured; the tokens in these links stay valid",
              { missing: missing.join(' / ') },
            ),
          ),
        ]
      : []),
  ];
}

/** Joins the texts in the language in which they are shown. */
const joined = (texts: readonly Message[], separator: string) => (): string =>
  texts.map((text) => t(text)).join(separator);

async function findUses(db: Database): Promise<ReadonlyMap<string, ReadonlySet<Message>>> {
  const uses = new Map<string, Set<Message>>();
  for (const column of ENCRYPTED_COLUMNS) {
    for (const fingerprint of await fingerprintsIn(db.read, column)) {
      uses.set(fingerprint, (uses.get(fingerprint) ?? new Set()).add(column.what));
    }
  }
  return uses;
}

const withoutKey = (fingerprint: string, contents: ReadonlySet<Message>): Check => {
  const values = { contents: joined([...contents], ', '), fingerprint };
  return failed(
    'missing secret key',
    contents.has(RECEIPT_KEY)
      ? message(
          'no configured key decrypts {contents}; add the key with fingerprint {fingerprint} after the others, or run {command} to sign receipts with a new key',
          { ...values, command: `${COMMAND_NAME} receipts rotate-key` },
        )
      : message(
          'no configured key decrypts {contents}; add the key with fingerprint {fingerprint} after the others',
          values,
        ),
  );
};

/**
 * Reads open claims until `count` keys are found, or `limit` claims. `keyIndexes`: the earlier keys that they need,
 * `null` for one that isn't configured. `areAllRead`: whether that is complete.
 */
async function findKeysOfClaims(db: Database, tokens: ClaimTokens, count: number, limit: number) {
  const keyIndexes: Set<number | null> = new Set();
  if (count === 0) return { keyIndexes, areAllRead: true };
  let rest = limit;
  for (const accountId of await accountsInTurn(db)) {
    for (let afterSeq = 0, more = true; more; ) {
      if (rest <= 0 || keyIndexes.size === count)
        return { keyIndexes, areAllRead: keyIndexes.size === count };
      const page = { accountId, afterSeq, limit: Math.min(PAGE_SIZE, rest) };
      const claims = await readOpenClaims(db, page);
      for (const { id, mode, token_hash } of claims) {
        const index = tokens.recover(id, mode, token_hash)?.keyIndex ?? null;
        if (index !== 0) keyIndexes.add(index);
      }
      afterSeq = claims.at(-1)?.seq ?? afterSeq;
      more = claims.length === page.limit;
      rest -= claims.length;
    }
  }
  return { keyIndexes, areAllRead: true };
}

const VALUES_PAGE = 100;

export async function needsReencryption(context: Context): Promise<boolean> {
  for (const column of ENCRYPTED_COLUMNS) {
    if ((await otherKeysOf(context, column)).length > 0) return true;
  }
  return false;
}

/** So that only claim links need earlier keys. Skips values that no key decrypts. */
export async function reencrypt(context: Context, signal?: AbortSignal): Promise<void> {
  for (const column of ENCRYPTED_COLUMNS) {
    for (const fingerprint of await otherKeysOf(context, column)) {
      while (signal?.aborted !== true && (await reencryptPage(context, column, fingerprint)));
    }
  }
}

async function reencryptPage(
  { db, secretBox }: Context,
  column: EncryptedColumn,
  fingerprint: string,
): Promise<boolean> {
  let decrypted = 0;
  const page = await readEncrypted(db.read, column, { fingerprint, limit: VALUES_PAGE });
  for (const { id, encrypted: from } of page) {
    const purpose = column.purposeOf(id);
    const secret = secretBox.decrypt(from, purpose);
    if (secret === null) continue;
    decrypted++;
    const to = secretBox.encrypt(secret, purpose);
    await db.transaction((tx) => replaceEncrypted(tx, column, id, { from, to }));
  }
  return decrypted > 0 && page.length === VALUES_PAGE;
}

const otherKeysOf = async ({ db, secretBox }: Context, column: EncryptedColumn): Promise<readonly string[]> =>
  (await fingerprintsIn(db.read, column)).filter((fingerprint) => fingerprint !== secretBox.fingerprint);
