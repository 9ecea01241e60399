/**
 * What happened to a set of tokens, as their callers saw it, and whether a service that redeems each token once could
 * have given these answers. All times are from one clock: an operation that ended before another began took effect
 * first; all others were concurrent.
 */

export interface Answer {
  readonly status: number;
  /** Carried `Idempotency-Replayed: true`. */
  readonly replayed: boolean;
  readonly body: string;
}

export interface Operation {
  readonly token: string;
  readonly redeem: boolean;
  readonly idempotencyKey: string | null;
  /** Milliseconds of a monotonic clock. */
  readonly startedMs: number;
  /** `Infinity` without an answer: the operation may have taken effect at any later time, or never. */
  readonly endedMs: number;
  /** `null`: unknown. */
  readonly answer: Answer | null;
}

type Kind = 'fresh' | 'replay' | 'valid' | 'already' | 'unknown';

interface Read {
  readonly operation: Operation;
  readonly kind: Kind;
  readonly redeemedAt: string | null;
}

const UNAVAILABLE = 503;

/** A sentence for each fault in the history. All its tokens must exist. */
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
  // After a 503, the operation may have taken effect: the connection may have died during the commit.
  if (answer === null || answer.status === UNAVAILABLE) return unknown;
  if (answer.status === 404) {
    complain(`a false not_found: ${answer.body}`);
    return null;
  }
  if (answer.status !== 200) {
    complain(`status ${answer.status}: ${answer.body}`);
    return null;
  }
  const body = JSON.parse(answer.body) as { status: string; redeemed_at: string | null };
  const redeemedAt = body.redeemed_at;
  if ((body.status === 'valid') !== (redeemedAt === null)) {
    complain(`${body.status} with redeemed_at ${redeemedAt}`);
  }
  if (answer.replayed && body.status !== 'redeemed') complain(`${body.status} is marked as replayed`);
  if (body.status === 'valid') {
    if (redeem) complain('a redemption was answered with valid');
    return { operation, kind: 'valid', redeemedAt };
  }
  if (body.status === 'already_redeemed') return { operation, kind: 'already', redeemedAt };
  if (body.status === 'redeemed') {
    if (!redeem) complain('a mere verification was answered with redeemed');
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
  if (fresh.length > 1) complain(`${fresh.length} fresh redeemed`);
  if (proofs.length === 0) return;

  if (new Set(proofs.map((one) => one.redeemedAt)).size > 1) complain('more than one redeemed_at');
  const bytes = new Set([...fresh, ...replays].map((one) => one.operation.answer?.body));
  if (bytes.size > 1) complain('replays with other bytes');

  // Without a fresh `redeemed`, a call whose answer is unknown has redeemed the token.
  const attempts = fresh.length > 0 ? fresh : of('unknown').filter((one) => one.operation.redeem);
  const replayedKeys = new Set(replays.map((one) => one.operation.idempotencyKey));
  const winners = attempts.filter((one) =>
    [...replayedKeys].every((key) => key !== null && key === one.operation.idempotencyKey),
  );
  if (winners.length === 0) {
    complain(
      replays.length > 0
        ? "a replay without the winner's key"
        : 'a false already_redeemed: no call can have redeemed it',
    );
    return;
  }
  const firstStart = Math.min(...winners.map((one) => one.operation.startedMs));
  const firstProof = Math.min(...proofs.map((one) => one.operation.endedMs));
  if (firstProof < firstStart) complain('redeemed before anybody asked for it');
  for (const one of reads) {
    if (one.operation.startedMs <= firstProof) continue;
    if (one.kind === 'valid') complain('valid after a proof of redemption');
    if (one.kind === 'fresh') complain('a fresh redeemed after a proof of redemption');
  }
  const winningKeys = new Set(winners.map((one) => one.operation.idempotencyKey));
  const [winningKey] = winningKeys;
  for (const { operation } of of('already')) {
    if (operation.redeem && winningKeys.size === 1 && operation.idempotencyKey === winningKey && winningKey) {
      complain("a call with the winner's own key was answered with already_redeemed");
    }
  }
}
