#!/usr/bin/env node
// Kept in syntax that any Node understands, so that an old one gets a sentence and not a parse error.
const NEEDED = 26;
const found = Number(process.versions.node.split('.')[0]);
if (found < NEEDED) {
  process.stderr.write(
    `Claimcheck needs Node ${NEEDED} or newer and this is Node ${process.versions.node}; in a checkout, npm run -s claimcheck -- <command> uses the one that npm ci installed.\n`,
  );
  process.exitCode = 1;
} else {
  import('../dist/main.js')
    .then(({ main }) => main(process.argv.slice(2)))
    .catch((error) => {
      const unbuilt = error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes('dist/main.js');
      process.stderr.write(
        unbuilt
          ? 'Claimcheck is not built yet; run npm run build first.\n'
          : `Claimcheck cannot start: ${error.message}\n`,
      );
      process.exitCode = 1;
    });
}
