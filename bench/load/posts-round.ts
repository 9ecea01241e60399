/** One round of form submissions, in a separate process. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../setup/processes.ts';
import { CONNECTIONS } from './closed-loop.ts';
import type { Answers, Form } from './posts.ts';

const POSTS = fileURLToPath(new URL('posts.ts', import.meta.url));

/** Sends each form once. `folder`: where to write a file with the forms. */
export async function sendForms(url: string, folder: string, forms: readonly Form[]): Promise<Answers> {
  const file = join(folder, 'forms.ndjson');
  await writeFile(file, forms.map((form) => JSON.stringify(form)).join('\n'));
  const { stdout } = await run([process.execPath, POSTS], {
    URL: url,
    FORMS: file,
    CONNECTIONS: String(CONNECTIONS),
  });
  return JSON.parse(stdout) as Answers;
}

/** Throws unless there were `count` responses and all were redirects, which mean that a form succeeded. */
export function checkRedirects({ kinds }: Answers, count: number): void {
  if (kinds['303'] === count && Object.keys(kinds).length === 1) return;
  throw new Error(`${count} redirects were expected; there were ${JSON.stringify(kinds)}`);
}
