import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { API, openApiDocument } from '../api/operations.ts';
import { exportDocs } from '../pages/docs/export.tsx';
import { SOFTWARE } from '../platform/text/text.ts';

/** Writes the documentation, with the OpenAPI document, into an empty folder. Returns the number of files. */
export async function writeDocs(folder: string): Promise<number> {
  const files = await exportDocs(API, (baseUrl) =>
    openApiDocument(baseUrl, { name: SOFTWARE, contact: null }),
  );
  for (const { name, content } of files) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content, { flag: 'wx' });
  }
  return files.length;
}
