/**
 * Checks whether the recorded answers are possible if the service redeems each token at most once. All times are from
 * one clock. If operation A ended before operation B started, A took effect before B. Overlapping operations may have
 * taken effect in any order.
 */

export interface Answer {
  readonly status: number;
  /** True if the answer had the header `Idempotency-Replayed: true`. */
  readonly replayed: boolean;
  readonly body: string;
}

export interface Operation {
  readonly token: string;
  readonly redeem: boolean;
  readonly idempotencyKey: string | null;
  /** Milliseconds of a monotonic clock. */
  readonly startedMs: number;
  /** `Infinity` if the answer is unknown: the operation may take effect at any time after its start, or never. */
  readonly endedMs: number;
  /** `null` if the answer is unknown. */
  readonly answer: Answer | null;
}

type Kind = 'fresh' | 'replay' | 'valid' | 'already' | 'unknown';

interface Read {
  readonly operation: Operation;
  readonly kind: Kind;
  readonly redeemedAt: string | null;
}

const UNAVAILABLE = 503;

/** Returns a message for each fault in the history. All tokens must exist. */
export function checkHistory(operations: readonly Operation[]): string[] {
  const faults: string[] = [];
  for (const [token, ofToken] of Map.groupBy(operations, (operation) => operation.token)) {
    checkToken(ofToken, (fault) => faults.push(`${token.slice(0, 14)}…: ${fault}`));
  }
  return faults;
}

function read(operation: Operation, complain: (fault: string) => void): Read | null {
  const { answer, redeem } = operation;
  const unknown: Read = { operation, kind: 'unknown', redeemedAt: null };
  // After a 503, the outcome is unknown: the database connection may have been lost during the commit.
  if (answer === null || answer.status === UNAVAILABLE) return unknown;
  if (answer.status === 404) {
    complain(`not_found for an existing token: ${answer.body}`);
    return null;
  }
  if (answer.status !== 200) {
    complain(`unexpected status ${answer.status}: ${answer.body}`);
    return null;
  }
  const body = JSON.parse(answer.body) as { status: string; redeemed_at: string | null };
  const redeemedAt = body.redeemed_at;
  if ((body.status === 'valid') !== (redeemedAt === null)) {
    complain(`${body.status} with redeemed_at ${redeemedAt}`);
  }
  if (answer.replayed && body.status !== 'redeemed') complain(`${body.status} with Idempotency-Replayed`);
  if (body.status === 'valid') {
    if (redeem) complain('a call with redeem: true returned valid');
    return { operation, kind: 'valid', redeemedAt };
  }
  if (body.status === 'already_redeemed') return { operation, kind: 'already', redeemedAt };
  if (body.status === 'redeemed') {
    if (!redeem) complain('a call with redeem: false returned redeemed');
    return { operation, kind: answer.replayed ? 'replay' : 'fresh', redeemedAt };
  }
  complain(`unknown status ${body.status}`);
  return null;
}

function checkToken(operations: readonly Operation[], complain: (fault: string) => void): void {
  const reads = operations.map((operation) => read(operation, complain)).filter((one) => one !== null);
  const of = (kind: Kind) => reads.filter((one) => one.kind === kind);
  const fresh = of('fresh');
  const replays = of('replay');
  const proofs = [...fresh, ...replays, ...of('already')];
  if (fresh.length > 1) complain(`${fresh.length} calls returned redeemed without Idempotency-Replayed`);
  if (proofs.length === 0) return;

  if (new Set(proofs.map((one) => one.redeemedAt)).size > 1) complain('the answers differ in redeemed_at');
  const bytes = new Set([...fresh, ...replays].map((one) => one.operation.answer?.body));
  if (bytes.size > 1) complain('the redeemed answers differ in their bodies');

  // If there is no fresh answer, the token was redeemed by a call whose answer is unknown.
  const attempts = fresh.length > 0 ? fresh : of('unknown').filter((one) => one.operation.redeem);
  const replayedKeys = new Set(replays.map((one) => one.operation.idempotencyKey));
  const winners = attempts.filter((one) =>
    [...replayedKeys].every((key) => key !== null && key === one.operation.idempotencyKey),
  );
  if (winners.length === 0) {
    complain(
      replays.length > 0
        ? "a replay for a key other than the redeeming call's"
        : 'already_redeemed, although no call could have redeemed the token',
    );
    return;
  }
  const firstStart = Math.min(...winners.map((one) => one.operation.startedMs));
  const firstProof = Math.min(...proofs.map((one) => one.operation.endedMs));
  if (firstProof < firstStart) complain('an answer reports a redemption before any call could have made it');
  for (const one of reads) {
    if (one.operation.startedMs <= firstProof) continue;
    if (one.kind === 'valid') complain('valid after another answer reported the redemption');
    if (one.kind === 'fresh') complain('a new redemption after another answer reported one');
  }
  const winningKeys = new Set(winners.map((one) => one.operation.idempotencyKey));
  const [winningKey] = winningKeys;
  for (const { operation } of of('already')) {
    if (operation.redeem && winningKeys.size === 1 && operation.idempotencyKey === winningKey && winningKey) {
      complain("a call with the redeeming call's key returned already_redeemed");
    }
  }
}
