#!/usr/bin/env -S MALLOC_ARENA_MAX=1 node --max-semi-space-size=8 --max-old-space-size=1024 --
// The variable and the first two options save memory (docs/decisions/0005-speed-of-redemptions.md).
// `--` ends the options of Node, which would otherwise read the file that our option --env-file names.
// Old versions of Node must be able to parse this file and print the message below.
const REQUIRED_NODE_MAJOR = 26;

/** @param {string} sentence */
function refuse(sentence) {
  console.error(`claimcheck: ${sentence}`);
  process.exitCode = 1;
}

/**
 * Caches compiled code for the next start. If the folder is not writable, nothing is cached.
 * @param {URL} folder
 */
async function cacheCompiledCode(folder) {
  const { enableCompileCache } = await import('node:module');
  const { fileURLToPath } = await import('node:url');
  // Worker threads read this variable. Operators can set it to another folder.
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(folder);
  enableCompileCache();
}

async function run() {
  if (Number(process.versions.node.split('.')[0]) < REQUIRED_NODE_MAJOR) {
    refuse(
      `Node ${REQUIRED_NODE_MAJOR} or newer is required, but this is Node ${process.version}. In a checkout, \`npm start\` and \`npm run -s claimcheck -- <command>\` use the right version.`,
    );
    return;
  }
  const { existsSync } = await import('node:fs');
  const main = new URL('../dist/main.js', import.meta.url);
  if (!existsSync(main)) {
    refuse('dist/main.js is missing; run `npm run build` first.');
    return;
  }
  await cacheCompiledCode(new URL('../dist/.compile-cache', import.meta.url));
  await import(main.href);
}

run();
