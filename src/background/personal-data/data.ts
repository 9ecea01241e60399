/** Exports a person's data, page by page. `docs/guide/privacy.md` lists where each part of the data is stored. */
import type { Context } from '../../base/context.ts';
import { codesOfClaims } from '../../claims/codes/codes-of-claims.ts';
import { findAccount } from '../../people/accounts/queries.ts';
import { type LetterContent, unsignedText } from '../../people/mail/letter.ts';
import { listMailsTo, openLetter } from '../../people/mail/queries.ts';
import { invalid } from '../../platform/errors.ts';
import type { Queryable } from '../../platform/store/database.ts';
import { type CsvStyle, csvWriter, isTimeName } from '../../platform/text/csv.ts';
import {
  type ClaimOfData,
  type DataPage,
  type DataRow,
  readAccessGrants,
  readClaimsOfData,
  readEventsOfData,
  readIdentities,
  readInvitationsOf,
  readLinksOfData,
  readMailSettingsOfData,
  readMemberships,
  readNoticesOfData,
  readProfile,
  readQuestionsOfData,
  readReportsOfData,
  readRowsOf,
  readWaitingLists,
  type TableOfData,
} from './data-queries.ts';
import { withoutNotes } from './event-words.ts';

export interface DataRecord {
  readonly part: DataPart;
  readonly data: DataRow;
}

/** `secretBox` and `random`: for decrypting codes and mails. */
type DataReading = Pick<Context, 'db' | 'secretBox' | 'random'>;

interface ReadPart {
  readonly rows: readonly DataRow[];
  /** `after` for the next page; `null` on the last page. */
  readonly next: string | null;
}

type Part = (context: DataReading, page: DataPage) => Promise<ReadPart>;

/** For parts that fit on one page. */
const all =
  (read: (db: Queryable, accountId: string) => Promise<readonly DataRow[]>): Part =>
  async ({ db }, { accountId }) => ({ rows: await read(db.read, accountId), next: null });

const paged = <Row>(
  rows: readonly Row[],
  { limit }: DataPage,
  keyOf: (row: Row) => string,
  toRow: (row: Row) => DataRow = (row) => row as DataRow,
): ReadPart => ({
  rows: rows.map(toRow),
  next: rows.length < limit ? null : keyOf(rows.at(-1)!),
});

type RowWithId = DataRow & { readonly id: string };

const byId =
  (read: (db: Queryable, page: DataPage) => Promise<readonly RowWithId[]>): Part =>
  async ({ db }, page) =>
    paged(await read(db.read, page), page, ({ id }) => id);

const table = (name: TableOfData): Part => byId((db, page) => readRowsOf(db, name, page));

const events =
  (isOfSessions: boolean): Part =>
  async ({ db }, page) =>
    paged(
      await readEventsOfData(db.read, { ...page, isOfSessions }),
      page,
      ({ seq }) => String(seq),
      ({ at, type, actor, data }) => ({
        at,
        type,
        by: actorOf(actor, page.accountId),
        ...withoutNotes(type, JSON.parse(data ?? '{}') as DataRow),
      }),
    );

/** Describes who made a change. Doesn't name other people: the export must not contain their data. */
const actorOf = (actor: string | null, accountId: string): string => {
  if (actor === `account:${accountId}`) return 'you';
  // A team member, or an operator using the desk.
  if (actor?.startsWith('account:')) return 'another person';
  return actor === null || actor.startsWith('operator') ? 'an operator' : actor.split(':', 1)[0]!;
};

const claims: Part = async (context, page) => {
  const rows = await readClaimsOfData(context.db.read, page);
  const codes = await codesOfClaims(context, context.db.read, rows);
  const toRow = ({ seq, account_id, offer_id, shared_code, ...claim }: ClaimOfData): DataRow => ({
    ...claim,
    code: codes.get(claim.id) ?? shared_code,
  });
  return paged(rows, page, ({ seq }) => String(seq), toRow);
};

/** Omits the text of mails with a one-time code, because an exported file is easier to steal than a mailbox. */
const mails: Part = async ({ db, secretBox }, page) => {
  const { email } = await findAccount(db.read, page.accountId);
  const rows = await listMailsTo(db.read, email, { after: page.after || null, limit: page.limit });
  return paged(
    rows,
    page,
    ({ id }) => id,
    ({ code_hash, body, ...mail }) => ({
      created_at: mail.created_at,
      recipient: mail.recipient,
      subject: mail.subject,
      text: code_hash === null ? textOfLetter(openLetter(secretBox, { id: mail.id, body })) : null,
      attempts: mail.attempts,
      failed_at: mail.failed_at,
    }),
  );
};

const textOfLetter = (content: LetterContent | null): string | null =>
  content === null ? null : unsignedText({ letter: content.letter });

/** All parts, in the order of the exported file. Each new table with personal data needs a part here. */
const PARTS = {
  profile: all(readProfile),
  identities: all(readIdentities),
  passkeys: table('passkeys'),
  sessions: table('sessions'),
  sign_ins: events(true),
  memberships: all(readMemberships),
  access_grants: all(readAccessGrants),
  access_links: byId(readLinksOfData),
  invitations: all(readInvitationsOf),
  account_requests: table('account_requests'),
  reports: byId(readReportsOfData),
  claims,
  waiting_lists: all(readWaitingLists),
  mails,
  mail_settings: all(readMailSettingsOfData),
  notices: async ({ db }, page) =>
    paged(await readNoticesOfData(db.read, page), page, ({ kind, about }) => `${kind}/${about}`),
  listings: table('listings'),
  listing_questions: byId(readQuestionsOfData),
  offers: table('offers'),
  pictures: table('pictures'),
  api_keys: table('api_keys'),
  operator_keys: table('operator_keys'),
  webhook_endpoints: table('webhook_endpoints'),
  events: events(false),
} as const satisfies Record<string, Part>;

export type DataPart = keyof typeof PARTS;
export const DATA_PARTS = Object.keys(PARTS) as readonly DataPart[];

/** Records per page: few, to keep each read short. */
const DATA_PAGE_SIZE = 200;

export interface PersonDataPage {
  readonly records: readonly DataRecord[];
  /** `after` for the next page; `null` on the last page. */
  readonly next: string | null;
}

/** `after`: `next` of the previous page. Throws `invalid_request` if `after` is malformed. */
export async function readPersonData(
  context: DataReading,
  accountId: string,
  after: string | null,
  limit = DATA_PAGE_SIZE,
): Promise<PersonDataPage> {
  const [part, key] = parseCursor(after);
  const { rows, next } = await context.db.semaphore.run(() =>
    PARTS[part](context, { accountId, after: key, limit }),
  );
  const records = rows.map((data) => ({ part, data }));
  if (next !== null) return { records, next: `${part}.${next}` };
  const following = DATA_PARTS[DATA_PARTS.indexOf(part) + 1];
  return { records, next: following === undefined ? null : `${following}.` };
}

/** Maximum length of `after`. Values generated by the service are shorter. */
export const MAX_CURSOR_LENGTH = 300;

const SEQ = /^\d{1,15}$/;
const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
/** Key formats of the parts whose keys aren't UUIDs. */
const KEYS: Partial<Record<DataPart, RegExp>> = {
  sign_ins: SEQ,
  claims: SEQ,
  events: SEQ,
  notices: /^[a-z_]+\/[\x20-\x7e]+$/,
};

/** Splits `after` into a part and the key of the last row read. The key is `''` at the start of the part. */
function parseCursor(after: string | null): readonly [part: DataPart, key: string] {
  if (after === null) return ['profile', ''];
  const [, name, key = ''] = /^([a-z_]+)\.(.*)$/.exec(after) ?? [];
  const part = DATA_PARTS.find((each) => each === name);
  if (part === undefined || (key !== '' && !(KEYS[part] ?? ID).test(key))) {
    throw invalid('The query parameter `after` must be the `next` of an earlier page.');
  }
  return [part, key];
}

export async function* readAllPersonData(
  context: DataReading,
  accountId: string,
): AsyncGenerator<readonly DataRecord[], void> {
  let after: string | null = null;
  do {
    const page: PersonDataPage = await readPersonData(context, accountId, after);
    yield page.records;
    after = page.next;
  } while (after !== null);
}

export const DATA_FORMATS = ['json', 'csv'] as const;
export type DataFormat = (typeof DATA_FORMATS)[number];

type Pages = AsyncIterable<readonly DataRecord[]>;

export const dataFile = (
  pages: Pages,
  format: DataFormat,
  csvStyle: CsvStyle,
): AsyncGenerator<string, void> => (format === 'json' ? toJson(pages) : toCsv(pages, csvStyle));

/** Writes a list for every part, even if the list is empty. */
async function* toJson(pages: Pages): AsyncGenerator<string, void> {
  let open: DataPart | null = null;
  const begin = (part: DataPart | null): string => {
    const from = open === null ? 0 : DATA_PARTS.indexOf(open) + 1;
    const passed = DATA_PARTS.slice(from, part === null ? undefined : DATA_PARTS.indexOf(part));
    const closing = open === null ? '{\n' : '\n  ],\n';
    const empty = passed.map((each) => `  ${JSON.stringify(each)}: [],\n`).join('');
    open = part;
    return part === null ? closing + empty : `${closing}${empty}  ${JSON.stringify(part)}: [\n`;
  };
  for await (const records of pages) {
    let text = '';
    for (const { part, data } of records) {
      text += part === open ? ',\n' : begin(part);
      text += `    ${JSON.stringify(data)}`;
    }
    if (text !== '') yield text;
  }
  yield `${begin(null).replace(/,\n$/, '\n')}}\n`;
}

/** One row per member, because the parts have different members. `record` numbers the records of a part. */
const CSV_COLUMNS = ['part', 'record', 'member', 'value'] as const;

async function* toCsv(pages: Pages, csvStyle: CsvStyle): AsyncGenerator<string, void> {
  const isTime = (column: string, record: object) =>
    column === 'value' && isTimeName((record as { readonly member: string }).member);
  const csv = csvWriter(CSV_COLUMNS, csvStyle, isTime);
  yield csv.header;
  let open: DataPart | null = null;
  let record = 0;
  for await (const records of pages) {
    const rows = records.flatMap(({ part, data }) => {
      record = part === open ? record + 1 : 1;
      open = part;
      return Object.entries(data).map(([member, value]) => ({ part, record, member, value: cellOf(value) }));
    });
    if (rows.length > 0) yield csv.rows(rows);
  }
}

const cellOf = (value: unknown): string | number => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};
