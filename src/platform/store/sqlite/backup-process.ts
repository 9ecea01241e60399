/** `node backup-process.js DATABASE TARGET`: a process can be killed, so a shutdown doesn't wait for a large copy. */
import { explainFailure, FAILURE_EXIT_CODE } from '../../process/failure.ts';
import { requireSpaceForCopy } from '../disk-reserve.ts';
import { checkBackup, writePacedBackup } from './backup.ts';
import { requireDatabase } from './database.ts';

const [database = '', target = ''] = process.argv.slice(2);
try {
  requireDatabase(database);
  requireSpaceForCopy(database, target);
  await writePacedBackup(database, target, checkBackup);
} catch (error) {
  process.stderr.write(`${explainFailure(error)}\n`);
  process.exitCode = FAILURE_EXIT_CODE;
}
