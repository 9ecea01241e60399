/** Whether tests can use strace to inject faults into system calls. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export const HAS_STRACE = process.platform === 'linux' && spawnSync('strace', ['--version']).status === 0;

/** Whether strace may attach to a running process. Root always may; other users may unless Yama forbids it. */
export const CAN_ATTACH_STRACE = HAS_STRACE && mayAttach();

function mayAttach(): boolean {
  if (process.getuid?.() === 0) return true;
  try {
    return readFileSync('/proc/sys/kernel/yama/ptrace_scope', 'utf8').trim() === '0';
  } catch {
    return true;
  }
}
