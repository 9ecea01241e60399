import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { examineFolders } from './folders.ts';

const home = mkdtempSync(join(tmpdir(), 'claimcheck-folders-'));
afterAll(() => rmSync(home, { recursive: true }));

function folder(name: string, mode: number): string {
  const path = join(home, name);
  mkdirSync(path, { recursive: true });
  chmodSync(path, mode);
  return path;
}
const check = async (path: string, user = process) => (await examineFolders([path], user))[0]!;
/** A process of another user and group. */
const stranger = { ...process, getuid: () => 4711, getgid: () => 4711 } as typeof process;

describe('the check of folders', () => {
  test.each([0o700, 0o750, 0o755, 0o500])('accepts mode %o', async (mode) => {
    expect(await check(folder(`good-${mode}`, mode))).toMatchObject({ ok: true });
  });

  test.each([0o777, 0o1777, 0o702, 0o757])('refuses mode %o', async (mode) => {
    const { ok, detail } = await check(folder(`bad-${mode}`, mode));
    expect(ok).toBe(false);
    expect(String(detail)).toContain('every user of this machine');
  });

  test('accepts a folder of the own group, and refuses one of another group', async () => {
    const path = folder('group', 0o770);
    expect(await check(path)).toMatchObject({ ok: true });
    const other = { ...process, getuid: process.getuid, getgid: () => 4711 } as typeof process;
    expect(String((await check(path, other)).detail)).toContain('the group with gid');
  });

  test.runIf(process.getuid?.() !== 0)('refuses a folder of another user', async () => {
    expect(String((await check(folder('own', 0o700), stranger)).detail)).toContain('belongs to another user');
  });

  test('refuses a folder that can be replaced through the folder above it', async () => {
    folder('open', 0o777);
    const inner = folder('open/inner', 0o700);
    expect(String((await check(inner)).detail)).toContain(`who can replace ${inner}`);
    folder('open', 0o1777);
    expect(await check(inner)).toMatchObject({ ok: true });
  });

  test('follows a link, and ignores a folder that does not exist yet', async () => {
    symlinkSync(folder('target', 0o777), join(home, 'link'));
    expect(await check(join(home, 'link'))).toMatchObject({ ok: false });
    expect(await check(join(home, 'missing'))).toMatchObject({ ok: true });
  });
});
