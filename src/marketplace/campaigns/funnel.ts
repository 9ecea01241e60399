/** The counts of a label, from the visits of a share link to the redeemed claims, and the redemption rate. */

/** The counts that people see, in this order. */
export const FUNNEL = ['visits', 'visitors', 'claims', 'arrived', 'redeemed'] as const;

/** The counts of each label. `code_claims`: claims that can't be redeemed here (see `rated`). */
export const COUNTED = [...FUNNEL, 'code_claims'] as const;

export type Counts = Readonly<Record<(typeof COUNTED)[number], number>>;

/** `day`: in the format `2026-11-20`. */
export interface DatedCounts extends Counts {
  readonly day: string;
}

export type FunnelCounts = Pick<Counts, (typeof FUNNEL)[number]>;

export const forEachStep = <Value>(of: (step: keyof FunnelCounts) => Value) =>
  Object.fromEntries(FUNNEL.map((step) => [step, of(step)])) as Record<keyof FunnelCounts, Value>;

export const forEachCount = <Value>(of: (count: keyof Counts) => Value) =>
  Object.fromEntries(COUNTED.map((count) => [count, of(count)])) as Record<keyof Counts, Value>;

export const sumOf = (all: readonly Counts[]): Counts =>
  forEachCount((count) => all.reduce((sum, counts) => sum + counts[count], 0));

/**
 * The definition of every redemption rate: the share of claims that were redeemed, among those that were redeemed or
 * can be. Claims that give only a code are used in the owner's shop, which doesn't report it. In a period, claims from
 * before the period can be redeemed, so there can be more redemptions than claims.
 */
export function rated({
  claims,
  redeemed,
  code_claims,
}: Pick<Counts, 'claims' | 'redeemed' | 'code_claims'>) {
  const redeemable = Math.max(redeemed, claims - code_claims);
  return { redeemable, rate: redeemable === 0 ? 0 : redeemed / redeemable };
}
