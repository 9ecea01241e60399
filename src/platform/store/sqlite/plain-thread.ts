/** The thread of a connection that runs no batches: of every reader, and of writers that only run transactions. */
import { serveFile } from './worker.ts';

serveFile(null);
