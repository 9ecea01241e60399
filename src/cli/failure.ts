/** Turns whatever was thrown into the one sentence that a failed command ends with. */

/** What to say of the faults of the system that a person can do something about. */
const SYSTEM_FAULTS: Readonly<Record<string, string>> = {
  EACCES: 'Permission denied',
  EADDRINUSE: 'The address is in use already; choose another with --port or PORT',
  EADDRNOTAVAIL: 'The address does not exist on this machine; set HOST to one that does',
  EISDIR: 'A file was expected and a folder was found',
  EMFILE: 'Too many files are open',
  ENOENT: 'There is no such file or folder',
  ENOSPC: 'The disk is full',
  ENOTDIR: 'A part of the path is not a folder',
  EPERM: 'The system does not permit it',
  EROFS: 'The file system is read-only',
};

/** Never empty; may still need `asSentence`. */
export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return `Something went wrong: ${String(error)}`;
  const fault = error as NodeJS.ErrnoException;
  const words = fault.syscall === undefined ? undefined : SYSTEM_FAULTS[fault.code ?? ''];
  if (words !== undefined) {
    const where = fault.path ?? (fault as { address?: string }).address;
    return where === undefined ? words : `${words}: ${where}`;
  }
  if (error.message !== '') return error.message;
  return `Something went wrong: ${error.name}`;
}
