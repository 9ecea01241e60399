/** Inserts approved listings with SQL, each with an offer. */
import type { Installation } from './installation.ts';

const INSERTED_TOGETHER = 500;

export interface ListingOwner {
  readonly id: string;
  readonly number: number;
}

/**
 * Adds one listing per element of `owners`, and returns the number of the first offer; the others have the numbers after
 * it. `prefix`: of the names, unique among the calls. Call after the installation has an offer.
 */
export async function addListings(
  { query }: Pick<Installation, 'query'>,
  prefix: string,
  owners: readonly ListingOwner[],
): Promise<{ readonly firstNumber: number }> {
  const [like] = await query(
    'select o.wording_number, c.kinds from offers o join cards c on c.listing_id = o.listing_id order by o.number limit 1',
  );
  const insert = async (table: string, columns: string, valuesOf: (n: number) => readonly unknown[]) => {
    for (let from = 0; from < owners.length; from += INSERTED_TOGETHER) {
      const rows = owners.slice(from, from + INSERTED_TOGETHER).map((_, index) => {
        const values = valuesOf(from + index).map((value) => (value === null ? 'null' : `'${value}'`));
        return `(${values.join()})`;
      });
      await query(`insert into ${table} (${columns}) values ${rows.join()}`);
    }
  };
  const [{ listings }] = (await query('select count(*) as listings from listings')) as [
    { listings: unknown },
  ];
  const idOf = (kind: string, n: number) =>
    `01a00000-0000-7000-${kind}-${String(Number(listings) + n).padStart(12, '0')}`;
  const timeOf = (n: number) => new Date(Date.now() - n * 60_000).toISOString();
  const nameOf = (n: number) => `Bench ${prefix} ${n}`;
  await insert(
    'listings',
    'id, account_id, slug, name, summary, url, state, origin, created_at, decided_at, version',
    (n) => [
      ...[idOf('8000', n), owners[n]!.id, `${prefix}-${n}`, nameOf(n), `App number ${n} of the bench.`],
      ...['https://bench.example/', 'approved', 'https://bench.example', timeOf(n), timeOf(n), 1],
    ],
  );
  await insert(
    'offers',
    'id, account_id, account_number, listing_id, offer, kind, wording_number, redemption_link, created_at',
    (n) => [
      ...[
        idOf('9000', n),
        owners[n]!.id,
        owners[n]!.number,
        idOf('8000', n),
        '20% off the first year',
        'discount',
      ],
      ...[like!['wording_number'], 'https://bench.example/?claim={claim}', timeOf(n)],
    ],
  );
  await insert(
    'cards',
    'listing_id, account_id, approved_at, is_open, for_members, kinds, popular, name_text, search_text, is_limited',
    (n) => [
      ...[idOf('8000', n), owners[n]!.id, timeOf(n), 1, 0, like!['kinds'], n % 1_000],
      ...[nameOf(n).toLowerCase(), `${nameOf(n)} app number of the 20% off`.toLowerCase(), 0],
    ],
  );
  const [first] = await query(`select number from offers where id = '${idOf('9000', 0)}'`);
  return { firstNumber: Number(first!['number']) };
}
