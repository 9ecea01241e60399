/** Checks who can read the files with secrets, and who can change the folders with the database, backups and secrets. */
import { existsSync } from 'node:fs';
import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Message, message } from '../../platform/languages/translate.ts';
import { isCode } from '../../platform/process/files.ts';
import { type Check, examined, failed, passed } from './check.ts';

const GROUP_MAY_WRITE = 0o020;
const OTHERS_MAY_WRITE = 0o002;
/** Only the owner of a file may delete or rename it, so a folder of somebody else in this folder is safe. */
const STICKY = 0o1000;
const ROOT = 0;

/**
 * Who can write to a folder can replace its files. A process's main group is fine, as many systems create one per user.
 */
export const examineFolders = (folders: readonly string[], user = process): Promise<readonly Check[]> =>
  examined('folders', async () => {
    const uid = user.getuid?.();
    // Windows has other permissions.
    if (uid === undefined) return [];
    for (const folder of new Set(folders)) {
      const problem = await problemOf(folder, uid, user.getgid!());
      if (problem !== null) return failed('folders', problem);
    }
    return passed(
      'folders',
      message('only this user can write to the folders with the database, backups and secrets'),
    );
  });

async function problemOf(folder: string, uid: number, gid: number): Promise<Message | null> {
  let real: string;
  try {
    real = await realpath(folder);
    if (real !== folder) {
      const link = await lstat(folder);
      const isForeignLink = link.isSymbolicLink() && link.uid !== uid && link.uid !== ROOT;
      if (isForeignLink) {
        return message('{folder} is a link of another user; replace it with a folder of this user', {
          folder,
        });
      }
    }
  } catch (error) {
    // Missing folders are created with mode 700.
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
  const { mode, uid: owner, gid: group } = await stat(real);
  if (owner !== uid && owner !== ROOT && uid !== ROOT) {
    return message(
      '{folder} belongs to another user (uid {uid}), who can replace every file in it; run chown on it',
      { folder: real, uid: String(owner) },
    );
  }
  if ((mode & OTHERS_MAY_WRITE) !== 0) {
    return message(
      '{folder} can be written by every user of this machine, who can replace every file in it; run chmod 700 on it',
      { folder: real },
    );
  }
  if ((mode & GROUP_MAY_WRITE) !== 0 && group !== gid) {
    return message(
      '{folder} can be written by the group with gid {gid}, whose members can replace every file in it; run chmod g-w on it',
      { folder: real, gid: String(group) },
    );
  }
  for (let parent = dirname(real); ; parent = dirname(parent)) {
    const above = await stat(parent);
    if ((above.mode & OTHERS_MAY_WRITE) !== 0 && (above.mode & STICKY) === 0) {
      return message(
        '{parent} can be written by every user of this machine, who can replace {folder}; run chmod o-w on it',
        { parent, folder: real },
      );
    }
    if (parent === dirname(parent)) return null;
  }
}

const OTHERS = 0o077;

/** `files`: the path of each file with a secret, by the setting that names it. */
export const examineSecretFiles = (files: Readonly<Record<string, string>>) =>
  examined('secret files', async () => {
    // Windows has other permissions.
    if (process.getuid === undefined) return [];
    // The first operator's password is needed only at the first start, so its file may have been deleted.
    const paths = Object.entries(files).flatMap(([name, path]) =>
      name === 'ADMIN_PASSWORD_FILE' && !existsSync(path) ? [] : [path],
    );
    const modes = await Promise.all(paths.map(async (path) => ({ path, mode: (await stat(path)).mode })));
    const open = modes.filter(({ mode }) => (mode & OTHERS) !== 0).map(({ path }) => path);
    if (open.length > 0) {
      return failed(
        'secret files',
        message('{paths} can be accessed by users other than the owner; run chmod 600 on each.', {
          paths: open.join(', '),
        }),
      );
    }
    if (paths.length === 0) return [];
    const fields = { paths: paths.join(', ') };
    return passed('secret files', message('readable only by the owner: {paths}', fields));
  });
