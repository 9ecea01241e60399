/** `claimcheck migrate --from-embedded` and `--undo-move`. */
import { dirname, join } from 'node:path';
import { COMMAND_NAME } from '../../platform/process/version.ts';
import { fingerprintOf } from '../../platform/secrets/secret-keys.ts';
import { type MoveStep, moveToPostgres, undoMove } from '../../platform/store/move/move.ts';
import { DATABASE_FILE } from '../../platform/store/open.ts';
import type { Config } from '../config/config.ts';
import { loadSecretKeys, SECRET_KEY_NAME } from '../config/secret-key.ts';
import { ConfigProblems } from '../config/setting.ts';
import { UsageError } from './options.ts';
import type { Io, Output, Progress } from './output.ts';

const STEPS: Readonly<Record<MoveStep, string>> = {
  examine: 'Rows examined',
  copy: 'Rows copied',
  verify: 'Rows verified',
};

const fileOf = (named: string | true, { dataDir }: Config): string =>
  named === true ? join(dataDir, DATABASE_FILE) : named;

function urlOf({ databaseUrl }: Config): string {
  if (databaseUrl !== null) return databaseUrl;
  throw new UsageError(
    'Set DATABASE_URL to the PostgreSQL database (example: postgres://user@host/claimcheck).',
  );
}

/** `named`: the file, or `true` for the file in the data folder. */
export async function moveEmbedded(
  io: Io,
  output: Output,
  config: Config,
  named: string | true,
): Promise<void> {
  const url = urlOf(config);
  const file = fileOf(named, config);
  // Not null with PostgreSQL.
  const keys = ((await loadSecretKeys(config)) ?? []).map(fingerprintOf);
  let step: MoveStep | null = null;
  let progress: Progress | null = null;
  const endProgress = () => progress?.end();
  const result = await moveToPostgres({
    file,
    url,
    now: io.now,
    random: io.random,
    checkSecretKeys: (fingerprints) => {
      if (fingerprints.some((fingerprint) => keys.includes(fingerprint))) return;
      throw new ConfigProblems([
        `The secret key is not the key of the embedded database, so claim links could not be shown again and secrets not be decrypted. Use the same key: unless you set another one, it is in ${join(dirname(file), SECRET_KEY_NAME)}, which SECRET_KEY_FILE can name. Nothing was changed.`,
      ]);
    },
    onProgress: (current, rows, total) => {
      if (current !== step) {
        endProgress();
        progress = output.progress(STEPS[current], total);
        step = current;
      }
      progress?.update(rows);
    },
  }).finally(endProgress);
  if (result === null) {
    output.say('Everything was moved already.');
    return;
  }
  await output.record({ from: file, to: result.location, tables: result.tables, rows: result.rows });
  output.say(
    `Everything is in PostgreSQL now, and the embedded database can no longer be used. Keep DATABASE_URL and the secret key in the settings of every process, run ${COMMAND_NAME} doctor, and start the service. To go back before a claim is created or redeemed: ${COMMAND_NAME} migrate --undo-move`,
  );
}

export async function undoMoveOf(output: Output, config: Config, named: string | true): Promise<void> {
  const file = fileOf(named, config);
  const { lostEvents } = await undoMove({ file, url: urlOf(config) });
  await output.record({ database: file, lost_events: lostEvents });
  output.say(
    `The embedded database can be used again, and the copy was dropped with ${lostEvents} later events. Remove DATABASE_URL from the settings before you start the service.`,
  );
}
