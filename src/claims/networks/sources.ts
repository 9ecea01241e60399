/** Where an offer's newest claims come from, for its owner: coarse, without addresses and without rare mail domains. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../base/context.ts';
import { isPersonalMailDomain, mailDomainOf } from '../../people/accounts/mail-domains.ts';
import { HOUR_MS } from '../../platform/text/durations.ts';
import { toIso } from '../../platform/text/time-text.ts';
import {
  countClaimsByNetwork,
  deleteNetworkClaims,
  hasNetworkClaims,
  listClaimantEmails,
} from './queries.ts';
import { periodOf } from './share.ts';

const SOURCES_HOURS = 24;
/** Smaller groups could point to one person. */
const MIN_CLAIMS_SHOWN = 5;
const MAX_SHOWN = 5;
/** With fewer claims, one large group means nothing. */
const MIN_CLAIMS_OF_HINT = 20;
const MOST = 0.5;
/** Maximum number of claims whose mail domains are read. */
const MAX_CLAIMS_READ = 5_000;

export interface SourceGroup {
  /** A mail domain, or the letter of a network. */
  readonly name: string;
  readonly claims: number;
  /** From 0 to 1. */
  readonly share: number;
}

export interface ClaimSources {
  readonly claims: number;
  readonly domains: readonly SourceGroup[];
  /** Empty if the offer has neither a claim limit nor a code list, because its claims are not counted by network. */
  readonly networks: readonly SourceGroup[];
  /** The network, or else the mail domain of one's own, with more than half of the claims. */
  readonly dominant: { readonly kind: 'network' | 'domain'; readonly source: SourceGroup } | null;
}

export async function readClaimSources(
  { db, now }: Pick<Context, 'db' | 'now'>,
  offer: { readonly id: string; readonly account_id: string },
): Promise<ClaimSources> {
  const since = periodOf(now() - SOURCES_HOURS * HOUR_MS);
  const [emails, networkClaims] = await Promise.all([
    listClaimantEmails(db, offer, since, MAX_CLAIMS_READ),
    countClaimsByNetwork(db.read, offer, since),
  ]);
  const domainClaims = [...Map.groupBy(emails, mailDomainOf)]
    .map(([name, of]) => ({ name, claims: of.length }))
    .sort((a, b) => b.claims - a.claims || (a.name < b.name ? -1 : 1));
  const domains = shownOf(domainClaims);
  const networks = shownOf(
    networkClaims.map((claims, at) => ({ name: String.fromCharCode(65 + at), claims })),
  );
  const isDominant = ({ claims, share }: SourceGroup) => share > MOST && claims >= MIN_CLAIMS_OF_HINT;
  const network = networks.find(isDominant);
  const domain = domains.find((one) => isDominant(one) && !isPersonalMailDomain(one.name));
  const dominant =
    network !== undefined
      ? ({ kind: 'network', source: network } as const)
      : domain !== undefined
        ? ({ kind: 'domain', source: domain } as const)
        : null;
  return { claims: emails.length, domains, networks, dominant };
}

function shownOf(
  groups: readonly { readonly name: string; readonly claims: number }[],
): readonly SourceGroup[] {
  const all = groups.reduce((sum, { claims }) => sum + claims, 0);
  return groups
    .filter(({ claims }) => claims >= MIN_CLAIMS_SHOWN)
    .slice(0, MAX_SHOWN)
    .map((group) => ({ ...group, share: group.claims / all }));
}

const keptSince = ({ now }: Pick<Context, 'now'>): string => toIso(now() - (SOURCES_HOURS + 1) * HOUR_MS);

export const networkClaimsNeedSweep = (context: Pick<Context, 'db' | 'now'>): Promise<boolean> =>
  hasNetworkClaims(context.db.read, keptSince(context));

/** Rows per transaction: few enough to delay a redemption by only milliseconds. */
const ROWS_A_PORTION = 200;
/** Pause between transactions, so that other writers can proceed. */
const PAUSE_MS = 10;

/** A sold-out offer can have hundreds of thousands of rows. `signal` stops the sweep between two transactions. */
export async function sweepNetworkClaims(
  context: Pick<Context, 'db' | 'now'>,
  signal?: AbortSignal,
): Promise<void> {
  const before = keptSince(context);
  while (signal?.aborted !== true) {
    const deleted = await context.db.transaction((tx) => deleteNetworkClaims(tx, before, ROWS_A_PORTION));
    if (deleted < ROWS_A_PORTION) return;
    await sleep(PAUSE_MS);
  }
}
