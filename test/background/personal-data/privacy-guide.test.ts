/**
 * The privacy guide lists every column with personal data. A new column fails this test until it is in
 * `docs/guide/privacy.md` or, if it has no personal data, in the list below.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Columns without personal data, by table: references, numbers, states and technical details. */
const NOT_ABOUT_PEOPLE: Readonly<Record<string, string>> = {
  accounts: 'number id',
  account_uses: 'account_id',
  account_requests: 'id account_id',
  reports: 'id listing_id closed_at',
  listing_questions: 'id listing_id',
  invitations: 'id account_id language',
  access_links: 'id listing_id code_hash max_people expires_at',
  mailbox_marks: 'account_number offer_id',
  sessions: 'id account_id',
  passwords: 'account_id',
  two_factors: 'account_id',
  backup_codes: 'account_id',
  passkeys: 'id account_id',
  one_time_codes: 'account_id',
  sign_in_steps: 'account_id',
  oidc_identities: 'account_id',
  attempts:
    'id account_id mode at request_id api_key_id cause redeem token_last4 token_hash offer_id idempotency_last4 latency_us',
  first_verifications: 'account_id at request_id api_key_id outcome token_last4 latency_us',
  unrecorded_calls: 'account_id calls last_at',
  link_checks: 'account_id offer_id claim_id started_at visited_at browser_claim_id opened_at reopened_at',
  claim_rows:
    'seq account_number offer_number key_number wording_number is_imported id mode token_hash idempotency_hash',
  claim_openings: 'account_number claim_id',
  claim_references: 'account_number claim_seq',
  offer_claims: 'account_number offer_id claims codes_left codes_given',
  claim_networks: 'account_number offer_id',
  label_counts:
    'account_number listing_id via claims redeemed arrived visits visitors code_claims registered_at',
  label_days: 'account_number listing_id via claims redeemed arrived visits visitors code_claims day',
  label_months: 'account_number listing_id via claims redeemed arrived visits visitors code_claims month',
  market_days: 'claims redeemed arrived visits visitors code_claims day',
  label_deltas: 'id account_number listing_id via claims redeemed at arrived visits visitors code_claims',
  unreadable_labels: 'account_number listing_id found claims visits',
  visitor_days: 'day visitors',
  receipt_keys: 'kid public_key private_key created_at',
  event_rows: 'seq claim_seq account_number trace',
  offer_codes: 'seq account_number offer_id added_at withheld_at',
  api_keys:
    'number id account_id account_number mode secret_hash expires_at revoked_at seen_in_browser_at rolled_to_id',
  api_key_uses: 'account_id api_key_id',
  operator_keys: 'id account_id scopes secret_hash expires_at revoked_at rolled_to_id',
  cards: 'listing_id account_id approved_at is_open for_members kinds ends_at popular changes_at is_limited',
  listings:
    'id account_id visibility featured state origin created_at submitted_at decided_at reviewed_at proposed_at texts_changed_at version',
  link_probes: 'listing_id version at',
  offers:
    'number id account_id account_number listing_id kind wording_number starts_at ends_at claim_limit paused_at created_at hidden_since proposed_at code_list code_key',
  offer_wordings: 'number offer_id kind',
  waiting_people: 'id',
  pictures: 'id account_id listing_id subject_id kind bytes created_at proposed_at replaced_at',
  picture_files: 'name picture_id',
  settings: 'name value',
  mails: 'id',
  jobs: 'name interval_ms holder leased_until started_at finished_at took_ms failed_at runs failures',
  mail_settings: 'account_id',
  notices: 'account_id',
  webhook_endpoints:
    'id account_id format event_types secret secret_made_at old_secret old_secret_until created_at failing_since disabled_at disabled_reason deleted_at cursor held_until',
  deliveries:
    'id account_id endpoint_id event_seq message_id type created_at attempts next_at delivered_at failed_at trace',
  delivery_attempts: 'id account_id delivery_id at took_ms status answer_type redirects_to',
};

/** Every `table.column` in the schema types. `test/platform/store/schema.test.ts` compares those types with the databases. */
function columnsOfSchema(): readonly string[] {
  const folder = join(ROOT, 'src/platform/store');
  const source = ['schema.ts', ...globSync('tables/*.ts', { cwd: folder })]
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
  const members = new Map<string, readonly (readonly [name: string, type: string])[]>();
  for (const [, name, parent, body] of source.matchAll(
    /^export interface (\w+)(?: extends (\w+))? \{\n([\s\S]*?)^\}/gm,
  )) {
    const own = [...body!.matchAll(/^ {2}(\w+): ([^;]+);/gm)].map(
      ([, member, type]) => [member!, type!] as const,
    );
    members.set(name!, [...(members.get(parent ?? '') ?? []), ...own]);
  }
  return members.get('Schema')!.flatMap(([table, type]) =>
    // Read-only columns belong to views, which repeat columns of tables.
    members
      .get(type.replace(/^\w+\./, ''))!
      .flatMap(([column, kind]) => (kind.startsWith('ReadOnly') ? [] : [`${table}.${column}`])),
  );
}

/** The columns named in the last cell of each table row. Format of a cell: `table`: `column`, `column`; `table`: … */
function columnsInGuide(): readonly string[] {
  const guide = readFileSync(join(ROOT, 'docs/guide/privacy.md'), 'utf8');
  const [, stored = ''] = guide.split('\n## What is stored\n');
  const cells = [...stored.matchAll(/\| (`[^|]+) \|$/gm)].map(([, cell]) => cell!);
  return cells.flatMap((cell) =>
    cell.split('; ').flatMap((part) => {
      const [table = '', columns = ''] = part.split(': ');
      return [...columns.matchAll(/`(\w+)`/g)].map(([, column]) => `${table.replaceAll('`', '')}.${column}`);
    }),
  );
}

test('the privacy guide lists exactly the columns with personal data', () => {
  const schema = columnsOfSchema();
  const guide = columnsInGuide();
  const others = Object.entries(NOT_ABOUT_PEOPLE).flatMap(([table, columns]) =>
    columns.split(' ').map((column) => `${table}.${column}`),
  );
  expect(guide.length).toBeGreaterThan(100);
  const described = new Set([...guide, ...others]);
  expect(
    schema.filter((column) => !described.has(column)),
    'add these columns to docs/guide/privacy.md, or to NOT_ABOUT_PEOPLE if they have no personal data',
  ).toEqual([]);
  expect(
    [...described].filter((column) => !schema.includes(column)),
    'these columns do not exist',
  ).toEqual([]);
  expect(
    guide.filter((column) => others.includes(column)),
    'these columns are both in the guide and in NOT_ABOUT_PEOPLE',
  ).toEqual([]);
});

/**
 * Tables with personal data that a person's download doesn't read by name: secrets, hashes, short-lived steps, copies,
 * technical records, and what the views `claims` and `events` contain.
 */
const NOT_DOWNLOADED =
  `api_key_uses backup_codes cards claim_networks claim_rows deliveries delivery_attempts email_sign_ins event_rows
  invitation_refusals link_checks link_probes mailbox_marks offer_codes offer_wordings oidc_sign_ins one_time_codes
  picture_files sign_in_steps throttles two_factors visitor_days visitors`.split(/\s+/);

test('the download reads every table with personal data, except the listed ones', () => {
  const source = ['data.ts', 'data-queries.ts']
    .map((file) => readFileSync(join(ROOT, 'src/background/personal-data', file), 'utf8'))
    .join('\n');
  const tables = new Set(columnsInGuide().map((column) => column.split('.')[0]!));
  const missing = [...tables].filter((table) => !new RegExp(`\\b${table}\\b`).test(source));
  expect(missing.sort(), 'add these tables to the download, or to NOT_DOWNLOADED').toEqual(NOT_DOWNLOADED);
});
