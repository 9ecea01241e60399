/** PostgreSQL's `copy … from stdin` in batches. */
import type pg from 'pg';

/** Sends `data` as the whole input of `statement`. */
export const copyIn = (client: pg.Client, statement: string, data: string): Promise<void> =>
  new Promise((resolve, reject) => {
    client.query(new CopyIn(statement, data, (error) => (error ? reject(error) : resolve())));
  });

interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** The methods that `pg` calls. It replaces `callback` to add a timeout. */
class CopyIn {
  readonly #statement: string;
  readonly #data: string;
  callback: (error: Error | null) => void;

  constructor(statement: string, data: string, callback: (error: Error | null) => void) {
    this.#statement = statement;
    this.#data = data;
    this.callback = callback;
  }

  submit(connection: unknown): void {
    (connection as CopyConnection).query(this.#statement);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(Buffer.from(this.#data, 'utf8'));
    connection.endCopyFrom();
  }

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }
}
