#!/usr/bin/env -S node --max-semi-space-size=8
// Plain JavaScript that old versions of Node can parse, so that they print a sentence instead of a stack trace.
const REQUIRED_NODE_MAJOR = 26;

/** @param {string} sentence */
function refuse(sentence) {
  console.error(`claimcheck: ${sentence}`);
  process.exitCode = 1;
}

/**
 * Caches what V8 compiles for the next start, also in threads. If the folder is not writable, there is no cache.
 * @param {URL} folder
 */
async function cacheCompiledCode(folder) {
  const { enableCompileCache } = await import('node:module');
  const { fileURLToPath } = await import('node:url');
  // Threads read this variable. An operator who sets it chooses another folder.
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(folder);
  enableCompileCache();
}

async function run() {
  if (Number(process.versions.node.split('.')[0]) < REQUIRED_NODE_MAJOR) {
    refuse(
      `this needs Node ${REQUIRED_NODE_MAJOR} or newer and was started with ${process.version}; in a checkout, \`npm start\` and \`npm run -s claimcheck -- <command>\` bring their own.`,
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
