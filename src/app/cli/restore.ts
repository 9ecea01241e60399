import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { eraseAgain, eraseDueAccounts } from '../../background/personal-data/erase.ts';
import { listBackups } from '../../background/system/back-up.ts';
import { fetchNewestCopy, isFromFuture } from '../../background/system/backup-copies.ts';
import type { Context } from '../../base/context.ts';
import { ANY_SIZE, transferListing } from '../../claims/transfer/transfer-listing.ts';
import { countListingsForMembers } from '../../marketplace/listings/queries.ts';
import { releaseCodes, withholdCodes } from '../../marketplace/offers/codes.ts';
import { countAllWaitingPeople } from '../../marketplace/waiting-list/queries.ts';
import { readPolicy } from '../../people/accounts/policy.ts';
import { releaseMail } from '../../people/mail/mail.ts';
import { endAllAccess } from '../../people/sign-in/access.ts';
import { Refusal } from '../../platform/errors.ts';
import { COMMAND_NAME } from '../../platform/process/version.ts';
import { DatabaseUnusable } from '../../platform/store/database.ts';
import { DATABASE_FILE, schemaDifference } from '../../platform/store/open.ts';
import { readSetting, WAITING_LISTS_RESTORED_AT } from '../../platform/store/settings.ts';
import { listKeptAside } from '../../platform/store/sqlite/files.ts';
import { restoreBackup } from '../../platform/store/sqlite/restore.ts';
import { amountOf } from '../../platform/text/text.ts';
import { type Config, parseConfig } from '../config/config.ts';
import { embeddedDatabase, requireName } from './backup.ts';
import { withConfig, withContext } from './context.ts';
import { UsageError } from './options.ts';
import { type CommonOptions, createOutput, type Io, type Output } from './output.ts';
import { example } from './program.ts';

const EVERYONE_SIGNS_IN = 'All accounts are signed out: everyone has to sign in again.';

export function registerRestore(program: Command, io: Io): void {
  example(
    program
      .command('restore')
      .summary('replace the embedded database with a backup')
      .description('replace the embedded database with a backup; the old database file is renamed and kept')
      .argument('[file]', 'a file that claimcheck backup wrote')
      .option(
        '--latest',
        'restore the newest backup in BACKUP_DIR, or in BACKUP_S3_URL if BACKUP_DIR has none',
      ),
    'claimcheck restore claims-2026-11-20.db',
    'claimcheck restore --latest',
  ).action(async (named: string | undefined, options: CommonOptions & { readonly latest?: true }) => {
    const output = createOutput(io, options);
    const config = parseConfig(io.env);
    const file = await fileToRestore(config, named, options.latest === true, output, io.now());
    const database = embeddedDatabase(
      config,
      `to restore into an empty database, run pg_restore --exit-on-error --dbname="$DATABASE_URL" ${file}; then run ${COMMAND_NAME} after-restore`,
    );
    if (options.latest) output.say(`Restoring ${file}.`);
    const result = restoreBackup(file, database, io.now);
    const { keptAside, ended, heldMails, withheldCodes, carriedOver, transfers, lost } = result;
    await output.record({
      database,
      kept_aside: keptAside,
      ended,
      held_mails: heldMails,
      withheld_codes: withheldCodes,
      carried_over: carriedOver,
      not_carried_over: lost,
    });
    if (!output.json) for (const sentence of lost) output.say(sentence);
    output.say(EVERYONE_SIGNS_IN);
    sayHeld(output, heldMails, withheldCodes);
    const again = carriedOver.deletions ?? 0;
    // Called even if no account is deleted, because `withConfig` warns if the backup needs a different secret key.
    await withConfig(io, config, async (context) => {
      // Before the deletions, which would close the listing if its former account was deleted after the transfer.
      await repeatTransfers(output, context, transfers);
      if (again > 0) await eraseDueAccounts(context);
      await sayHeldLists(output, context);
      await sayVisibility(output, context);
    });
    if (again > 0)
      output.say(
        `Deleted ${amountOf(again, 'account')} again, because the backup was older than the deletion.`,
      );
  });
}

async function fileToRestore(
  { backups, dataDir }: Config,
  named: string | undefined,
  isLatest: boolean,
  output: Output,
  nowMs: number,
): Promise<string> {
  if (!isLatest) {
    if (named === undefined) throw new UsageError(await nameFiles(backups, dataDir));
    requireName(named, 'to restore');
    return named;
  }
  if (named !== undefined) throw new UsageError('Name a file or use --latest, not both.');
  if (backups === null) throw new UsageError('--latest needs BACKUP_DIR, the folder with the backups.');
  const { dir, copies } = backups;
  const newest = (await listBackups(backups)).find(({ file }) => !isFromFuture(file, nowMs));
  if (newest !== undefined) return newest.file;
  if (copies === null) throw new Error(`There is no backup in ${dir}.`);
  output.say(`There is no backup in ${dir}; fetching the newest from ${copies.url}.`);
  const fetched = await fetchNewestCopy(copies, dir, nowMs);
  if (fetched === null) throw new Error(`There is no backup in ${dir} or at ${copies.url}.`);
  return fetched;
}

/** Names the newest backups, also those that the program made itself before a migration or another restore. */
async function nameFiles(backups: Config['backups'], dataDir: string): Promise<string> {
  const scheduled = backups === null ? [] : (await listBackups(backups)).map(({ file }) => file);
  const files = [...listKeptAside(join(dataDir, DATABASE_FILE)), ...scheduled.slice(0, 1)];
  const sentence = 'Name the file to restore, or use --latest.';
  return files.length === 0 ? sentence : `${sentence} Available: ${files.join(', ')}.`;
}

async function repeatTransfers(
  output: Output,
  context: Context,
  transfers: ReturnType<typeof restoreBackup>['transfers'],
): Promise<void> {
  for (const { listing, slug, to } of transfers) {
    try {
      await transferListing(context, { listing, to, actor: 'operator', isRepeated: true }, ANY_SIZE);
      output.say(`Transferred again to the account that had it before the restore: ${slug}.`);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      output.say(`The transfer of ${slug} since the backup could not be repeated: ${error.message}`);
    }
  }
}

function sayHeld(output: Output, mails: number, codes: number): void {
  if (mails > 0) {
    output.say(
      `On hold: ${amountOf(mails, 'email')} that may have been sent after the backup. Release mail on the Outbox page or with: ${COMMAND_NAME} release-mail`,
    );
  }
  if (codes > 0) {
    output.say(
      `Withheld: ${amountOf(codes, 'code')} that may have been given out after the backup. Release codes at Desk → System or with: ${COMMAND_NAME} release-codes`,
    );
  }
}

async function sayHeldLists(output: Output, { db }: Context): Promise<void> {
  const people = await countAllWaitingPeople(db.read);
  if (people === 0 || (await readSetting(db.read, WAITING_LISTS_RESTORED_AT)) === null) return;
  output.say(
    `On hold: emails to people on waiting lists (${people}), who may have been mailed after the backup. An email waits on the Outbox page once its offer can be claimed. To let all of them be sent: ${COMMAND_NAME} release-mail`,
  );
}

/** A restored limit may be older than its last change. */
async function sayVisibility(output: Output, { db }: Context): Promise<void> {
  const [{ visibility }, listings] = await Promise.all([
    readPolicy(db.read),
    countListingsForMembers(db.read),
  ]);
  output.say(
    `Who may see the marketplace: ${visibility === 'members' ? 'members only' : 'everyone'}. Listings for members only: ${listings}. If this or who is a member was changed after the backup, change it again at Desk → Settings → People and claims and in the listings.`,
  );
}

export function registerReleaseMail(program: Command, io: Io): void {
  example(
    program
      .command('release-mail')
      .summary('send the mail that is on hold after a restore')
      .description('send the mail that is on hold after a restore; some of it may arrive a second time'),
    'claimcheck release-mail',
  ).action((options: CommonOptions) =>
    withContext(io, options, async (context, output) =>
      output.record({ released_mails: await releaseMail(context) }),
    ),
  );
}

export function registerReleaseCodes(program: Command, io: Io): void {
  example(
    program.command('release-codes').description('let new claims get the codes that a restore withheld'),
    'claimcheck release-codes',
  ).action((options: CommonOptions) =>
    withContext(io, options, async (context, output) =>
      output.record({ released_codes: await releaseCodes(context, 'operator') }),
    ),
  );
}

/** For a database that was restored without `claimcheck restore`. */
export function registerAfterRestore(program: Command, io: Io): void {
  example(
    program
      .command('after-restore')
      .summary('end all access after a restore with other tools')
      .description(
        'sign everyone out, invalidate sign-in links and invitations, and hold back mail and offer codes; run this after pg_restore or after restoring a disk snapshot',
      )
      .option(
        '--deleted <file>',
        'file with the ids of accounts that were deleted since the backup, to delete them again',
      ),
    'claimcheck after-restore',
    'claimcheck after-restore --deleted deleted-accounts.txt',
  ).action(async (options: CommonOptions & { readonly deleted?: string }) => {
    const deleted = options.deleted === undefined ? [] : idsIn(readFileSync(options.deleted, 'utf8'));
    await requireOwnSchema(parseConfig(io.env));
    await withContext(io, options, async (context, output) => {
      const { ended, heldMails } = await endAllAccess(context);
      const withheldCodes = await withholdCodes(context);
      const again = await eraseAgain(context, deleted);
      await output.record({
        ended,
        held_mails: heldMails,
        withheld_codes: withheldCodes,
        deleted_again: again,
      });
      output.say(EVERYONE_SIGNS_IN);
      sayHeld(output, heldMails, withheldCodes);
      await sayHeldLists(output, context);
      await sayVisibility(output, context);
      output.say(
        'Changes made after the backup are lost. Repeat any key revocations, suspensions of accounts or listings, and password changes.',
      );
      if (options.deleted !== undefined) return;
      output.say(
        `Accounts that were deleted after the backup are back. To delete them, put their ids into a file and run: ${COMMAND_NAME} after-restore --deleted FILE. The ids are in the output of ${COMMAND_NAME} accounts list --deleted from before the restore, or in the log.`,
      );
    });
  });
}

/** Throws before anything in the database is written, because a foreign trigger would run with the first write. */
async function requireOwnSchema(config: Config): Promise<void> {
  const difference = await schemaDifference(config);
  if (difference === null) return;
  throw new DatabaseUnusable(
    `The restored database ${difference}. Nothing was changed; restore a backup that Claimcheck or pg_dump wrote, or drop the object if you added it.`,
  );
}

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** Finds every UUID and ignores all other text. */
const idsIn = (text: string): readonly string[] => text.toLowerCase().match(UUID) ?? [];
