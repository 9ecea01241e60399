/** `npm run check`: runs all checks that need no database at the same time. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PATH = `${ROOT}node_modules/.bin:${process.env['PATH']}`;

/** From the slowest to the fastest, which is also the order of the output. */
const CHECKS = [
  'vitest run --project check',
  'GOGC=400 tsc -p tsconfig.json --checkers 1',
  'biome check --error-on-warnings .',
  'knip --no-progress --cache --cache-location node_modules/.cache/knip',
  'tsc -p tsconfig.client.json',
  'tsc -p tsconfig.snippets.json --noEmit',
];

interface Result {
  readonly code: number;
  readonly output: string;
}

async function run(command: string): Promise<Result> {
  const child = spawn(`${command} 2>&1`, {
    cwd: ROOT,
    env: { ...process.env, PATH, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) },
    shell: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const code = new Promise<number>((resolve, reject) => {
    child.once('error', reject).once('close', (status) => resolve(status ?? 1));
  });
  return { output: await text(child.stdout), code: await code };
}

const running = CHECKS.map((command) => ({ command, result: run(command) }));
for (const { command, result } of running) {
  const { code, output } = await result;
  process.stdout.write(code === 0 ? `ok      ${command}\n` : `failed  ${command}\n${output}\n`);
  if (code !== 0) process.exitCode = 1;
}
