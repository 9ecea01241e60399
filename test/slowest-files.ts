/** Lists the slowest test files after a run, so that a new slow file is noticed. */
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 10;

export const slowestFiles: Reporter = {
  onTestRunEnd(modules) {
    if (modules.length <= SHOWN) return;
    const slowest = [...modules].sort((a, b) => durationOf(b) - durationOf(a)).slice(0, SHOWN);
    const lines = slowest.map(
      (module) =>
        `${(durationOf(module) / 1_000).toFixed(1).padStart(7)} s  ${relative(process.cwd(), module.moduleId)}\n`,
    );
    process.stdout.write(`\nThe ${SHOWN} slowest files:\n${lines.join('')}`);
  },
};

function durationOf(module: TestModule): number {
  const { collectDuration, duration } = module.diagnostic();
  return collectDuration + duration;
}
