/**
 * What the sign-in library keeps, kept in our tables: its models by name, each field in the column that holds it.
 * Reads run beside the writer; every write is a transaction of its own.
 */
import { createAdapterFactory } from 'better-auth/adapters';
import type { Kysely, SqlBool } from 'kysely';
import { type ExpressionBuilder, sql } from 'kysely';
import type { Context } from '../context.ts';
import { appendEvent, type NewEvent } from '../events/queries.ts';
import { sha256 } from '../secrets.ts';
import type { Transaction } from '../store/database.ts';
import { uuidv7 } from '../store/uuid.ts';
import { isUnfinishedSignIn } from './auth-calls.ts';

/** Tables whose columns are named at run time. */
type AnyTables = Record<string, Record<string, unknown>>;
type AnyDatabase = Kysely<AnyTables>;
type Row = Record<string, unknown>;

/** Where a field lies. `since`: a truth kept as the time since which it holds; `hashed`: only its SHA-256 is kept. */
interface Column {
  readonly column: string;
  readonly kind?: 'since' | 'hashed';
}

interface Model {
  readonly table: string;
  /** Fields that are not here are not kept. */
  readonly fields: Readonly<Record<string, Column>>;
  /** Fields that follow from others, for the rows handed out. */
  readonly derived?: (row: Row) => Row;
  /** Columns that the library knows nothing of, for new rows. */
  readonly defaults?: () => Row;
  /** What the log is told of a new row, in the same transaction. */
  readonly created?: (row: Row, at: string) => NewEvent | null;
  /** The same for a change. `change`: the columns that were set. */
  readonly changed?: (row: Row, change: Row, at: string) => NewEvent | null;
}

const at = (column: string, kind?: Column['kind']): Column =>
  kind === undefined ? { column } : { column, kind };

/** The one way to sign in with a secret of one's own: a password. */
const CREDENTIAL = 'credential';

const byThemselves = (accountId: string, subjectId: string, at: string) => ({
  accountId,
  subjectId,
  at,
  actor: `account:${accountId}` as const,
});

const MODELS: Readonly<Record<string, Model>> = {
  user: {
    table: 'accounts',
    fields: {
      id: at('id'),
      email: at('email'),
      name: at('name'),
      emailVerified: at('email_verified_at', 'since'),
      twoFactorEnabled: at('two_factor_at', 'since'),
      createdAt: at('created_at'),
    },
    derived: (row) => ({ updatedAt: row['created_at'], image: null }),
    changed: (row, change, at) =>
      change['two_factor_at'] === undefined
        ? null
        : {
            ...byThemselves(String(row['id']), String(row['id']), at),
            type: change['two_factor_at'] === null ? 'session.second_factor_off' : 'session.second_factor_on',
            data: {},
          },
  },
  session: {
    table: 'sessions',
    fields: {
      id: at('id'),
      userId: at('account_id'),
      token: at('token_hash', 'hashed'),
      expiresAt: at('expires_at'),
      createdAt: at('created_at'),
      ipAddress: at('ip'),
      userAgent: at('user_agent'),
    },
    derived: (row) => ({ updatedAt: row['created_at'] }),
    created: (row, at) =>
      isUnfinishedSignIn()
        ? null
        : {
            ...byThemselves(String(row['account_id']), String(row['id']), at),
            type: 'session.signed_in',
            data: { ip: row['ip'] ?? null },
          },
  },
  account: {
    table: 'passwords',
    fields: {
      id: at('id'),
      userId: at('account_id'),
      // Whom the provider knows the person as, which the provider of passwords knows by nothing else.
      accountId: at('account_id'),
      password: at('hash'),
      createdAt: at('created_at'),
    },
    derived: (row) => ({ providerId: CREDENTIAL, updatedAt: row['created_at'] }),
  },
  verification: {
    table: 'sign_in_steps',
    fields: {
      id: at('id'),
      identifier: at('identifier'),
      value: at('value'),
      expiresAt: at('expires_at'),
      createdAt: at('created_at'),
    },
    derived: (row) => ({ updatedAt: row['created_at'] }),
  },
  twoFactor: {
    table: 'two_factors',
    fields: {
      id: at('id'),
      userId: at('account_id'),
      secret: at('secret'),
      backupCodes: at('backup_codes'),
      verified: at('verified_at', 'since'),
      failedVerificationCount: at('failed_attempts'),
      lockedUntil: at('locked_until'),
    },
    defaults: () => ({ failed_attempts: 0 }),
  },
};

interface Condition {
  readonly field: string;
  readonly value: unknown;
  readonly operator?: string | undefined;
  readonly connector?: 'AND' | 'OR' | undefined;
}

const OPERATORS: Readonly<Record<string, '=' | '!=' | '<' | '<=' | '>' | '>=' | 'in'>> = {
  eq: '=',
  ne: '!=',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  in: 'in',
};

const hashed = (text: unknown): string => Buffer.from(sha256(String(text))).toString('base64url');

function modelOf(name: string): Model {
  const model = MODELS[name];
  if (model === undefined) throw new Error(`nothing is kept for the model ${name}`);
  return model;
}

/** The adapter for `betterAuth({ database })`. */
export function createAuthAdapter(context: Context) {
  const { db } = context;
  const read = db.read as unknown as AnyDatabase;
  const write = <T>(work: (tx: AnyDatabase) => Promise<T>): Promise<T> =>
    db.transaction((tx) => work(tx as unknown as AnyDatabase));
  const nowIso = () => new Date(context.now()).toISOString();

  const toRow = (model: Model, data: Row): Row => {
    const row: Row = {};
    for (const [field, value] of Object.entries(data)) {
      const place = model.fields[field];
      if (place === undefined || value === undefined) continue;
      if (place.kind === 'since') row[place.column] = value === true ? nowIso() : null;
      else row[place.column] = place.kind === 'hashed' ? hashed(value) : value;
    }
    return row;
  };

  /** `known`: what the caller gave in the clear and the row holds hashed. */
  const fromRow = (model: Model, row: Row, known: Row = {}): Row => {
    const data: Row = { ...model.derived?.(row) };
    for (const [field, { column, kind }] of Object.entries(model.fields)) {
      const value = row[column];
      data[field] = kind === 'since' ? value !== null : kind === 'hashed' ? (known[field] ?? value) : value;
    }
    return data;
  };

  const conditions =
    (model: Model, where: readonly Condition[]) => (eb: ExpressionBuilder<AnyTables, string>) =>
      eb.and(
        where.flatMap(({ field, value, operator = 'eq', connector = 'AND' }) => {
          const place = model.fields[field];
          const comparison = OPERATORS[operator];
          // Passwords are the only such thing kept, so that their provider is always the one asked for.
          if (place === undefined && field === 'providerId' && value === CREDENTIAL) return [];
          if (
            place === undefined ||
            comparison === undefined ||
            connector !== 'AND' ||
            place.kind === 'since'
          ) {
            throw new Error(`cannot look ${model.table} up by ${connector} ${field} ${operator}`);
          }
          const plain = place.kind === 'hashed' ? hashed(value) : value;
          if (plain === null) return [eb(eb.ref(place.column), operator === 'ne' ? 'is not' : 'is', null)];
          return [eb(eb.ref(place.column), comparison, plain)];
        }),
      ) as unknown as ReturnType<typeof sql<SqlBool>>;

  const inTheClear = (model: Model, where: readonly Condition[]): Row =>
    Object.fromEntries(
      where
        .filter(({ field, operator = 'eq' }) => operator === 'eq' && model.fields[field]?.kind === 'hashed')
        .map(({ field, value }) => [field, value]),
    );

  return createAdapterFactory({
    config: {
      adapterId: 'claimcheck',
      supportsDates: false,
      supportsBooleans: true,
      supportsJSON: false,
      supportsNumericIds: false,
      transaction: false,
      customIdGenerator: () => uuidv7(context),
    },
    adapter: () => ({
      create: async ({ model: name, data }) => {
        const model = modelOf(name);
        const row = { ...model.defaults?.(), ...toRow(model, data) };
        const created = await write(async (tx) => {
          const inserted = await tx
            .insertInto(model.table)
            .values(row)
            .returningAll()
            .executeTakeFirstOrThrow();
          const event = model.created?.(inserted, nowIso()) ?? null;
          if (event !== null) await appendEvent(tx as unknown as Transaction, event);
          return inserted;
        });
        return fromRow(model, created, data) as typeof data;
      },
      findOne: async <T>({ model: name, where }: { model: string; where: Condition[] }) => {
        const model = modelOf(name);
        const row = await read
          .selectFrom(model.table)
          .selectAll()
          .where(conditions(model, where))
          .executeTakeFirst();
        return row === undefined ? null : (fromRow(model, row, inTheClear(model, where)) as T);
      },
      findMany: async <T>({
        model: name,
        where,
        limit,
        sortBy,
        offset,
      }: {
        model: string;
        where?: Condition[] | undefined;
        limit: number;
        sortBy?: { field: string; direction: 'asc' | 'desc' } | undefined;
        offset?: number | undefined;
      }) => {
        const model = modelOf(name);
        let query = read
          .selectFrom(model.table)
          .selectAll()
          .where(conditions(model, where ?? []))
          .limit(limit)
          .offset(offset ?? 0);
        const order = sortBy && model.fields[sortBy.field]?.column;
        if (order !== undefined) query = query.orderBy(sql.ref(order), sortBy?.direction ?? 'asc');
        const known = inTheClear(model, where ?? []);
        return (await query.execute()).map((row) => fromRow(model, row, known) as T);
      },
      count: async ({ model: name, where }) => {
        const model = modelOf(name);
        const row = await read
          .selectFrom(model.table)
          .select((eb) => eb.fn.countAll<string>().as('count'))
          .where(conditions(model, where ?? []))
          .executeTakeFirstOrThrow();
        return Number(row.count);
      },
      update: async <T>({ model: name, where, update }: { model: string; where: Condition[]; update: T }) => {
        const model = modelOf(name);
        const change = toRow(model, update as Row);
        const row = await write(async (tx) => {
          if (Object.keys(change).length === 0) {
            return tx.selectFrom(model.table).selectAll().where(conditions(model, where)).executeTakeFirst();
          }
          const updated = await tx
            .updateTable(model.table)
            .set(change)
            .where(conditions(model, where))
            .returningAll()
            .executeTakeFirst();
          const event = (updated && model.changed?.(updated, change, nowIso())) ?? null;
          if (event !== null) await appendEvent(tx as unknown as Transaction, event);
          return updated;
        });
        return row === undefined ? null : (fromRow(model, row, inTheClear(model, where)) as T);
      },
      updateMany: async ({ model: name, where, update }) => {
        const model = modelOf(name);
        const { numUpdatedRows } = await write((tx) =>
          tx
            .updateTable(model.table)
            .set(toRow(model, update))
            .where(conditions(model, where))
            .executeTakeFirst(),
        );
        return Number(numUpdatedRows);
      },
      delete: async ({ model: name, where }) => {
        const model = modelOf(name);
        await write((tx) => tx.deleteFrom(model.table).where(conditions(model, where)).execute());
      },
      deleteMany: async ({ model: name, where }) => {
        const model = modelOf(name);
        const { numDeletedRows } = await write((tx) =>
          tx.deleteFrom(model.table).where(conditions(model, where)).executeTakeFirst(),
        );
        return Number(numDeletedRows);
      },
      consumeOne: async <T>({ model: name, where }: { model: string; where: Condition[] }) => {
        const model = modelOf(name);
        const row = await write((tx) =>
          tx
            .deleteFrom(model.table)
            .where('id', 'in', (eb: ExpressionBuilder<AnyTables, string>) =>
              eb.selectFrom(model.table).select('id').where(conditions(model, where)).limit(1),
            )
            .returningAll()
            .executeTakeFirst(),
        );
        return row === undefined ? null : (fromRow(model, row, inTheClear(model, where)) as T);
      },
      incrementOne: async <T>({
        model: name,
        where,
        increment,
        set,
      }: {
        model: string;
        where: Condition[];
        increment: Record<string, number>;
        set?: Record<string, unknown> | undefined;
      }) => {
        const model = modelOf(name);
        const change: Row = toRow(model, set ?? {});
        for (const [field, delta] of Object.entries(increment)) {
          const column = model.fields[field]?.column ?? field;
          change[column] = sql`${sql.ref(column)} + ${delta}`;
        }
        const row = await write((tx) =>
          tx
            .updateTable(model.table)
            .set(change)
            .where(conditions(model, where))
            .returningAll()
            .executeTakeFirst(),
        );
        return row === undefined ? null : (fromRow(model, row) as T);
      },
    }),
  });
}
