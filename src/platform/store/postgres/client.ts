import type { EventEmitter } from 'node:events';
import pg from 'pg';

/** A shorter password would also replace parts of words. */
const MIN_HIDDEN_LENGTH = 4;

/**
 * The server that gets the password in plain text, or a proxy in front of it, may quote it in an error. Errors reach
 * the log, the terminal and the desk, so the client hides the password in each error that it receives.
 */
export class DatabaseClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const { password } = this;
    if (typeof password !== 'string' || password.length < MIN_HIDDEN_LENGTH) return;
    const { connection } = this as unknown as { readonly connection: EventEmitter };
    // Registered before the client's own listener, which passes the error on.
    connection.on('errorMessage', (error: Error) => hide(error, password));
  }
}

function hide(error: Error, password: string): void {
  for (const name of Object.getOwnPropertyNames(error)) {
    const value: unknown = Reflect.get(error, name);
    if (typeof value === 'string') Reflect.set(error, name, value.replaceAll(password, '***'));
  }
}
