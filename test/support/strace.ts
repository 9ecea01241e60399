/** Whether faults can be injected into the system calls of a process on this machine. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** strace is there and can run a program. */
export const HAS_STRACE = process.platform === 'linux' && spawnSync('strace', ['--version']).status === 0;

/** It may trace a process that it did not start: root may, others where the system does not restrict it. */
export const CAN_ATTACH_STRACE = HAS_STRACE && mayAttach();

function mayAttach(): boolean {
  if (process.getuid?.() === 0) return true;
  try {
    return readFileSync('/proc/sys/kernel/yama/ptrace_scope', 'utf8').trim() === '0';
  } catch {
    return true;
  }
}
