/** `npm run -s client -- FILE` writes a TypeScript client of the API, generated from the OpenAPI document. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateSource } from 'oazapfts';
import { openApiDocument } from '../src/api/operations.ts';
import { SOFTWARE } from '../src/platform/text/text.ts';

/** Placeholder; programs that use the client set their own base URL. */
const BASE_URL = 'https://claims.example.com';

const [file] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write('Name the file to write: npm run -s client -- claimcheck-api.ts\n');
  process.exit(2);
}
// The generator accepts only a file or a URL.
const folder = mkdtempSync(join(tmpdir(), 'claimcheck-client-'));
try {
  const document = join(folder, 'openapi.json');
  writeFileSync(document, JSON.stringify(openApiDocument(BASE_URL, { name: SOFTWARE, contact: null })));
  writeFileSync(file, await generateSource(document));
} finally {
  rmSync(folder, { recursive: true });
}
